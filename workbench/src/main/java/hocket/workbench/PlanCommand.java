package hocket.workbench;

import hocket.schedulers.Experiment;
import hocket.workbench.json.JsonDocument;
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
            "Prints the settings there are, the programs with what goes in and out, the parameters by scope, which"
                    + " programs are separate, which turn reads and writes what, the data, whose turn it is next, and"
                    + " what looks wrong.",
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

    @Option(names = "--json", description = "print all of it as one JSON document")
    private boolean json;

    @Override
    public void run() {
        Choice choice = Choice.of(name).with(changes);
        Experiment experiment = choice.build();
        PlanFacts facts = Refusal.unless(() -> PlanFacts.of(
                choice.name(),
                choice.definition().summary(),
                choice.seed(),
                SettingsTable.facts(choice.settings()),
                experiment));
        if (json) {
            hocket.terminal().say(JsonDocument.of(facts));
        } else {
            PlanText.of(facts).forEach(hocket.terminal()::say);
        }
    }
}
