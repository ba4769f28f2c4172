package hocket.workbench.sweeps.aggregates;

import hocket.schedulers.stats.TaskScores;
import hocket.workbench.files.UserError;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Scores of several algorithms on the same tasks. Neither the order of seeds nor that of tasks matters.
 *
 * @param score name of the score
 * @param isNormalised whether the scores are normalised by task
 * @param byAlgorithm by algorithm, then by task, then by seed; algorithms are in the order in which they were read
 */
public record ScoreSet(
        String score, boolean isNormalised, Map<String, SortedMap<String, SortedMap<Long, Double>>> byAlgorithm) {
    /** The name of scores in files. */
    private static final String UNNAMED = "score";

    /**
     * Reads scores from folders of seeds and from files.
     *
     * @param inputs at least one
     * @param score the score that is read from folders
     * @param selection the runs of them that are compared
     * @param ranges a file of ranges that normalise the scores; null for the scores as they are
     * @throws UserError if something is wrong with one of them, in a line
     */
    public static ScoreSet read(
            List<ScoreInput> inputs, String score, ScoreSelection selection, @Nullable Path ranges) {
        List<RunScore> runs = new ArrayList<>();
        for (ScoreInput input : inputs) {
            List<RunScore> read = input.read(score);
            requireOthers(runs, read);
            runs.addAll(read);
        }
        requireUnique(runs);
        String name = inputs.stream().map(ScoreInput::path).anyMatch(Files::isDirectory) ? score : UNNAMED;
        if (ranges == null) {
            return of(name, false, selection.of(runs));
        }
        ScoreRanges known = ScoreRanges.read(ranges);
        known.requireKnown(runs.stream().map(RunScore::task).collect(Collectors.toCollection(TreeSet::new)));
        return of(name, true, selection.of(runs).stream().map(known::normalised).toList());
    }

    /** Refuses scores of an algorithm and task that an earlier input has, too: they may be of other settings. */
    private static void requireOthers(List<RunScore> before, List<RunScore> read) {
        for (RunScore run : read) {
            before.stream().filter(run::isOfSame).findFirst().ifPresent(other -> {
                throw new UserError(run.place() + ": " + run.algorithm() + " on " + run.task()
                        + " has scores already, at " + other.place()
                        + ": name the algorithms of folders by NAME=FOLDER, or put the scores into one file");
            });
        }
    }

    private static void requireUnique(List<RunScore> runs) {
        Map<String, RunScore> byName = new LinkedHashMap<>();
        for (RunScore run : runs) {
            RunScore before = byName.putIfAbsent(run.name(), run);
            if (before != null) {
                throw new UserError(run.place() + ": " + run.name() + " has a score already, at " + before.place());
            }
        }
    }

    /** @throws UserError if an algorithm lacks a task of another one */
    private static ScoreSet of(String score, boolean isNormalised, List<RunScore> runs) {
        Map<String, SortedMap<String, SortedMap<Long, Double>>> all = new LinkedHashMap<>();
        for (RunScore run : runs) {
            all.computeIfAbsent(run.algorithm(), name -> new TreeMap<>())
                    .computeIfAbsent(run.task(), name -> new TreeMap<>())
                    .put(run.seed(), run.score());
        }
        for (RunScore run : runs) {
            all.forEach((algorithm, tasks) -> {
                if (!tasks.containsKey(run.task())) {
                    throw new UserError(algorithm + " has no scores of task " + run.task() + ", which "
                            + run.algorithm() + " has: all algorithms need the same tasks; --task selects some");
                }
            });
        }
        return new ScoreSet(score, isNormalised, all);
    }

    /** Returns the algorithms. */
    public List<String> algorithms() {
        return List.copyOf(byAlgorithm.keySet());
    }

    /** Returns the tasks, sorted. */
    public List<String> tasks() {
        return List.copyOf(byAlgorithm.values().iterator().next().keySet());
    }

    /** Returns the scores of an algorithm, by task. */
    TaskScores of(String algorithm) {
        return TaskScores.of(Objects.requireNonNull(byAlgorithm.get(algorithm)).values().stream()
                .map(seeds ->
                        seeds.values().stream().mapToDouble(Double::doubleValue).toArray())
                .toArray(double[][]::new));
    }
}
