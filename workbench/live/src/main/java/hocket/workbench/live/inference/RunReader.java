package hocket.workbench.live.inference;

import hocket.schedulers.Setup;
import hocket.schedulers.checkpoint.SkippedCheckpoints;
import hocket.schedulers.inference.InferenceFunction;
import hocket.schedulers.inference.LoadOptions;
import hocket.schedulers.inference.ModelReader;
import hocket.schedulers.inference.ProgramInference;
import hocket.schedulers.inference.TrainedModel;
import hocket.workbench.files.UserError;
import hocket.workbench.files.experiment.ExperimentFile;
import hocket.workbench.runs.CheckpointedRun;
import hocket.workbench.runs.CommandFailure;
import hocket.workbench.runs.RunFolder;
import hocket.workbench.runs.SelectedExperiment;
import hocket.workbench.runs.exports.Exportable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Reads the models of run folders: builds their experiment, but trains nothing and reads no data. */
public final class RunReader implements ModelReader {
    /** Used by {@link java.util.ServiceLoader}. */
    public RunReader() {}

    @Override
    public Optional<TrainedModel> read(Path folder, LoadOptions options) throws IOException {
        RunFolder run = new RunFolder(folder.toAbsolutePath());
        if (!Files.exists(run.experiment())) {
            return Optional.empty();
        }
        try {
            CheckpointedRun saved =
                    options.best() ? CheckpointedRun.best(run) : CheckpointedRun.open(run, options.checkpoint());
            SelectedExperiment selectedExperiment = saved.selected(new ExperimentFile.Surroundings(
                    Path.of("").toAbsolutePath(),
                    List.of(),
                    System.getenv(),
                    true)); // its jars may be on the class path
            return Optional.of(CommandFailure.unless(() -> model(folder, saved, selectedExperiment, options)));
        } catch (UserError | CommandFailure e) {
            throw new IOException(folder + ": " + e.getMessage(), e);
        }
    }

    private static TrainedModel model(
            Path folder, CheckpointedRun saved, SelectedExperiment selectedExperiment, LoadOptions options) {
        Setup setup = selectedExperiment.setup();
        InferenceFunction function = options.module()
                .<InferenceFunction>map(module -> new Exportable(setup).function(module))
                .or(setup::inference)
                .or(() -> setup.samples().map(ProgramInference::of))
                .orElseThrow(() ->
                        new UserError("experiment " + selectedExperiment.name() + " has neither a policy nor samples:"
                                + " choose a module by LoadOptions.ofNewest().module(name); there are "
                                + new Exportable(setup).list()));
        setup.inherit(saved.state()); // the statistics by which an agent normalises observations
        return new TrainedModel(
                folder.toString(),
                saved.step(),
                function,
                saved.state().state("parameters").snapshot(),
                SkippedCheckpoints.lines(saved.skipped(), saved.step()));
    }
}
