package hocket.workbench.command;

import hocket.workbench.runs.CommandContext;

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
}
