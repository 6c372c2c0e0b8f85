"""``python -m grader.cli`` is the ``grader`` command."""

from grader.cli.main import main

if __name__ == "__main__":
    main()
