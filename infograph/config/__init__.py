"""Where settings come from, and what they are."""

from infograph.config.load import FILE_NAME, describe, key_names, load
from infograph.config.settings import Config, Settings, available_processors

__all__ = ["FILE_NAME", "Config", "Settings", "available_processors", "describe", "key_names", "load"]
