package hocket.workbench.live.views;

import hocket.schedulers.commands.CommandForm;
import hocket.schedulers.commands.Steering;
import hocket.workbench.files.json.Unwrapped;
import hocket.workbench.runs.json.CommandLines;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A command of the journal.
 *
 * @param arguments arguments of all commands, by name; null for those of other commands
 * @param time when it was applied, in seconds since 1970; 0 if unknown
 */
public record JournalEntry(
        long number,
        String command,
        @Unwrapped Map<String, @Nullable Object> arguments,
        long step,
        long round,
        String by,
        double time) {
    public static JournalEntry of(Steering.Applied applied, double time) {
        return new JournalEntry(
                applied.number(),
                CommandForm.of(applied.command()).name(),
                CommandLines.journalled(applied.command()),
                applied.at().step(),
                applied.at().round(),
                applied.by(),
                time);
    }

    /** Returns the commands that were given to a run. */
    public record All(List<JournalEntry> commands) {}
}
