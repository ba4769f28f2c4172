package hocket.workbench;

import hocket.workbench.experiment.ExperimentFile;
import hocket.workbench.json.SchemaFile;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParentCommand;

/** Says what an experiment file may hold, for editors. */
@Command(
        name = "schema",
        header = "Prints the JSON schema of experiment files, by which editors complete and check.",
        usageHelpWidth = Terminal.COLUMNS,
        footer = {"", "For example:", "  hocket schema > hocket.schema.json"})
final class SchemaCommand implements Runnable {
    @ParentCommand
    @SuppressWarnings("NullAway.Init") // picocli fills it in
    private Hocket hocket;

    @Override
    public void run() {
        hocket.terminal()
                .say(SchemaFile.text(ExperimentFile.schema(hocket.surroundings(List.of())))
                        .stripTrailing());
    }
}
