"""`infograph enrich`: asks a language model about chunks and writes its records beside the documents.

    documents ─documents▶ chunks and records ─dialogue▶ questions ─run▶ answers, records, files ─report▶ text

In: settings, an `EnrichRequest`. Out: files of records, and what a person reads of the run. Never decide here what is
asked or taken of an answer: `infograph.enrich` does.
"""
