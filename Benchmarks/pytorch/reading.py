#!/usr/bin/env python3
"""Reading one line after the other with a line network of the preset base: PyTorch, and ONNX Runtime.

The same layers and sizes with random weights and one random line of the given length. ONNX Runtime
runs the network as PyTorch exports it, in single precision and with weights and activations in 8 bits
(dynamic quantisation of products and LSTM layers). Prints one JSON object. Needs `pip install torch
onnx onnxscript onnxruntime`.
"""

import argparse
import contextlib
import json
import sys
import tempfile
import time
from pathlib import Path

import torch

from lines import CHANNELS, Lines

# The width of the recurrent layers of latin-lines.
HIDDEN = 160


def measure(read, seconds):
    """The median time of one line in milliseconds, after some that are not counted."""
    for _ in range(5):
        read()
    times = []
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        start = time.perf_counter()
        read()
        times.append(1000 * (time.perf_counter() - start))
    times.sort()
    return times[len(times) // 2]


def quantised(network):
    """The network with products and LSTM layers in 8 bits, by PyTorch; None if this build cannot."""
    kinds = {torch.nn.LSTM, torch.nn.Linear}
    try:
        return torch.ao.quantization.quantize_dynamic(network, kinds, dtype=torch.qint8)
    except (AttributeError, RuntimeError):
        return None


def onnx_times(network, ink, threads, seconds):
    """The version of ONNX Runtime and its times; empty if it is not installed."""
    try:
        import onnxruntime
        from onnxruntime.quantization import QuantType, quantize_dynamic
    except ImportError:
        return {}
    with tempfile.TemporaryDirectory() as folder:
        single, rounded = Path(folder, "single.onnx"), Path(folder, "rounded.onnx")
        # The exporter prints its progress.
        with contextlib.redirect_stdout(sys.stderr):
            torch.onnx.export(network, ink, str(single), input_names=["ink"], output_names=["output"],
                              opset_version=13)
        # Convolutions in 8 bits have no kernel for one dimension on every processor.
        quantize_dynamic(str(single), str(rounded), weight_type=QuantType.QInt8, per_channel=True,
                         op_types_to_quantize=["LSTM", "MatMul", "Gemm"])
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        result = {"onnxruntime": onnxruntime.__version__}
        for name, file in [("onnxSingle", single), ("onnxEightBits", rounded)]:
            session = onnxruntime.InferenceSession(
                str(file), options, providers=["CPUExecutionProvider"])
            feed = {"ink": ink.numpy()}
            result[name] = measure(lambda: session.run(None, feed), seconds)
        return result


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--classes", type=int, required=True, help="with the blank")
    parser.add_argument("--steps", type=int, required=True, help="input steps of a line")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=2, help="of each measurement")
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    torch.manual_seed(1)
    network = Lines("base", arguments.classes, HIDDEN).eval()
    ink = torch.randn(1, CHANNELS, arguments.steps)
    result = {
        "torch": torch.__version__,
        "threads": arguments.threads,
        # PyTorch keeps two biases for each gate, which add up to one.
        "parameters": sum(p.numel() for name, p in network.named_parameters()
                          if "bias_hh" not in name),
    }
    with torch.inference_mode():
        result["single"] = measure(lambda: network(ink), arguments.seconds)
        rounded = quantised(network)
        if rounded is not None:
            result["eightBits"] = measure(lambda: rounded(ink), arguments.seconds)
    with torch.no_grad():
        result |= onnx_times(network, ink, arguments.threads, arguments.seconds)
    print(json.dumps(result))


if __name__ == "__main__":
    main()
