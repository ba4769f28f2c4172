package hocket.distributed.launch;

import hocket.workbench.commands.MoreCommands;
import hocket.workbench.runs.Workplace;
import java.util.List;

/** Adds {@code hocket launch}. */
public final class LaunchCommands implements MoreCommands {
    @Override
    public List<Object> commands(Workplace workplace) {
        return List.of(new LaunchCommand(workplace));
    }
}
