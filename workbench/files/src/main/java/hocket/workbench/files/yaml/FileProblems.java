package hocket.workbench.files.yaml;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The errors and warnings found in files, each with its position, a key and a rule. */
public final class FileProblems {
    private static final int SHOWN = 50;
    private static final int LONGEST = 600;

    /** A problem. */
    private record Problem(FilePosition spot, String key, String rule) {
        @Override
        public String toString() {
            return (spot.file().isEmpty() ? "" : spot + ": ") + (key.isEmpty() ? "" : key + ": ") + rule;
        }
    }

    private final Set<Problem> all = new LinkedHashSet<>();
    private final Set<Problem> warnings = new LinkedHashSet<>();
    private final List<Throwable> causes = new ArrayList<>();

    /**
     * Adds a problem.
     *
     * @param key the keys that lead there, separated by {@code /}; may be empty
     */
    public void add(FilePosition filePosition, String key, String rule) {
        all.add(new Problem(filePosition, brief(key), brief(rule)));
    }

    /** Adds a warning that a key or class has a new name. */
    public void renamed(FilePosition filePosition, String key, String former, String now) {
        warnings.add(new Problem(
                filePosition,
                brief(key),
                "write " + now + " instead of " + former + ", which the next release will not read"));
    }

    /** Returns the warnings, a line each, in the order in which they were found. */
    public List<String> warnings() {
        return warnings.stream().map(Problem::toString).toList();
    }

    /** Adds a problem with a thrown cause. */
    public void add(FilePosition filePosition, String key, String rule, Throwable cause) {
        add(filePosition, key, rule);
        causes.add(cause);
    }

    /**
     * Adds the rejection of a part, at the key that the message begins with, if any: {@code width: must be at least 1,
     * was 0} or {@code width must be at least 1, was 0}.
     *
     * @param key the key of the part
     * @param below the keys inside the part
     * @param filePositions the positions of these keys, and of the part under the empty key
     */
    public void refused(
            String key, Collection<String> below, Function<String, FilePosition> filePositions, Throwable refusal) {
        String message = String.valueOf(refusal.getMessage());
        for (String first : below) {
            for (String begin : List.of(first + ": ", first + " ")) {
                if (message.startsWith(begin)) {
                    add(
                            filePositions.apply(first),
                            YamlNode.below(key, first),
                            message.substring(begin.length()),
                            refusal);
                    return;
                }
            }
        }
        add(filePositions.apply(""), key, message, refusal);
    }

    /**
     * Returns these problems, in which new problems at a line of a file are attributed to the changes that cause them:
     * those without which they disappear, or all of them.
     *
     * @param before the problems before all changes
     * @param without the problems without one of the changes, by its position
     */
    public FileProblems blamed(FileProblems before, Map<FilePosition, FileProblems> without) {
        FileProblems moved = new FileProblems();
        moved.causes.addAll(causes);
        all.forEach(problem -> moved.all.add(
                problem.spot().line() == 0 || before.all.contains(problem)
                        ? problem
                        : new Problem(blamed(problem, without), problem.key(), problem.rule())));
        return moved;
    }

    private static FilePosition blamed(Problem problem, Map<FilePosition, FileProblems> without) {
        Map<FilePosition, FileProblems> guilty = new LinkedHashMap<>(without);
        guilty.values().removeIf(others -> others.all.contains(problem));
        return FilePosition.in((guilty.isEmpty() ? without : guilty)
                .keySet().stream().map(FilePosition::file).collect(Collectors.joining(" ")));
    }

    /** Returns a text as one line of readable length. */
    private static String brief(String text) {
        String line = text.replaceAll("\\s*\\R\\s*", " ");
        return line.length() > LONGEST ? line.substring(0, LONGEST) + "…" : line;
    }

    public boolean isEmpty() {
        return all.isEmpty();
    }

    /** Returns the thrown exceptions, in order. */
    public List<Throwable> causes() {
        return List.copyOf(causes);
    }

    /** Returns the rules without their positions. */
    public String rules() {
        return all.stream().map(Problem::rule).collect(Collectors.joining("; "));
    }

    /** Returns a line for each, in the order of files and lines, for the first fifty. */
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
