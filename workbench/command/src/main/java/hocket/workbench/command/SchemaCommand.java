package hocket.workbench.command;

import hocket.workbench.files.experiment.ExperimentFile;
import hocket.workbench.files.json.SchemaFile;
import hocket.workbench.sweeps.SweepFile;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Prints the schema of experiment files, or of sweep files, for editors. */
@Command(
        name = "schema",
        header = "Prints the JSON schema of experiment or sweep files, for completion and checks in editors.",
        footer = {
            "",
            "For example:",
            "  hocket schema > hocket.schema.json",
            "  hocket schema --sweep > hocket-sweep.schema.json"
        })
public final class SchemaCommand extends WorkplaceCommand implements Runnable {
    @Option(names = "--sweep", description = "the schema of sweep files")
    private boolean sweep;

    @Override
    public void run() {
        Map<String, Object> schema =
                sweep ? SweepFile.schema() : ExperimentFile.schema(workplace.surroundings(List.of()));
        workplace.terminal().say(SchemaFile.text(schema).stripTrailing());
    }
}
