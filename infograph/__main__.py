"""`python -m infograph`."""

from infograph.cli import main

if __name__ == "__main__":
    main(prog_name="infograph")
