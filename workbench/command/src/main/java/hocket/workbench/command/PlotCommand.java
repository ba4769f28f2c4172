package hocket.workbench.command;

import hocket.workbench.files.UserError;
import hocket.workbench.pictures.plot.Plots;
import hocket.workbench.pictures.plot.SampleFilm;
import hocket.workbench.runs.RunFolder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Plots the metrics of runs. */
@Command(
        name = "plot",
        header = "Plots the curves of a run, or of several runs together.",
        description = {
            "",
            "Plots are SVG and PNG files: losses, scores, gradients (their norms) and metrics (all others). The"
                    + " faint line is recorded, the bold one a moving average. A run's sample grids become a film,"
                    + " samples.gif.",
            "",
            "With several runs, each metric is a chart with one curve per run.",
            ""
        },
        footer = {
            "",
            "For example:",
            "  hocket plot runs/digits-gan",
            "  hocket plot runs/digits-gan runs/digits-gan-2 --series '*/loss' --out plots"
        })
public final class PlotCommand extends WorkplaceCommand implements Runnable {
    @Parameters(paramLabel = "RUN", arity = "1..*", description = "run folders, such as runs/digits-gan")
    private List<String> runs = new ArrayList<>();

    @Option(names = "--out", paramLabel = "DIR", description = "output folder; default: the first run's plots folder")
    private @Nullable String out;

    @Option(
            names = "--series",
            paramLabel = "PATTERN",
            description = "only metrics of this name, turn/name with * for any text: d/loss, 'evaluation/*'; can be"
                    + " repeated")
    private List<String> series = new ArrayList<>();

    @Override
    public void run() {
        List<Path> folders = runs.stream().map(workplace::path).toList();
        Plots plots = UserError.unless(() -> Plots.read(folders, series));
        Path folder = out == null ? folders.get(0).resolve("plots") : outFolder(out);
        // first the film, which needs no fonts
        if (folders.size() == 1) {
            Path samples = new RunFolder(folders.get(0)).samples();
            UserError.unless(() -> {
                        Plots.make(folder);
                        return SampleFilm.write(samples, folder.resolve("samples.gif"));
                    })
                    .ifPresent(this::say);
        }
        UserError.unless(() -> plots.write(folder)).forEach(this::say);
    }

    private void say(Path written) {
        workplace.terminal().say("wrote " + written);
    }
}
