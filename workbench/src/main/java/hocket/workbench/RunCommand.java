package hocket.workbench;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** Trains an experiment. */
@Command(
        name = "run",
        header = "Trains an experiment.",
        description = {
            "",
            "Leaves a folder with checkpoints, samples, metrics and a log. Ctrl-C lets the round end, saves and"
                    + " stops; --resume goes on from there as if nothing had been, to the bit.",
            ""
        },
        sortOptions = false,
        usageHelpWidth = Terminal.COLUMNS,
        footer = {
            "",
            "For example:",
            "  hocket run digits-gan --set epochs=50 --set seed=3",
            "  hocket run digits-gan --resume --out runs/digits-gan",
            "",
            "hocket list names the experiments, hocket plan NAME what can be set."
        })
final class RunCommand implements Callable<Integer> {
    @ParentCommand
    @SuppressWarnings("NullAway.Init") // picocli fills it in
    private Hocket hocket;

    @Parameters(paramLabel = "NAME", description = "the experiment")
    private String name = "";

    @Option(names = "--set", paramLabel = "KEY=VALUE", description = "a setting, such as seed=3; as often as needed")
    private List<String> changes = new ArrayList<>();

    @Option(names = "--out", paramLabel = "DIR", description = "the run folder; runs/NAME, runs/NAME-2, ... without")
    private @Nullable String out;

    @Option(names = "--resume", description = "go on with the run in the folder; of settings, only epochs may change")
    private boolean resume;

    @Option(names = "--quiet", description = "say nothing but errors")
    private boolean quiet;

    @Override
    public Integer call() {
        try (PreparedRun run = prepared();
                Stop stop = Stop.onSignals()) {
            return Training.run(run, hocket.terminal(), quiet, stop);
        }
    }

    private PreparedRun prepared() {
        Choice choice = Choice.of(name);
        Path runs = hocket.path("runs");
        if (resume) {
            RunFolder folder = out == null ? RunFolder.last(runs, name) : new RunFolder(hocket.path(out));
            return PreparedRun.resumed(name, folder, changes);
        }
        RunFolder folder = out == null ? RunFolder.free(runs, name) : new RunFolder(hocket.path(out));
        return PreparedRun.fresh(choice.with(changes), folder);
    }
}
