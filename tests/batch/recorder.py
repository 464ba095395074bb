#!/usr/bin/env python3
"""A scripted runner that writes what it sees of each attempt into the folder of its argument, and solves nothing."""

import json
import sys
from pathlib import Path

request = json.load(sys.stdin)
consumer, output = Path(request["consumerDir"]), Path(request["outputDir"])
seen = {
    "request": request,
    "output": {path.name: path.read_text() for path in output.iterdir()},
    "consumer": sorted(path.name for path in consumer.iterdir()),
    "contract": (consumer / "task-contract.d.ts").read_text(),
}
Path(sys.argv[1], f"{request['attempt']}.json").write_text(json.dumps(seen))
(output / "solution.ts").write_text(f"export const attempt = {request['attempt']};\n")
answer = {
    "schemaVersion": 1,
    "runId": request["runId"],
    "taskId": request["taskId"],
    "status": "completed",
    "runner": {"name": "scripted-runner", "version": "1"},
    "model": {"id": "authored-solutions", "settings": {}},
}
print(json.dumps(answer))
