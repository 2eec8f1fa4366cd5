#!/usr/bin/env python3
"""Classifiers of scikit-learn on the features of a Ductus model.

    classifiers.py train MODEL.joblib INK.jsonl --kind svm|forest --features GLYPHS.ductus --ductus PATH
    classifiers.py serve MODEL.joblib --ductus PATH

Needs scikit-learn. The features are those of the preset `small`: the resampled path, direction maps, and
values of the whole ink, as one vector.
"""

import json

import joblib
import numpy as np

from exchange import Features, candidates_of, records, run, serve, spread_over_classes


def vector(features, record):
    return np.concatenate([each.ravel() for each in features.of(record)])


def train(arguments):
    from sklearn.ensemble import RandomForestClassifier
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    from sklearn.svm import SVC

    inks = list(records(arguments.ink))
    if arguments.inks and len(inks) > arguments.inks:
        labels = [ink["label"] for ink in inks]
        inks = [inks[i] for i in spread_over_classes(labels, arguments.inks // len(set(labels)))]
    features = Features(arguments.ductus, arguments.features)
    values = np.stack([vector(features, ink) for ink in inks])
    labels = np.array([ink["label"] for ink in inks])
    if arguments.kind == "svm":
        model = make_pipeline(StandardScaler(), SVC(C=10, gamma="scale", cache_size=1000))
    else:
        model = RandomForestClassifier(300, n_jobs=-1, random_state=1)
    model.fit(values, labels)
    joblib.dump({"model": model, "features": arguments.features}, arguments.model, compress=3)
    print(json.dumps({"inks": len(inks)}))


def read(arguments):
    saved = joblib.load(arguments.model)
    model, features = saved["model"], Features(arguments.ductus, saved["features"])
    labels = [str(label) for label in model.classes_]
    if hasattr(model, "n_jobs"):
        model.n_jobs = 1

    def classify(request, wanted):
        values = vector(features, request)[None]
        if hasattr(model, "decision_function"):
            scores = model.decision_function(values)[0]
            # Two classes have one score.
            scores = np.atleast_1d(scores) if len(labels) > 2 else np.array([-scores, scores])
        else:
            scores = np.log(model.predict_proba(values)[0] + 1e-6)
        return candidates_of(labels, scores, wanted)

    serve(classify)


if __name__ == "__main__":
    run(__doc__, train, read, {
        "--kind": dict(choices=["svm", "forest"], default="svm"),
        "--features": dict(help="the glyph model whose features are used"),
        "--ductus": dict(default="ductus"),
        "--inks": dict(type=int, default=0, help="the most inks to train on; 0: all"),
    })
