package hocket.workbench.commands;

import hocket.workbench.experiment.ExperimentFile;
import hocket.workbench.json.SchemaFile;
import hocket.workbench.sweeps.SweepFile;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Says what an experiment file, or a sweep file, may hold, for editors. */
@Command(
        name = "schema",
        header = "Prints the JSON schema of experiment or sweep files, by which editors complete and check.",
        footer = {
            "",
            "For example:",
            "  hocket schema > hocket.schema.json",
            "  hocket schema --sweep > hocket-sweep.schema.json"
        })
public final class SchemaCommand extends WorkplaceCommand implements Runnable {
    @Option(names = "--sweep", description = "that of sweep files")
    private boolean sweep;

    @Override
    public void run() {
        Map<String, Object> schema =
                sweep ? SweepFile.schema() : ExperimentFile.schema(workplace.surroundings(List.of()));
        workplace.terminal().say(SchemaFile.text(schema).stripTrailing());
    }
}
