"""The HTTP server of `infograph serve`: requests in, the files of one folder out, as a good static host serves them.

request target ─addresses─▶ names ─files─▶ one opened file ─representation─▶ headers and body ─server─▶ reply
                                                                    live ─▶ pages reload after a build

Nothing here builds a tree or reads its formats: `commands.serve` decides what is served and when pages reload.
"""
