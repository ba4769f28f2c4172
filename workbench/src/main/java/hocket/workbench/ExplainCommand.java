package hocket.workbench;

import hocket.workbench.json.JsonDocument;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
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
        footer = {"", "For example:", "  hocket explain digits-gan --program generator"})
final class ExplainCommand implements Runnable {
    @ParentCommand
    @SuppressWarnings("NullAway.Init") // picocli fills it in
    private Hocket hocket;

    @Mixin
    private final ExperimentArguments selection = new ExperimentArguments();

    @Option(names = "--program", paramLabel = "P", description = "this program only, such as generator")
    private @Nullable String program;

    @Option(names = "--json", description = "print all of it as one JSON document")
    private boolean json;

    @Override
    public void run() {
        Selected choice = Selected.of(selection.read(hocket));
        ExplainFacts facts = Refusal.unless(() -> ExplainFacts.of(
                choice.name(),
                choice.summary(),
                choice.experiment(),
                Optional.ofNullable(program),
                choice.file().threads()));
        if (json) {
            hocket.terminal().say(JsonDocument.of(facts));
        } else {
            ExplainText.of(facts).forEach(hocket.terminal()::say);
        }
    }
}
