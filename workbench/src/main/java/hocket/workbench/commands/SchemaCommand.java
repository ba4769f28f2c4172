package hocket.workbench.commands;

import hocket.workbench.experiment.ExperimentFile;
import hocket.workbench.json.SchemaFile;
import hocket.workbench.runs.Workplace;
import hocket.workbench.terminal.Terminal;
import java.util.List;
import picocli.CommandLine.Command;

/** Says what an experiment file may hold, for editors. */
@Command(
        name = "schema",
        header = "Prints the JSON schema of experiment files, by which editors complete and check.",
        usageHelpWidth = Terminal.COLUMNS,
        footer = {"", "For example:", "  hocket schema > hocket.schema.json"})
public final class SchemaCommand implements Runnable {
    private final Workplace workplace;

    public SchemaCommand(Workplace workplace) {
        this.workplace = workplace;
    }

    @Override
    public void run() {
        workplace
                .terminal()
                .say(SchemaFile.text(ExperimentFile.schema(workplace.surroundings(List.of())))
                        .stripTrailing());
    }
}
