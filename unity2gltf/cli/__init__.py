"""The command line: parse, one call of the API, print, exit code.

``app`` joins the commands and turns errors into sentences and exit codes. A file a command: ``convert`` (with
``conversion``, ``progress`` and ``summary``), ``inspect``, ``names``, ``validate``, ``preview``, ``view``, ``report``,
``diff``, ``codes``, ``doctor``, ``sample``. ``output`` prints: data on stdout, all else on stderr.
"""
