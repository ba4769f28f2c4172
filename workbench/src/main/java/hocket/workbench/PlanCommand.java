package hocket.workbench;

import hocket.schedulers.Experiment;
import hocket.schedulers.Writes;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
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

    @Mixin
    private final ExperimentArguments selection = new ExperimentArguments();

    @Override
    public void run() {
        Selected choice = Selected.of(selection.read(hocket));
        Experiment experiment = choice.experiment();
        Writes writes = Refusal.unless(experiment::check);
        PlanText.of(choice, experiment, writes).forEach(hocket.terminal()::say);
    }
}
