"""The HTTP server behind `infograph serve`: a folder as a good static host would publish it.

request target ─addresses─▶ names ─files─▶ one opened file ─representation─▶ headers and body ─server─▶ reply
                                                                    live ─▶ pages reload after a build
"""
