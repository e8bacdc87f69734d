"""The HTTP server of `infograph serve`: requests in, the files of one folder out, as a good static host serves them.

request target ─addresses─▶ names ─files─▶ one opened file ─representation─▶ headers and body ─server─▶ reply
                                                                    live ─▶ pages reload after a build

Never import here what builds a tree or decodes its files: `commands.serve` decides what is served and when pages
reload.
"""
