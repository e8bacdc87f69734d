"""What is worth a warning, beside the errors of errors.py."""

from __future__ import annotations
