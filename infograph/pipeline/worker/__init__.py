"""The work on one document, one topic or the search bundle, in a worker process or in this one.

In: a `Setup`, then the paths of documents and the tasks of topics. Out: a `Result` for each document, a `Made` for each
task, and staged files; of the bundle, see `bundle_tasks.py`. Never imported here: the steps, the run, and anything that
waits for worker processes.
"""

WORKER = "infograph.pipeline.worker.worker"
"""Module that worker processes run."""
