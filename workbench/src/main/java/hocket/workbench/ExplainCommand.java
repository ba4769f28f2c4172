package hocket.workbench;

import hocket.schedulers.Experiment;
import hocket.workbench.json.JsonDocument;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** Says what an experiment's programs consist of and cost. */
@Command(
        name = "explain",
        header = "Says what an experiment's programs consist of and cost; runs none.",
        description = {
            "",
            "Prints for each program its operators in order with their shapes, parameters, floating-point operations"
                    + " and memory, and what runs it on this machine.",
            ""
        },
        sortOptions = false,
        usageHelpWidth = Terminal.COLUMNS,
        footer = {"", "For example:", "  hocket explain digits-gan --program g_step"})
final class ExplainCommand implements Runnable {
    @ParentCommand
    @SuppressWarnings("NullAway.Init") // picocli fills it in
    private Hocket hocket;

    @Parameters(paramLabel = "NAME", description = "the experiment")
    private String name = "";

    @Option(names = "--program", paramLabel = "P", description = "this program only, such as g_step")
    private @Nullable String program;

    @Option(names = "--set", paramLabel = "KEY=VALUE", description = "a setting, such as width=32; as often as needed")
    private List<String> changes = new ArrayList<>();

    @Option(names = "--json", description = "print all of it as one JSON document")
    private boolean json;

    @Override
    public void run() {
        Choice choice = Choice.of(name).with(changes);
        Experiment experiment = choice.build();
        ExplainFacts facts = Refusal.unless(() -> ExplainFacts.of(
                choice.name(),
                choice.definition().summary(),
                experiment,
                Optional.ofNullable(program),
                Runtime.getRuntime().availableProcessors()));
        if (json) {
            hocket.terminal().say(JsonDocument.of(facts));
        } else {
            ExplainText.of(facts).forEach(hocket.terminal()::say);
        }
    }
}
