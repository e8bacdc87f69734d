"""`infograph enrich`: asks a language model about chunks and writes its records beside the documents.

documents ─documents▶ chunks and records ─asking▶ questions, answers ─▶ records ─run▶ files, a report
"""
