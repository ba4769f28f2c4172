"""Checks ONNX models that Hocket wrote: onnx_check.py [--page docs/export.md] PLACE...

A place is a .onnx file or a folder with some: of OnnxModelTest (-Dhocket.onnx=DIR), or of `hocket export --format onnx`, whose
example rows are also computed by ONNX Runtime and compared. With --page, the Python code of that page that loads a model runs
in the working folder as it stands. Prints a line for each difference and a summary; the exit status is 1 if the checker
rejects a model or an output differs by more than 1e-5 of its largest number. Needs onnx, onnxruntime, numpy, safetensors.
"""
import pathlib
import re
import sys

import numpy as np
import onnx
import onnxruntime
from safetensors.numpy import load_file


def compared(model, example):
    """Returns the largest difference of each output, relative to its largest number."""
    session = onnxruntime.InferenceSession(model)
    inputs = {entry.name: example["input." + entry.name] for entry in session.get_inputs()}
    outputs = session.run(None, inputs)
    return [float(np.abs(output - example[f"output.{i}"]).max() / max(np.abs(example[f"output.{i}"]).max(), 1e-30))
            for i, output in enumerate(outputs)]


def main(words):
    wrong = 0
    if words[:1] == ["--page"]:
        page = pathlib.Path(words[1]).read_text()
        code = [block for block in re.findall(r"```python\n(.*?)```", page, re.DOTALL) if "onnxruntime" in block]
        found = {}
        exec(code[0], found)
        print(f"{words[1]}: outputs", [(output.shape, str(output.dtype)) for output in found["outputs"]])
        words = words[2:]
    models = [file for place in map(pathlib.Path, words)
              for file in (sorted(place.glob("*.onnx")) if place.is_dir() else [place])]
    opsets = set()
    for file in models:
        try:
            model = onnx.load(file)
            onnx.checker.check_model(model, full_check=True)
            opsets.update((entry.domain, entry.version) for entry in model.opset_import)
        except Exception as e:
            wrong += 1
            print(f"{file}: {e}")
            continue
        example = file.parent / "example.safetensors"
        if example.exists():
            differences = compared(str(file), load_file(example))
            print(f"{file}: outputs differ by", ", ".join(f"{difference:.1e}" for difference in differences))
            wrong += max(differences) > 1e-5
    print(f"{len(models)} models, {wrong} wrong, onnx {onnx.__version__}, ONNX Runtime {onnxruntime.__version__}, opsets", opsets)
    return 1 if wrong or not models else 0


sys.exit(main(sys.argv[1:]))
