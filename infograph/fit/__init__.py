"""Fitting: what a site's search learns from questions whose answers are known.

In: a tree and its question set. Out: `fusion.json` (how words and meaning become one score) and `rerank.json` (below
which confidence it pays to ask a language model), with tables that say what they are worth. Never imported by a build
or a client, which read these files; needs `infograph[fit]`.

    extra.py        the packages, and the error for a missing one
    targets.py      what a fusion should give: LSS, the best weight of a question
    candidates.py   questions with the chunks that a fusion puts in order
    ridge.py, boosting.py, perceptron.py    predictors of the weight
    learning.py     split, cross-validation, the choice among predictors
    fusion.py       `infograph fit fusion`: Table 4, the file
    thresholds.py   `infograph fit rerank`: Table 5, the file
    tables.py       these as text; run.py composes
"""
