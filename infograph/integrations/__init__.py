"""infograph inside other programs: one module for each, which alone imports that program."""
