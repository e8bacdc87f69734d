"""The work on one document or one topic, in a worker process or in this one.

In: a `Setup`, then the paths of documents and the tasks of topics. Out: a `Result` for each document, a `Made` for each
task, and staged files. Never imported here: the steps, the run, and anything that waits for worker processes.
"""

WORKER = "infograph.pipeline.worker.worker"
"""Module that worker processes run."""
