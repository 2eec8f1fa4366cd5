#!/usr/bin/env python3
"""Prints the golden bytes of Tests/NetworksTests/SafeTensorsTests.swift, in hexadecimal.

pip install safetensors==0.8.0 numpy && python3 scripts/golden/safetensors_golden.py
"""
import numpy
from safetensors.numpy import load, save

golden = save(
    {
        "a": numpy.array([[1, -2.5], [0.1, 3e-39]], numpy.float32),
        "é\n": numpy.array([], numpy.float32),
        "h": numpy.array([0.1, -65504, 6e-8, 1.0009765625, -0.0], numpy.float16),
    },
    metadata={"made by": "a \"test\""},
)
assert load(golden)["a"].shape == (2, 2)
print(golden.hex())
