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

/** What is wrong with files: everything that was found, each with its place, a key and a rule. */
public final class FileProblems {
    private static final int SHOWN = 50;
    private static final int LONGEST = 600;

    /** One problem. */
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
     * Adds one.
     *
     * @param key the keys that lead there, with {@code /} between; empty where there are none
     */
    public void add(FilePosition filePosition, String key, String rule) {
        all.add(new Problem(filePosition, brief(key), brief(rule)));
    }

    /** Adds a warning: a key or class has a new name. */
    public void renamed(FilePosition filePosition, String key, String former, String now) {
        warnings.add(new Problem(
                filePosition,
                brief(key),
                "write " + now + " instead of " + former + ", which the next release will not read"));
    }

    /** The warnings, a line each, in the order in which they were found. */
    public List<String> warnings() {
        return warnings.stream().map(Problem::toString).toList();
    }

    /** Adds one that something thrown is the cause of. */
    public void add(FilePosition filePosition, String key, String rule, Throwable cause) {
        add(filePosition, key, rule);
        causes.add(cause);
    }

    /**
     * Adds what a part refused, at the key of the part that the message begins with, if it does: {@code width: must be at
     * least 1, was 0} or {@code width must be at least 1, was 0}.
     *
     * @param key of the part
     * @param below the keys in the part
     * @param filePositions where these keys stand, and by the empty one the part
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
     * These, where those that stand in a line of a file and were not there before stand at the changes that brought them:
     * those without which they are not there, or all of them.
     *
     * @param before what was found before all changes
     * @param without what is found without one of them, by where it stands
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

    /** In one line of a length that can be read. */
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

    /** The rules alone, without their places. */
    public String rules() {
        return all.stream().map(Problem::rule).collect(Collectors.joining("; "));
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
