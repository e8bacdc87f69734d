"""`infograph mcp`: published trees as tools for agents, over the Model Context Protocol.

In: addresses or folders of published trees, and the calls of agents. Out: answers, as `results.py` has them. Never: a
tool that writes, or that reads anything beside these trees.

    transport.py   standard input and output, or HTTP; opens the sites, and ends when these end
    server.py      the protocol: lists the tools, checks arguments, turns results and errors into answers
    about.py       name, title and instructions of a server, from what its sites say of themselves
    tools.py       the tools; reading.py: the one that gives texts by the piece
    texts.py       a result as text for people, or for models that are shown no fields
    site.py        one published tree, described when it is opened and reread when it is old
    arguments.py, results.py   what agents send and get: their JSON Schemas
"""

from infograph.errors import missing_extra

try:
    import mcp.server  # noqa: F401
except ImportError as error:
    raise missing_extra("mcp", "infograph mcp", "needs the MCP SDK", error) from None
