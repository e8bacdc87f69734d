"""The commands of `infograph` that do more than call one function of the packages below.

In come settings (or the address of a published tree) and the options of a command; out come printed text, a value that
decides the exit status, or a loop that runs until it is interrupted. `infograph.cli` parses the arguments and calls
them, or names the module `command` that does.

ask/            search, get and ask: answers from a published tree
show.py         a topic's stripes as a table or a picture
clean.py        removal of everything infograph wrote
watch.py        builds at each change of the sources
serve.py        a built tree over HTTP, with serving/ as its server
enrich/         what a language model says of chunks, questions/ those that it would ask
check/          whether a published tree keeps the promises of its links and checksums
options.py      options that several commands have
console.py      progress, warnings and summaries for a person

Never import `infograph.cli` or `infograph.integrations` here; no package below imports a command.
"""
