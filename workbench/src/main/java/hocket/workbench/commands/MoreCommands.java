package hocket.workbench.commands;

import hocket.workbench.runs.CommandContext;
import java.util.List;
import java.util.ServiceLoader;

/** Commands that another module adds to {@code hocket}: a service, found on the class path. */
public interface MoreCommands {
    /** New objects that picocli takes for commands. */
    List<Object> commands(CommandContext commandContext);

    /** The commands of all services. */
    static List<Object> all(CommandContext commandContext) {
        return ServiceLoader.load(MoreCommands.class).stream()
                .flatMap(found -> found.get().commands(commandContext).stream())
                .toList();
    }
}
