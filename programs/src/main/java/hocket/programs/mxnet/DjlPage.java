package hocket.programs.mxnet;

import hocket.programs.Value;
import hocket.programs.execution.Lowering.ModelPage;
import hocket.scopes.ElementType;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * How DJL loads the files of a {@link MxModel}.
 *
 * @param inputs the model's inputs, in order
 */
record DjlPage(List<Value> inputs) implements ModelPage {
    @Override
    public String row(String name) {
        return "| `" + name + "-symbol.json`, `" + name + "-0000.params` | the model, for DJL and MXNet |";
    }

    @Override
    public List<String> section(String name, Predicate<Value> normal) {
        List<String> lines = new ArrayList<>(List.of(
                "",
                "## In Java, by DJL",
                "",
                "With `ai.djl:api`, `ai.djl.mxnet:mxnet-engine` (0.36.0) and `ai.djl.mxnet:mxnet-native-mkl` (1.9.1) on the"
                        + " class path,",
                "and nothing of Hocket:",
                "",
                "```java",
                "Criteria<NDList, NDList> criteria = Criteria.builder()",
                "        .setTypes(NDList.class, NDList.class)",
                "        .optEngine(\"MXNet\")",
                "        .optModelPath(Path.of(\"this-folder\"))",
                "        .optModelName(\"" + name + "\")",
                "        .build();",
                "try (ZooModel<NDList, NDList> model = criteria.loadModel();",
                "        Predictor<NDList, NDList> predictor = model.newPredictor(new NoopTranslator())) {",
                "    NDManager manager = model.getNDManager();"));
        for (Value input : inputs) {
            lines.add("    NDArray " + variable(input) + " = " + rows(input, normal.test(input))
                    + "; // a batch of four");
            lines.add("    " + variable(input) + ".setName(\"" + input.path() + "\");");
        }
        lines.addAll(List.of(
                "    NDList outputs = predictor.predict(new NDList("
                        + inputs.stream().map(DjlPage::variable).collect(Collectors.joining(", "))
                        + "));",
                "}",
                "```"));
        if (inputs.size() > 1) {
            lines.add("");
            lines.add("Inputs without names are taken in the order of the table above.");
        }
        return lines;
    }

    private static String variable(Value input) {
        return input.path().name().replaceAll("[^A-Za-z0-9]", "_");
    }

    private static String rows(Value input, boolean normal) {
        String shape = "new Shape(4"
                + input.shape()
                        .toString()
                        .replaceFirst("^\\((.+)\\)$", ", $1")
                        .replace("()", "")
                        .replaceAll(",(?! )", ", ")
                + ")";
        if (input.type() == ElementType.INT64) {
            return "manager.zeros(" + shape + ", DataType.INT64)";
        }
        return (normal ? "manager.randomNormal(" : "manager.zeros(") + shape + ")";
    }
}
