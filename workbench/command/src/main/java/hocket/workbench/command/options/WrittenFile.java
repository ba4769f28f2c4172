package hocket.workbench.command.options;

import hocket.schedulers.checkpoint.AtomicFile;
import hocket.workbench.files.UserError;
import hocket.workbench.files.experiment.ExperimentFile;
import hocket.workbench.files.json.SchemaFile;
import hocket.workbench.runs.CommandContext;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * An experiment as a file to edit.
 *
 * @param selection which
 * @param changes overrides in it
 */
public record WrittenFile(CommandContext workplace, ExperimentArguments selection, List<String> changes) {
    /** The schema next to the file, for editors. */
    private static final String SCHEMA = "hocket.schema.json";

    /** @throws UserError if the file exists */
    public static void requireNew(Path file) {
        if (Files.exists(file)) {
            throw new UserError("--write: " + file + " exists; choose another name, or delete it");
        }
    }

    /**
     * Writes the file, and the schema for completion and checks in editors.
     *
     * @throws UserError if the file exists, or writing fails
     */
    public void to(Path file) {
        ExperimentFile experiment = ExperimentFile.read(selection.name(), changes, selection.surroundings(workplace));
        requireNew(file);
        Path folder = file.toAbsolutePath().getParent();
        UserError.unlessMade("--write: " + file + " could not be written", () -> {
            if (folder != null) {
                Files.createDirectories(folder);
            }
            AtomicFile.write(
                    file,
                    "# yaml-language-server: $schema=" + SCHEMA + "\n"
                            + experiment.text(ExperimentFile.baseName(file.toString())));
            SchemaFile.write(file.resolveSibling(SCHEMA), ExperimentFile.schema(selection.surroundings(workplace)));
        });
        workplace.terminal().remark("wrote " + file + ", and " + SCHEMA + " next to it for editors");
        workplace.terminal().remark("next  " + CommandContext.command("plan", file));
        workplace.terminal().remark("      " + CommandContext.command("run", file));
    }
}
