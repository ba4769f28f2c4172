package hocket.workbench.sweeps.aggregates;

import hocket.scopes.SimilarNames;
import hocket.workbench.files.UserError;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The algorithms and tasks that are compared.
 *
 * @param algorithms their names; empty for all
 * @param tasks their names; empty for all
 */
public record ScoreSelection(List<String> algorithms, List<String> tasks) {
    /** @throws UserError if no run is of one of the names, naming similar ones */
    List<RunScore> of(List<RunScore> runs) {
        requireKnown("--algorithm", algorithms, runs, RunScore::algorithm);
        requireKnown("--task", tasks, runs, RunScore::task);
        List<RunScore> selected = runs.stream()
                .filter(run -> has(algorithms, run.algorithm()) && has(tasks, run.task()))
                .toList();
        if (selected.isEmpty()) {
            throw new UserError("--algorithm, --task: no algorithm of " + String.join(", ", algorithms)
                    + " has a score of " + String.join(", ", tasks));
        }
        return selected;
    }

    private static boolean has(List<String> names, String name) {
        return names.isEmpty() || names.contains(name);
    }

    private static void requireKnown(
            String option, List<String> names, List<RunScore> runs, Function<RunScore, String> named) {
        Set<String> known = runs.stream().map(named).collect(Collectors.toSet());
        for (String name : names) {
            if (!known.contains(name)) {
                throw new UserError(option + ": no score is of " + name + SimilarNames.among(name, known));
            }
        }
    }
}
