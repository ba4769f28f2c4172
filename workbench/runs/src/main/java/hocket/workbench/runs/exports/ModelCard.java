package hocket.workbench.runs.exports;

import hocket.programs.Program;
import hocket.programs.Value;
import hocket.programs.execution.Lowering.ModelPage;
import hocket.programs.operators.Leaf.Distribution;
import hocket.schedulers.Setup;
import hocket.schedulers.Source;
import hocket.schedulers.SourceDescription;
import hocket.scopes.Tensor;
import hocket.workbench.files.experiment.ExperimentSpec.RecordedSpec;
import hocket.workbench.runs.CheckpointedRun;
import hocket.workbench.runs.SelectedExperiment;
import hocket.workbench.runs.Version;
import hocket.workbench.terminal.NumberFormats;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.stream.Collectors;

/**
 * The Markdown page of an exported model: description, inputs and outputs, training data and settings, scores, and code
 * that loads it.
 *
 * @param module the exported module
 * @param name the name of its files
 * @param selected the experiment
 * @param saved the exported state
 * @param scores scores of that state, by name; empty if unknown
 * @param program the exported program
 * @param inputs the model's inputs, in order
 * @param weights parameters by their names in {@code model.safetensors}
 * @param example the example rows in the folder
 * @param page of the model in an engine's format, if the folder has one
 */
record ModelCard(
        String module,
        String name,
        SelectedExperiment selected,
        CheckpointedRun saved,
        Map<String, Double> scores,
        Program program,
        List<Value> inputs,
        SortedMap<String, Tensor> weights,
        ExportExample example,
        Optional<ModelPage> page) {
    /** Settings that have a row of their own in the table. */
    private static final Set<String> RECORDED = Set.of("seed", "threads", "hocket", "lowering", "kernels", "runner");

    private static final String NORMALISED = "normalise_observations";

    String text() {
        List<String> lines = new ArrayList<>();
        lines.add("# " + module + " of " + selected.name());
        lines.add("");
        if (!selected.summary().isEmpty()) {
            lines.add(selected.summary().replaceAll("\\.$", "") + ".");
            lines.add("");
        }
        lines.add("This folder holds `" + module + "` as it was after " + NumberFormats.counted(saved.step(), "turn")
                + " of training, " + NumberFormats.counted(numbers(), "parameter") + ".");
        lines.add("It computes what is used after training: a batch norm takes its running statistics, dropout does");
        lines.add("nothing, and noise is an input.");
        tables(lines);
        files(lines);
        page.ifPresent(loading -> lines.addAll(loading.section(name, this::isNormal)));
        inPython(lines);
        attribution(lines);
        return String.join("\n", lines) + "\n";
    }

    private long numbers() {
        return weights.values().stream()
                .mapToLong(tensor -> tensor.shape().size())
                .sum();
    }

    private void tables(List<String> lines) {
        lines.add("");
        lines.add("| input | shape | type | what |");
        lines.add("|---|---|---|---|");
        for (Value input : inputs) {
            lines.add("| `" + input.path() + "` | " + shape(input) + " | " + type(input) + " | " + what(input) + " |");
        }
        lines.add("");
        lines.add("| output | shape | type |");
        lines.add("|---|---|---|");
        for (Value output : program.targets()) {
            lines.add("| `" + ExportExample.name(output) + "` | " + shape(output) + " | " + type(output) + " |");
        }
        caution(selected).ifPresent(caution -> {
            lines.add("");
            lines.add(caution);
        });
    }

    /** Returns a sentence on requirements for inputs, such as normalisation; empty for most experiments. */
    static Optional<String> caution(SelectedExperiment selectedExperiment) {
        return "true".equals(selectedExperiment.file().settings().get(NORMALISED))
                ? Optional.of(
                        "The run normalised what the agent observed by running statistics, which are not part of the network:"
                                + " feed it observations that are normalised in the same way.")
                : Optional.empty();
    }

    private boolean isNormal(Value input) {
        return ExportExample.distribution(input, selected.setup()).orElse(null) instanceof Distribution.Normal;
    }

    private String what(Value input) {
        Optional<Distribution> distribution = ExportExample.distribution(input, selected.setup());
        if (distribution.isPresent()) {
            return isNormal(input)
                    ? "noise: independent standard normals"
                    : "noise: " + distribution.get().settings();
        }
        int bound = program.indexBound(input);
        int[] bounds = program.indexBounds(input);
        String index = bound == 0
                ? ""
                : Arrays.stream(bounds).distinct().count() == 1
                        ? ", from 0 to " + (bound - 1)
                        : ", each number of a row below that of " + Arrays.toString(bounds);
        for (Setup.Feed feed : selected.setup().feeds()) {
            for (Source.Column column : feed.source().columns()) {
                if (column.name().equals(input.path().text())) {
                    return "as in `" + feed.source().name() + "`, which it was trained on" + index;
                }
            }
        }
        return bound > 0 ? "an index" + index : "";
    }

    private static String shape(Value value) {
        String extents = value.shape().toString();
        return !value.batched() ? extents : value.shape().rank() == 0 ? "(batch)" : "(batch," + extents.substring(1);
    }

    private static String type(Value value) {
        return value.type().name().toLowerCase(Locale.ROOT);
    }

    private void files(List<String> lines) {
        lines.add("");
        lines.add("| file | what |");
        lines.add("|---|---|");
        page.ifPresent(files -> lines.add(files.row(name)));
        lines.add("| `program.json` | what is computed, for `Inferencer.load` of Hocket |");
        lines.add("| `model.safetensors` | the parameters by name |");
        lines.add("| `example.safetensors` | "
                + (inputs.isEmpty()
                        ? "what "
                        : "four rows of each input, such as `input."
                                + inputs.get(0).path() + "`, and what ")
                + example.computedBy() + " made of them on one thread, `output.0`"
                + (program.targets().size() > 1 ? " and so on" : "") + " |");
    }

    private void inPython(List<String> lines) {
        lines.addAll(List.of(
                "",
                "## In Python",
                "",
                "```python",
                "from safetensors.numpy import load_file",
                "parameters = load_file(\"model.safetensors\")",
                "```",
                "",
                "Weights lie as in PyTorch: `weight` of a dense layer is (outputs, inputs), of a convolution (outputs, inputs /",
                "groups, height, width), of a transposed one (inputs, outputs / groups, height, width); `scale`, `shift`, `mean`,",
                "`variance` of a batch norm are PyTorch's `weight`, `bias`, `running_mean`, `running_var`.",
                "",
                "| parameter | shape | type |",
                "|---|---|---|"));
        weights.forEach((path, tensor) -> lines.add("| `" + path + "` | " + tensor.shape() + " | "
                + tensor.type().name().toLowerCase(Locale.ROOT) + " |"));
    }

    private void attribution(List<String> lines) {
        lines.addAll(List.of("", "## Where it comes from", "", "| | |", "|---|---|"));
        row(lines, "experiment", selected.name() + (selected.summary().isEmpty() ? "" : ": " + selected.summary()));
        String unknown = selected.file().spec().algorithm().isPresent()
                ? "what the algorithm gathered"
                : "its licence is not known here: ask where the data came from";
        for (Setup.Feed feed : selected.setup().feeds()) {
            SourceDescription source = feed.source();
            String licence = source.attribution().orElse(unknown); // sources have notes only after they are opened
            row(
                    lines,
                    "data `" + source.name() + "`",
                    source.columns().stream().map(Source.Column::toString).collect(Collectors.joining("; "))
                            + source.notes().stream().map(note -> "; " + note).collect(Collectors.joining())
                            + "; "
                            + licence);
        }
        selected.setup().phases().forEach(phase -> row(lines, "plan", "`" + phase + "`"));
        row(lines, "turns", NumberFormats.grouped(saved.step()));
        row(lines, "seed", Long.toString(saved.state().whole("seed")));
        row(
                lines,
                "scores",
                scores.isEmpty()
                        ? "not known of this checkpoint"
                        : scores.entrySet().stream()
                                .map(score -> score.getKey() + " " + NumberFormats.score(score.getValue()))
                                .collect(Collectors.joining(", ")));
        Optional<RecordedSpec> recorded = selected.file().spec().recorded();
        row(
                lines,
                "trained by",
                recorded.map(by -> "Hocket " + by.hocket() + ", " + by.computedBy())
                                .orElse("Hocket")
                        + ", " + NumberFormats.counted(selected.file().threads(), "thread"));
        row(
                lines,
                "exported by",
                "Hocket " + Version.number() + ", Java " + Runtime.version() + ", " + System.getProperty("os.name")
                        + " " + System.getProperty("os.arch"));
    }

    private static void row(List<String> lines, String what, String text) {
        lines.add("| " + what + " | " + text.replace("|", "\\|") + " |");
    }
}
