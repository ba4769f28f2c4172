package hocket.workbench.runs.exports;

import hocket.programs.Program;
import hocket.programs.Value;
import hocket.programs.execution.Lowering;
import hocket.schedulers.Setup;
import hocket.schedulers.checkpoint.AtomicFolder;
import hocket.schedulers.formats.Safetensors;
import hocket.schedulers.inference.ExportedModel;
import hocket.scopes.Parameters;
import hocket.scopes.Snapshot;
import hocket.scopes.Tensor;
import hocket.workbench.runs.CommandFailure;
import hocket.workbench.runs.SavedRun;
import hocket.workbench.runs.SelectedExperiment;
import hocket.workbench.runs.Version;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A module or program of a run, as the files of a folder: with {@link Format#DJL} those that DJL loads, in any case its
 * parameters in {@code model.safetensors}, rows to check by in {@code example.safetensors}, and {@code README.md}.
 *
 * @param program what is computed
 * @param inputs what it is fed, in the order in which the model takes it
 * @param files by name
 */
public record Export(Program program, List<Value> inputs, SortedMap<String, List<ByteBuffer>> files) {
    /** The format of the exported folder. */
    public enum Format {
        DJL,
        SAFETENSORS
    }

    /**
     * Makes it; writes nothing.
     *
     * @param module what there is by {@link Exportable}
     * @param scores of the state that is exported; empty where they are not known
     * @throws IllegalArgumentException if there is no such module, listing what there is, or the format has no way to say what
     *     it computes
     * @throws hocket.workbench.files.UserError if the checkpoint does not fit its experiment
     * @throws CommandFailure if a part of the experiment fails
     */
    public static Export of(
            SavedRun saved,
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
                throw new IllegalArgumentException(module + " has no parameters: there is nothing to take along");
            }
            boolean djl = format == Format.DJL;
            String name = Exportable.fileName(module);
            List<Value> inputs = program.inputs();
            SortedMap<String, List<ByteBuffer>> files = new TreeMap<>();
            if (djl) {
                Lowering.Model model = model(program, values);
                inputs = model.inputs();
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
                            djl)
                    .text();
            files.put("README.md", List.of(ByteBuffer.wrap(card.getBytes(StandardCharsets.UTF_8))));
            return new Export(program, inputs, files);
        }
    }

    private static Lowering.Model model(Program program, Snapshot values) {
        try {
            return Lowering.export(program, values);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    e.getMessage() + "; --format safetensors leaves the files of the engine out", e);
        }
    }

    /** By the names in the graph, which are those of the symbol too, wherever the store has them. */
    private static SortedMap<String, Tensor> weights(Program program, Snapshot values) {
        SortedMap<String, Tensor> weights = new TreeMap<>();
        program.parameters()
                .forEach((stored, parameter) -> weights.put(parameter.path().text(), values.tensor(stored.text())));
        return weights;
    }

    /**
     * Writes all files, or nothing.
     *
     * @param folder that is not there, or is empty
     * @throws IOException if the disk refuses
     */
    public void write(Path folder) throws IOException {
        AtomicFolder.write(folder, files);
    }
}
