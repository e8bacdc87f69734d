"""infograph inside other programs: calls of the other program in, builds or answers of infograph out.

mkdocs.py       a plugin of MkDocs, which builds the graph of a site after the site
mcp/            `infograph mcp`: published trees as tools for agents

Each module alone imports the program that it serves, which an extra installs; other packages never import a module of
this one, apart from the command line, and only inside the command that runs it.
"""
