"""The report's page and the viewer in a real browser, headless: ``make browser``.

``chromium`` drives it by its own protocol over two pipes and logs every request; ``conftest`` starts it and makes the
files to look at. Nothing outside of this machine may be asked for, and the browser could not reach it.
"""
