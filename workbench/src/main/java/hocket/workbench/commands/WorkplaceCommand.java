package hocket.workbench.commands;

import hocket.workbench.runs.CommandContext;

/** A command that works at a workplace: with its terminal, and paths as they are seen from there. */
public abstract class WorkplaceCommand {
    /** Where it works. */
    @SuppressWarnings("NullAway.Init") // set before it is run
    CommandContext workplace;

    WorkplaceCommand() {}

    /** This command, to be run at a workplace. */
    public WorkplaceCommand at(CommandContext where) {
        workplace = where;
        return this;
    }
}
