"""The ``creel-inspect`` command. Exit status: 0 all well, 1 something found, 2 not done."""

import click

from creel_inspect.compare.commands import compare
from creel_inspect.extract.commands import extraction
from creel_inspect.search.commands import search


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="creel-inspect")
def main() -> None:
    """Build and check what creel-inspect's evals run on, and compare what they found."""


main.add_command(compare)
main.add_command(extraction)
main.add_command(search)
