package hocket.workbench.command;

import hocket.workbench.runs.CommandContext;
import java.util.List;
import java.util.ServiceLoader;

/** Further commands of {@code hocket} from other modules: a service, found on the class path. */
public interface MoreCommands {
    /** Returns new objects that are picocli commands. */
    List<Object> commands(CommandContext commandContext);

    /** Returns the commands of all services. */
    static List<Object> all(CommandContext commandContext) {
        return ServiceLoader.load(MoreCommands.class).stream()
                .flatMap(found -> found.get().commands(commandContext).stream())
                .toList();
    }
}
