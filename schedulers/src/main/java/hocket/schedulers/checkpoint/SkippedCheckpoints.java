package hocket.schedulers.checkpoint;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The warnings if newer checkpoints could not be used and an older one was taken. */
public final class SkippedCheckpoints {
    private SkippedCheckpoints() {}

    /**
     * Returns a line for each checkpoint that could not be used, and one for the one that is.
     *
     * @param skipped the reasons, from {@link Checkpoints.Found}
     * @param used turns of the checkpoint that is used
     * @return no lines if none was skipped
     */
    public static List<String> lines(List<String> skipped, long used) {
        List<String> lines = new ArrayList<>();
        skipped.forEach(line -> lines.add("passed over: " + line));
        if (!skipped.isEmpty()) {
            lines.add(String.format(Locale.ROOT, "the checkpoint of turn %,d is used", used));
        }
        return lines;
    }
}
