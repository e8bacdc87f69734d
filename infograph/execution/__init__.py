"""Runs work in worker processes, of this machine or of the machines of a Ray cluster.

In: what a worker must know, and tasks. Out: an answer for each task, or how its worker died. Never imported here: the
pipeline or a stage; tasks and answers are any values that pickle.
"""
