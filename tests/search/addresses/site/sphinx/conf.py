extensions = ["myst_parser"]
html_baseurl = "https://example.org/docs/"
root_doc = "index"
myst_enable_extensions = ["attrs_block", "strikethrough"]
suppress_warnings = ["myst", "toc", "image", "docutils"]
