package hocket.schedulers.checkpoint;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What is said where newer checkpoints could not be used, and an older one was taken. */
public final class SkippedCheckpoints {
    private SkippedCheckpoints() {}

    /**
     * A line for each that could not be used, and one for that which is.
     *
     * @param skipped why they could not, from {@link Checkpoints.Found}
     * @param used turns of the one that was taken
     * @return none where none was passed over
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
