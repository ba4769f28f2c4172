package hocket.distributed.launch;

import hocket.workbench.command.MoreCommands;
import hocket.workbench.runs.CommandContext;
import java.util.List;

/** Adds {@code hocket launch}. */
public final class LaunchCommands implements MoreCommands {
    @Override
    public List<Object> commands(CommandContext commandContext) {
        return List.of(new LaunchCommand(commandContext));
    }
}
