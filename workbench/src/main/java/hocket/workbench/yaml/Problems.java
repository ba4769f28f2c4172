package hocket.workbench.yaml;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** What is wrong with files: everything that was found, each with its place and a sentence. */
public final class Problems {
    private static final int SHOWN = 50;
    private static final int LONGEST = 600;

    /** One problem. */
    private record Problem(Spot spot, String path, String sentence) {
        @Override
        public String toString() {
            return (spot.file().isEmpty() ? "" : spot + ": ") + (path.isEmpty() ? "" : path + ": ") + sentence;
        }
    }

    private final Set<Problem> all = new LinkedHashSet<>();

    /**
     * Adds one.
     *
     * @param path the keys that lead there, with {@code /} between; empty where there are none
     */
    public void add(Spot spot, String path, String sentence) {
        all.add(new Problem(spot, brief(path), brief(sentence)));
    }

    /** In one line of a length that can be read. */
    private static String brief(String text) {
        String line = text.replaceAll("\\s*\\R\\s*", " ");
        return line.length() > LONGEST ? line.substring(0, LONGEST) + "…" : line;
    }

    public boolean isEmpty() {
        return all.isEmpty();
    }

    /** A line each, in the order of files and lines; the first fifty of them. */
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        all.stream()
                .sorted(Comparator.comparing((Problem problem) -> problem.spot().file())
                        .thenComparing(problem -> problem.spot().line())
                        .thenComparing(problem -> problem.spot().column()))
                .limit(SHOWN)
                .forEach(problem -> lines.add(problem.toString()));
        if (all.size() > SHOWN) {
            lines.add("and " + (all.size() - SHOWN) + " more");
        }
        return lines;
    }
}
