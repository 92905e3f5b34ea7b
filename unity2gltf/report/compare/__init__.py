"""What differs between two outputs. In: two folders with report.json and files. Out: one JSON value, and words for it.

``outputs`` compares the reports and pairs the assets; ``entries`` compares what the reports say of one, ``files`` its
files, where these differ by the ``parts`` of the documents (nodes, meshes, ... under their names) and their ``data``
(accessors and images). ``words`` says it in lines.
"""
