package hocket.schedulers.inference;

import hocket.programs.Program;
import hocket.programs.json.ProgramJson;
import hocket.schedulers.checkpoint.Checkpoints;
import hocket.schedulers.checkpoint.FileWork;
import hocket.schedulers.state.State;
import hocket.scopes.Parameters;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A program and the parameters that it reads, as a checkpoint in a folder: what a trainer saves for inference. */
public final class SavedModel {
    private static final String PARAMETERS = "parameters";
    private static final String PROGRAM = "program";
    private static final long NUMBER = 0;

    private SavedModel() {}

    /**
     * Writes a program and its parameters; a former model in the folder is replaced.
     *
     * @throws IllegalArgumentException if the folder holds the checkpoints of a run
     * @throws java.io.UncheckedIOException if writing fails; the former files are unchanged then
     */
    public static void write(Program program, Parameters parameters, Path folder) {
        if (isOfRun(folder)) {
            throw new IllegalArgumentException(
                    folder + " holds the checkpoints of a run: a model needs a folder of its own");
        }
        State values = State.empty();
        for (hocket.scopes.Path path : program.parameters().keySet()) {
            values = values.with(path.text(), parameters.tensor(path.text()));
        }
        Checkpoints.write(
                folder, NUMBER, State.empty().with(PARAMETERS, values).with(PROGRAM, ProgramJson.write(program)));
    }

    private static boolean isOfRun(Path folder) {
        try {
            return Checkpoints.outline(folder)
                    .filter(state -> !state.has(PROGRAM))
                    .isPresent();
        } catch (IOException e) { // a damaged model, the only one in its folder, is replaced
            return FileWork.get(folder + " cannot be read", () -> Checkpoints.numbers(folder)).stream()
                    .anyMatch(number -> number != NUMBER);
        }
    }

    static boolean isIn(Path folder) {
        return Files.exists(folder.resolve("LATEST"));
    }

    static TrainedModel read(Path folder) throws IOException {
        State state = Checkpoints.readLatest(folder);
        if (!state.has(PROGRAM)) {
            throw new IOException(
                    folder + " holds checkpoints without a program: of a run, load the folder around it; of a model"
                            + " that an earlier version saved, use Inferencer.load(program, folder)");
        }
        return model(folder, ProgramJson.read(state.text(PROGRAM)), state);
    }

    static TrainedModel read(Path folder, Program program) throws IOException {
        State state = Checkpoints.readLatest(folder);
        try {
            return model(folder, program, state);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(folder + " is of another model: " + e.getMessage(), e);
        }
    }

    private static TrainedModel model(Path folder, Program program, State state) {
        return new TrainedModel(
                folder.toString(),
                0,
                ProgramInference.of(program),
                state.state(PARAMETERS).snapshot(),
                List.of());
    }
}
