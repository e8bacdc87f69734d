"""Settings: what they are, where they come from, and which values make sense.

In: the files, environment variables and flags of a run. Out: a frozen `Settings`, or a ConfigError that names the
place at fault. `reading` loads settings, `settings` defines them, `checks` refuses values, `origins` remembers where
each was given, `starter` writes a file of all of them. A stage gets single settings as arguments: only the layers
above (commands, the pipeline) import this package. Never import a stage here, nor anything of those layers.
"""

from infograph.config.places import FILE_NAME
from infograph.config.reading import describe, key_names, load
from infograph.config.settings import Config, Settings, available_processors

__all__ = ["FILE_NAME", "Config", "Settings", "available_processors", "describe", "key_names", "load"]
