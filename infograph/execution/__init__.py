"""Runs work in local worker processes.

In: what a worker must know, and tasks. Out: an answer for each task, or how its worker died. Never imported here: the
pipeline or a stage; tasks and answers are any values that pickle.
"""
