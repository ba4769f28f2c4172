package hocket.workbench;

import hocket.schedulers.Experiment;
import hocket.schedulers.Writes;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** Checks an experiment and says what it would do. */
@Command(
        name = "plan",
        header = "Checks an experiment and says what it would do; trains nothing.",
        description = {
            "",
            "Prints the settings there are, the programs with what goes in and out, which turn reads and writes what,"
                    + " the data, and whose turn it is next.",
            ""
        },
        sortOptions = false,
        usageHelpWidth = Terminal.COLUMNS,
        footer = {"", "For example:", "  hocket plan digits-gan --set discriminator-turns=5"})
final class PlanCommand implements Runnable {
    @ParentCommand
    @SuppressWarnings("NullAway.Init") // picocli fills it in
    private Hocket hocket;

    @Parameters(paramLabel = "NAME", description = "the experiment")
    private String name = "";

    @Option(names = "--set", paramLabel = "KEY=VALUE", description = "a setting, such as seed=3; as often as needed")
    private List<String> changes = new ArrayList<>();

    @Override
    public void run() {
        Choice choice = Choice.of(name).with(changes);
        Experiment experiment = choice.build();
        Writes writes = Refusal.unless(experiment::check);
        PlanText.of(choice, experiment, writes).forEach(hocket.terminal()::say);
    }
}
