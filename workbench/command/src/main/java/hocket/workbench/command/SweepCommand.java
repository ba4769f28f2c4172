package hocket.workbench.command;

import hocket.workbench.files.UserError;
import hocket.workbench.sweeps.Sweep;
import hocket.workbench.sweeps.SweepFile;
import hocket.workbench.sweeps.SweepFolder;
import hocket.workbench.training.StopRequest;
import hocket.workbench.training.processes.SideBySide;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Trains an experiment with many settings. */
@Command(
        name = "sweep",
        header = "Trains an experiment with many settings and ranks them.",
        description = {
            "",
            "The file names an experiment, the settings that trials differ in, and the objective; the strategy is a"
                    + " grid, random search, successive halving or a population (PBT). Writes a folder with a run for each trial, a table"
                    + " and a plot. Ctrl-C saves and stops; the same command with --resume continues, also after the"
                    + " process was killed.",
            ""
        },
        footer = {
            "",
            "For example:",
            "  hocket sweep my-sweep.yaml --plan",
            "  hocket sweep my-sweep.yaml --at-once 4 --set total_steps=20000",
            "  hocket sweep my-sweep.yaml --resume",
            "",
            "with my-sweep.yaml such as:",
            "  experiment: cartpole-ppo",
            "  parameters:",
            "    rate: {log_uniform: {min: 1e-5, max: 1e-2}}",
            "    minibatch: {choice: [64, 128, 256]}",
            "  strategy: {random: {trials: 16}}",
            "  objective: {maximise: return_mean}"
        })
public final class SweepCommand extends WorkplaceCommand implements Callable<Integer> {
    private static final String FILE = "sweep.yaml";
    private static final String SWEEP = "-sweep";

    @Parameters(paramLabel = "FILE", description = "a sweep file, or the folder of a sweep to resume")
    private String named = "";

    @Option(
            names = "--set",
            paramLabel = "KEY=VALUE",
            description = "a setting of the experiment, for all trials; can be repeated")
    private List<String> changes = new ArrayList<>();

    @Option(
            names = "--at-once",
            paramLabel = "N",
            description = "number of processes that train in parallel; default: the file's. Without a number of"
                    + " threads, each run has this machine's cores divided by N, at least one")
    private @Nullable Integer atOnce;

    @Option(names = "--out", paramLabel = "DIR", description = "the folder of the sweep; default: runs/NAME-sweep")
    private @Nullable String out;

    @Option(
            names = "--resume",
            description = "continue the sweep in the folder: finished runs are not repeated; only at_once and the"
                    + " number of random trials may change")
    private boolean resume;

    @Option(names = "--plan", description = "list the trials, without training")
    private boolean plan;

    @Option(
            names = "--classpath",
            paramLabel = "JAR",
            description = "a jar or folder of classes that the experiment names; can be repeated")
    private List<String> jars = new ArrayList<>();

    @Option(names = "--quiet", description = "print the table and errors only")
    private boolean quiet;

    @Override
    public Integer call() {
        if (atOnce != null) {
            SideBySide.require(atOnce);
        }
        if (out != null && out.isBlank()) {
            throw new UserError("--out must name a folder, was empty");
        }
        Path given = workplace.path(named);
        boolean isFolder = Files.isDirectory(given);
        SweepFile file = SweepFile.read(isFolder ? given.resolve(FILE) : given, changes, workplace.surroundings(jars));
        try (StopRequest stopRequest = StopRequest.onSignals(workplace.terminal(), quiet)) {
            Sweep sweep = new Sweep(
                    workplace,
                    file,
                    new SweepFolder(folder(file, given, isFolder)),
                    jars,
                    atOnce == null ? file.spec().atOnce() : atOnce,
                    stopRequest,
                    quiet);
            if (plan) {
                sweep.plan().forEach(workplace.terminal()::say);
                return 0;
            }
            return sweep.run(resume);
        }
    }

    private Path folder(SweepFile file, Path given, boolean isFolder) {
        if (out != null) {
            return workplace.path(out);
        }
        String name = file.name().endsWith(SWEEP) ? file.name() : file.name() + SWEEP;
        return isFolder && resume ? given : workplace.path("runs").resolve(name);
    }
}
