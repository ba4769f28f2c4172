package hocket.workbench.yaml;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** What is wrong with files: everything that was found, each with its place and a sentence. */
public final class Problems {
    private static final int SHOWN = 50;

    /** One problem. */
    private record Problem(Spot spot, String path, String sentence) {
        @Override
        public String toString() {
            return (spot.file().isEmpty() ? "" : spot + ": ") + (path.isEmpty() ? "" : path + ": ") + sentence;
        }
    }

    private final List<Problem> all = new ArrayList<>();

    /**
     * Adds one.
     *
     * @param path the keys that lead there, with {@code /} between; empty where there are none
     */
    public void add(Spot spot, String path, String sentence) {
        Problem problem = new Problem(spot, path, sentence);
        if (!all.contains(problem)) {
            all.add(problem);
        }
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
