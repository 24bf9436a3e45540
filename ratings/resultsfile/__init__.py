"""The results of a tournament as a file, the way federations keep them: reading CSV and XLSX, and writing CSV.

A row is a player's result. Reading is all or nothing; rows are numbered as a spreadsheet shows them.
"""

from ratings.resultsfile.reading import read_results
from ratings.resultsfile.values import (
    LARGEST_FILE,
    LARGEST_UNPACKED,
    LONGEST_TEXT,
    MOST_COLUMNS,
    MOST_ROWS,
    BadResults,
    Problem,
    ProblemKind,
    ResultRow,
    ResultsFile,
)
from ratings.resultsfile.writing import COLUMNS, write_results

__all__ = [
    "COLUMNS",
    "LARGEST_FILE",
    "LARGEST_UNPACKED",
    "LONGEST_TEXT",
    "MOST_COLUMNS",
    "MOST_ROWS",
    "BadResults",
    "Problem",
    "ProblemKind",
    "ResultRow",
    "ResultsFile",
    "read_results",
    "write_results",
]
