package hocket.workbench.command;

import hocket.schedulers.exchange.Exchange;
import hocket.workbench.command.options.ExperimentArguments;
import hocket.workbench.files.UserError;
import hocket.workbench.files.json.JsonDocument;
import hocket.workbench.pictures.plot.OwnershipPlot;
import hocket.workbench.runs.SelectedExperiment;
import hocket.workbench.runs.plans.Ownership;
import hocket.workbench.runs.plans.PlanFacts;
import hocket.workbench.runs.plans.PlanText;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Checks an experiment and prints its plan. */
@Command(
        name = "plan",
        header = "Checks an experiment and prints its plan, without training.",
        description = {
            "",
            "Prints the settings, the programs with their inputs and outputs, the parameters by scope, which"
                    + " programs are separate, which turn reads and writes which parameters, the data, the order of"
                    + " turns, and warnings.",
            "",
            "With --out it also draws which turn reads and which writes which parameters: plan.svg and plan.png.",
            ""
        },
        footer = {
            "",
            "For example:",
            "  hocket plan digits-gan --set repeat=5",
            "  hocket plan tictactoe-selfplay --out plans"
        })
public final class PlanCommand extends WorkplaceCommand implements Runnable {
    @Mixin
    private final ExperimentArguments selection = new ExperimentArguments();

    @Option(
            names = "--processes",
            paramLabel = "N",
            description = "show how this number of processes would share the rows of turns (hocket launch --workers N),"
                    + " and the network traffic")
    private int processes = 1;

    @Option(names = "--out", paramLabel = "DIR", description = "folder for the drawing")
    private @Nullable String out;

    @Option(names = "--json", description = "print all of it as one JSON document")
    private boolean json;

    @Override
    public void run() {
        if (processes < 1 || processes > 1000) {
            throw new UserError("--processes: must be from 1 to 1000, was " + processes);
        }
        Path folder = out == null ? null : outFolder(out);
        SelectedExperiment choice = divided(selection.inspect(workplace, SelectedExperiment::of));
        List<String> start = choice.file().checkStartup(choice.setup());
        PlanFacts facts = UserError.unless(choice::plan);
        List<Path> drawn =
                folder == null ? List.of() : UserError.unless(() -> OwnershipPlot.write(Ownership.of(facts), folder));
        if (json) {
            workplace.terminal().say(JsonDocument.of(facts));
        } else {
            PlanText.of(facts).forEach(workplace.terminal()::say);
            start.forEach(workplace.terminal()::say);
        }
        drawn.forEach(written -> workplace.terminal().remark("wrote " + written));
    }

    private SelectedExperiment divided(SelectedExperiment choice) {
        if (processes == 1) {
            return choice;
        }
        SelectedExperiment divided = choice.among(Exchange.planned(processes));
        try {
            divided.setup().checkDivision();
        } catch (IllegalArgumentException e) {
            throw new UserError("--processes " + processes + ": workers: " + e.getMessage(), e);
        }
        return divided;
    }
}
