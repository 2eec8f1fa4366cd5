"""A program that answers requests of 'ductus recognize -' in a given way.

    stand-in.py MODE [AT]    goes wrong at the request AT, from 0; default 2
"""
import json
import os
import sys
import time

mode = sys.argv[1]
at = int(sys.argv[2]) if len(sys.argv) > 2 else 2


def answer(request, **members):
    print(json.dumps({"id": request["id"], **members}), flush=True)


for number, line in enumerate(sys.stdin):
    request = json.loads(line)
    assert "label" not in request and "writer" not in request, "the label is in the request"
    good = {"candidates": [{"text": str(len(request["strokes"])), "score": -0.25}]}
    if number != at or mode == "good":
        answer(request, **good)
    elif mode == "garbage":
        print("Traceback: ink é", flush=True)
    elif mode == "half":
        print('{"id": %s, "candidates": [' % request["id"], flush=True)
    elif mode == "no-candidates":
        answer(request)
    elif mode == "positive":
        answer(request, candidates=[{"text": "1", "score": 0.5}])
    elif mode == "refuses":
        answer(request, error={"code": "failed", "message": "no", "field": None})
    elif mode == "twice":
        answer(request, **good)
        answer(request, **good)
    elif mode == "other-id":
        print(json.dumps({"id": 1000, **good}), flush=True)
    elif mode == "never":
        pass
    elif mode == "hangs":
        time.sleep(600)
    elif mode == "late":
        time.sleep(30)
        answer(request, **good)
    elif mode == "exits":
        sys.exit(7)
    elif mode == "ends":
        sys.exit(0)
    elif mode == "killed":
        os.kill(os.getpid(), 9)
    elif mode == "closes":
        os.close(1)
        time.sleep(600)
if mode == "twice-at-end":
    print('{"id": 1, "candidates": []}', flush=True)
