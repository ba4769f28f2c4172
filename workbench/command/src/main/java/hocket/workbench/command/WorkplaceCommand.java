package hocket.workbench.command;

import hocket.workbench.files.UserError;
import hocket.workbench.runs.CommandContext;
import java.nio.file.Files;
import java.nio.file.Path;

/** A command with a workplace: its terminal, and the folder of relative paths. */
public abstract class WorkplaceCommand {
    /** The context of the command. */
    @SuppressWarnings("NullAway.Init") // set before it is run
    CommandContext workplace;

    WorkplaceCommand() {}

    /** Returns this command for a workplace. */
    public WorkplaceCommand at(CommandContext where) {
        workplace = where;
        return this;
    }

    /**
     * Checks that a file can be written, before work that takes long.
     *
     * @param option that names it, with its value
     * @param file an absolute path
     * @throws UserError if its folder does not exist
     */
    static void requireFolder(String option, Path file) {
        Path folder = file.getParent();
        if (folder == null || !Files.isDirectory(folder)) {
            throw new UserError(option + ": there is no folder " + folder);
        }
    }

    /**
     * Returns the folder that {@code --out} names, which need not exist.
     *
     * @throws UserError if it is a file
     */
    Path outFolder(String out) {
        Path folder = workplace.path(out);
        if (Files.exists(folder) && !Files.isDirectory(folder)) {
            throw new UserError(folder + " is a file: choose another --out");
        }
        return folder;
    }
}
