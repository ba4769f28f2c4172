package hocket.programs.onnx;

import hocket.programs.Value;
import hocket.programs.execution.Lowering.ModelPage;
import hocket.scopes.ElementType;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * How ONNX Runtime loads the file of an {@link OnnxModel}.
 *
 * @param inputs the model's inputs, in order
 */
record OnnxPage(List<Value> inputs) implements ModelPage {
    @Override
    public String row(String name) {
        return "| `" + name + ".onnx` | the model, for ONNX Runtime and other readers of ONNX (opset " + OnnxModel.OPSET
                + ") |";
    }

    @Override
    public List<String> section(String name, Predicate<Value> normal) {
        String rows = inputs.stream()
                .map(input -> "\"" + input.path() + "\": " + rows(input, normal.test(input)))
                .collect(Collectors.joining(", "));
        return List.of(
                "",
                "## In Python, by ONNX Runtime",
                "",
                "```python",
                "import numpy as np",
                "import onnxruntime",
                "session = onnxruntime.InferenceSession(\"" + name + ".onnx\")",
                "inputs = {" + rows + "}",
                "outputs = session.run(None, inputs)",
                "```",
                "",
                "`inputs` holds four rows; a model takes any number of them. `outputs` are in the order of the table above.");
    }

    private static String rows(Value input, boolean normal) {
        String extents = Arrays.stream(input.shape().extents())
                .mapToObj(extent -> ", " + extent)
                .collect(Collectors.joining("", "4", ""));
        if (input.type() == ElementType.INT64) {
            return "np.zeros([" + extents + "], np.int64)";
        }
        return normal
                ? "np.random.randn(" + extents + ").astype(np.float32)"
                : "np.zeros([" + extents + "], np.float32)";
    }
}
