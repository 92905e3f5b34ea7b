"""Stands for the drawing process: does what the job's file says."""

from __future__ import annotations

import json
import os
import signal
import sys
import time

if "mute" in sys.argv:
    sys.exit("no display")
print('{"status": "ready"}', flush=True)
for number, line in enumerate(sys.stdin):
    word = json.loads(line)["file"]
    if word == "crash" or (word == "tired" and number > 0):
        os.kill(os.getpid(), signal.SIGSEGV)
    if word == "exit":
        sys.exit("out of\nmemory")
    if word == "hang":
        time.sleep(60)
    if word == "slow":
        time.sleep(0.5)
    print(json.dumps({"status": "rendered", "file": word, "process": os.getpid()}), flush=True)
