"""The strings under the fields of dataclasses: the meaning of each field, in the words that the source has.

Python keeps them in the source only. They become the descriptions of JSON schemas and the comments of the
configuration file that `infograph init` writes, so they are data: what they say is published.
"""

from __future__ import annotations

import ast
import inspect
import itertools
import textwrap


def field_docs(kind: type) -> dict[str, str]:
    """Name of each documented field to the string under it, as one line. Reads the source of the class."""
    (definition,) = ast.parse(textwrap.dedent(inspect.getsource(kind))).body
    assert isinstance(definition, ast.ClassDef)
    return {
        statement.target.id: " ".join(after.value.value.split())
        for statement, after in itertools.pairwise(definition.body)
        if isinstance(statement, ast.AnnAssign)
        and isinstance(statement.target, ast.Name)
        and isinstance(after, ast.Expr)
        and isinstance(after.value, ast.Constant)
        and isinstance(after.value.value, str)
    }
