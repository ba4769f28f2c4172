package hocket.workbench.command;

import hocket.programs.Program;
import hocket.programs.json.ProgramJson;
import hocket.schedulers.checkpoint.AtomicFile;
import hocket.schedulers.turns.Writes;
import hocket.workbench.command.options.ExperimentArguments;
import hocket.workbench.command.options.WrittenFile;
import hocket.workbench.files.UserError;
import hocket.workbench.files.json.JsonDocument;
import hocket.workbench.runs.SelectedExperiment;
import hocket.workbench.runs.plans.ExplainFacts;
import hocket.workbench.runs.plans.ExplainText;
import hocket.workbench.runs.plans.ProgramUse;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Prints the composition and cost of an experiment's programs. */
@Command(
        name = "explain",
        header = "Prints the composition and cost of an experiment's programs without running them.",
        description = {
            "",
            "Prints for each program its operators in order with their shapes, parameters, floating-point operations"
                    + " and memory, and its implementation on this machine.",
            ""
        },
        footer = {
            "",
            "For example:",
            "  hocket explain digits-gan --program generator",
            "  hocket explain digits-gan --program generator --write generator.json",
            "",
            "hocket.programs.json.ProgramJson.read reads what --write writes."
        })
public final class ExplainCommand extends WorkplaceCommand implements Runnable {
    @Mixin
    private final ExperimentArguments selection = new ExperimentArguments();

    @Option(names = "--program", paramLabel = "P", description = "this program only, such as generator")
    private @Nullable String program;

    @Option(names = "--json", description = "print all of it as one JSON document")
    private boolean json;

    @Option(
            names = "--write",
            paramLabel = "FILE",
            description = "write the program itself as JSON, with every operator, its settings and inputs, and the"
                    + " declarations of its parameters")
    private @Nullable String write;

    @Override
    public void run() {
        SelectedExperiment choice = selection.inspect(workplace, SelectedExperiment::ofDeclared);
        ExplainFacts facts = UserError.unless(() -> ExplainFacts.of(
                choice.name(),
                choice.summary(),
                choice.setup(),
                choice.further(),
                Optional.ofNullable(program),
                choice.file().threads()));
        if (write != null) {
            write(choice, workplace.path(write));
        } else if (json) {
            workplace.terminal().say(JsonDocument.of(facts));
        } else {
            ExplainText.of(facts).forEach(workplace.terminal()::say);
        }
    }

    /** Returns the first of several programs of one name, which differ in their observed outputs. */
    private void write(SelectedExperiment choice, Path file) {
        if (program == null) {
            throw new UserError("--write: needs --program, such as --program generator");
        }
        if (json) {
            throw new UserError("--write prints the program, --json prints facts about it: give only one of them");
        }
        WrittenFile.requireNew(file);
        Program chosen = ProgramUse.of(
                        choice.setup(),
                        Writes.of(
                                choice.setup().turnsByName().values(),
                                choice.setup().declarations()),
                        choice.further())
                .stream()
                .map(ProgramUse::program)
                .filter(one -> one.name().equals(program))
                .findFirst()
                .orElseThrow();
        UserError.unlessMade(
                "--write: " + file + " could not be written", () -> AtomicFile.write(file, ProgramJson.write(chosen)));
        workplace.terminal().remark("wrote " + file);
    }
}
