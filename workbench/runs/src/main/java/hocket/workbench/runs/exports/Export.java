package hocket.workbench.runs.exports;

import hocket.programs.Program;
import hocket.programs.Value;
import hocket.programs.execution.Lowering;
import hocket.programs.onnx.OnnxModel;
import hocket.schedulers.Setup;
import hocket.schedulers.checkpoint.AtomicFolder;
import hocket.schedulers.formats.Safetensors;
import hocket.schedulers.inference.ExportedModel;
import hocket.scopes.Parameters;
import hocket.scopes.Snapshot;
import hocket.scopes.Tensor;
import hocket.workbench.runs.CheckpointedRun;
import hocket.workbench.runs.CommandFailure;
import hocket.workbench.runs.SelectedExperiment;
import hocket.workbench.runs.Version;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * An exported module or program of a run, as the files of a folder: with {@link Format#DJL} those that DJL loads, with
 * {@link Format#ONNX} an ONNX model, always the parameters in {@code model.safetensors}, example rows in {@code
 * example.safetensors}, and {@code README.md}.
 *
 * @param program the exported program
 * @param inputs the model's inputs, in order
 * @param files contents by file name
 */
public record Export(Program program, List<Value> inputs, SortedMap<String, List<ByteBuffer>> files) {
    /** The format of the exported folder. */
    public enum Format {
        DJL,
        ONNX,
        SAFETENSORS
    }

    /**
     * Creates the export in memory.
     *
     * @param module a name that {@link Exportable} lists
     * @param scores scores of the exported state; empty if unknown
     * @throws IllegalArgumentException if there is no such module, naming the existing ones, or the format cannot
     *     express the program
     * @throws hocket.workbench.files.UserError if the checkpoint does not fit its experiment
     * @throws CommandFailure if a part of the experiment fails
     */
    public static Export of(
            CheckpointedRun saved,
            SelectedExperiment selectedExperiment,
            String module,
            Map<String, Double> scores,
            Format format) {
        Setup setup = selectedExperiment.setup();
        Exportable exportable = new Exportable(setup);
        Program program = exportable.program(module);
        try (Parameters parameters = saved.parameters(setup, saved.state().whole("seed"))) {
            Snapshot values = parameters.snapshot();
            SortedMap<String, Tensor> weights = weights(program, values);
            if (weights.isEmpty()) {
                throw new IllegalArgumentException(module + " has no parameters to export");
            }
            Optional<Lowering.ModelPage> page = Optional.empty();
            String name = Exportable.fileName(module);
            List<Value> inputs = program.inputs();
            SortedMap<String, List<ByteBuffer>> files = new TreeMap<>();
            if (format != Format.SAFETENSORS) {
                Lowering.Model model = model(program, values, format);
                inputs = model.inputs();
                page = Optional.of(model.page());
                model.files().forEach((ending, content) -> files.put(name + ending, content));
            }
            ExportExample exportExample = CommandFailure.unless(() -> ExportExample.of(program, setup, parameters));
            Map<String, String> notes =
                    Map.of("hocket", Version.number(), "experiment", selectedExperiment.name(), "module", module);
            files.putAll(ExportedModel.files(
                    exportable.function(module), saved.step(), weights, ModelCard.caution(selectedExperiment), notes));
            files.put("example.safetensors", Safetensors.parts(exportExample.tensors(), notes));
            String card = new ModelCard(
                            module,
                            name,
                            selectedExperiment,
                            saved,
                            scores,
                            program,
                            inputs,
                            weights,
                            exportExample,
                            page)
                    .text();
            files.put("README.md", List.of(ByteBuffer.wrap(card.getBytes(StandardCharsets.UTF_8))));
            return new Export(program, inputs, files);
        }
    }

    private static Lowering.Model model(Program program, Snapshot values, Format format) {
        try {
            return format == Format.ONNX
                    ? OnnxModel.of(program, values, Version.number())
                    : Lowering.export(program, values);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    e.getMessage() + "; --format safetensors writes the parameters and program.json only", e);
        }
    }

    /**
     * Returns the parameters by their names in the graph, which the symbol also uses, not by their paths in the store.
     */
    private static SortedMap<String, Tensor> weights(Program program, Snapshot values) {
        SortedMap<String, Tensor> weights = new TreeMap<>();
        program.parameters()
                .forEach((stored, parameter) -> weights.put(parameter.path().text(), values.tensor(stored.text())));
        return weights;
    }

    /**
     * Writes all files or none.
     *
     * @param folder a folder that does not exist or is empty
     * @throws IOException if writing fails
     */
    public void write(Path folder) throws IOException {
        AtomicFolder.write(folder, files);
    }
}
