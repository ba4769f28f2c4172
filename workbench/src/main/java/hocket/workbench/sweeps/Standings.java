package hocket.workbench.sweeps;

import hocket.schedulers.Evaluation;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;

/**
 * What the trials of a sweep have come to, by their results alone.
 *
 * @param firstSeed of each trial
 */
record Standings(SweepSpec spec, List<Trial> trials, long firstSeed, Results results) {
    /** Seeds of each trial. */
    List<Long> seeds() {
        return LongStream.range(firstSeed, firstSeed + spec.seeds()).boxed().toList();
    }

    private Rungs rungs() {
        return Rungs.of(spec.strategy());
    }

    /** The results of a trial at a rung, as far as there are some. */
    private List<Results.Result> at(Trial trial, int rung) {
        return seeds().stream()
                .map(seed -> results.of(new Results.Run(trial.number(), rung, seed)))
                .flatMap(Optional::stream)
                .toList();
    }

    private boolean isThrough(Trial trial, int rung) {
        List<Results.Result> at = at(trial, rung);
        return at.size() == spec.seeds() && at.stream().allMatch(result -> result.value() != null);
    }

    private static Optional<String> failure(List<Results.Result> results) {
        return results.stream()
                .map(Results.Result::failed)
                .filter(failed -> failed != null)
                .findFirst();
    }

    /** Those that train in a rung; none where it is not known yet. */
    List<Trial> of(int rung) {
        List<Trial> going = trials;
        for (int below = 0; below < rung; below++) {
            int before = below;
            boolean isOpen = going.stream()
                    .anyMatch(trial -> !isThrough(trial, before)
                            && failure(at(trial, before)).isEmpty());
            if (isOpen) {
                return List.of();
            }
            List<Trial> best = going.stream()
                    .filter(trial -> isThrough(trial, before))
                    .sorted(byValue(before))
                    .toList();
            going = rungs().goingOn(going.size(), best);
        }
        return going;
    }

    private Comparator<Trial> byValue(int rung) {
        return (left, right) -> compare(standing(left, rung), standing(right, rung));
    }

    private int compare(Standing left, Standing right) {
        Evaluation.Merit merit = spec.objective().merit();
        double mine = left.value().orElse(Double.NaN);
        double theirs = right.value().orElse(Double.NaN);
        return merit.isBetter(mine, theirs)
                ? -1
                : merit.isBetter(theirs, mine)
                        ? 1
                        : Integer.compare(left.trial().number(), right.trial().number());
    }

    private Standing standing(Trial trial, int rung) {
        return new Standing(trial, Standing.Status.DONE, rung + 1, values(trial, rung), "", 0);
    }

    private List<Double> values(Trial trial, int rung) {
        List<Double> values = new ArrayList<>();
        for (Results.Result result : at(trial, rung)) {
            if (result.value() != null) {
                values.add(result.value());
            }
        }
        return values;
    }

    /** All trials, the best first: those that came further before those that did not, then by their value. */
    List<Standing> all() {
        List<Standing> all = new ArrayList<>();
        trials.forEach(trial -> all.add(standing(trial)));
        all.sort(Comparator.comparing((Standing standing) -> standing.failed().isEmpty() ? 0 : 1)
                .thenComparing(standing -> -standing.rungs())
                .thenComparing(this::compare));
        return all;
    }

    private Standing standing(Trial trial) {
        int done = 0;
        double seconds = 0;
        Optional<String> failed = Optional.empty();
        for (int rung = 0; rung < rungs().count(); rung++) {
            List<Results.Result> at = at(trial, rung);
            seconds += at.stream().mapToDouble(Results.Result::seconds).sum();
            failed = failed.or(() -> failure(at));
            done = isThrough(trial, rung) ? rung + 1 : done;
        }
        return new Standing(
                trial,
                status(trial, done, failed),
                done,
                done == 0 ? List.of() : values(trial, done - 1),
                failed.orElse(""),
                seconds);
    }

    private Standing.Status status(Trial trial, int done, Optional<String> failed) {
        if (failed.isPresent()) {
            return Standing.Status.FAILED;
        } else if (done == rungs().count()) {
            return Standing.Status.DONE;
        }
        boolean goesOn = done == 0 || of(done).isEmpty() || of(done).contains(trial);
        return goesOn ? Standing.Status.UNFINISHED : Standing.Status.PRUNED;
    }
}
