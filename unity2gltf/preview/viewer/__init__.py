"""A page that shows the files of a run in a browser, served to this machine alone. In: OUT. Out: HTTP on loopback.

``server`` answers requests: the page itself (``index.html``, ``viewer.css``, ``viewer.js``), files below OUT (also as
``models``, what the component can take), and as JSON what ``assets`` knows of them from report.json and what ``checks``
finds wrong with one. ``bundle`` finds model-viewer, the component that draws; it is the user's to install.
"""
