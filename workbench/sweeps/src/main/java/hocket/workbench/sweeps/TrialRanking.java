package hocket.workbench.sweeps;

import hocket.schedulers.evaluation.Evaluation;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;

/**
 * The state of a sweep's trials, from their results alone.
 *
 * @param firstSeed first seed of each trial
 */
record TrialRanking(SweepSpec spec, List<SweepTrial> trials, long firstSeed, Results results) {
    /** Seeds of each trial. */
    List<Long> seeds() {
        return LongStream.range(firstSeed, firstSeed + spec.seeds()).boxed().toList();
    }

    private Rungs rungs() {
        return Rungs.of(spec.strategy());
    }

    /** Returns the available results of a trial at a rung. */
    private List<Results.Result> at(SweepTrial sweepTrial, int rung) {
        return seeds().stream()
                .map(seed -> results.of(new Results.Run(sweepTrial.number(), rung, seed)))
                .flatMap(Optional::stream)
                .toList();
    }

    private boolean isThrough(SweepTrial sweepTrial, int rung) {
        List<Results.Result> at = at(sweepTrial, rung);
        return at.size() == spec.seeds() && at.stream().allMatch(result -> result.value() != null);
    }

    private static Optional<String> failure(List<Results.Result> results) {
        return results.stream()
                .map(Results.Result::failed)
                .filter(failed -> failed != null)
                .findFirst();
    }

    /** Returns the trials of a rung; empty if they are not known yet. */
    List<SweepTrial> of(int rung) {
        List<SweepTrial> remaining = trials;
        for (int below = 0; below < rung; below++) {
            int before = below;
            boolean isOpen = remaining.stream()
                    .anyMatch(sweepTrial -> !isThrough(sweepTrial, before)
                            && failure(at(sweepTrial, before)).isEmpty());
            if (isOpen) {
                return List.of();
            }
            List<SweepTrial> best = remaining.stream()
                    .filter(sweepTrial -> isThrough(sweepTrial, before))
                    .sorted(byValue(before))
                    .toList();
            remaining = rungs().survivors(remaining.size(), best);
        }
        return remaining;
    }

    private Comparator<SweepTrial> byValue(int rung) {
        return (left, right) -> compare(standing(left, rung), standing(right, rung));
    }

    private int compare(TrialProgress left, TrialProgress right) {
        Evaluation.Merit merit = spec.objective().merit();
        double mine = left.value().orElse(Double.NaN);
        double theirs = right.value().orElse(Double.NaN);
        return merit.isBetter(mine, theirs)
                ? -1
                : merit.isBetter(theirs, mine)
                        ? 1
                        : Integer.compare(left.trial().number(), right.trial().number());
    }

    private TrialProgress standing(SweepTrial sweepTrial, int rung) {
        return new TrialProgress(sweepTrial, TrialProgress.Status.DONE, rung + 1, values(sweepTrial, rung), "", 0);
    }

    private List<Double> values(SweepTrial sweepTrial, int rung) {
        List<Double> values = new ArrayList<>();
        for (Results.Result result : at(sweepTrial, rung)) {
            if (result.value() != null) {
                values.add(result.value());
            }
        }
        return values;
    }

    /** Returns all trials, the best first: by completed rungs, then by value. */
    List<TrialProgress> all() {
        List<TrialProgress> all = new ArrayList<>();
        trials.forEach(sweepTrial -> all.add(standing(sweepTrial)));
        all.sort(Comparator.comparing(
                        (TrialProgress trialProgress) -> trialProgress.failed().isEmpty() ? 0 : 1)
                .thenComparing(trialProgress -> -trialProgress.rungs())
                .thenComparing(this::compare));
        return all;
    }

    private TrialProgress standing(SweepTrial sweepTrial) {
        int done = 0;
        double seconds = 0;
        Optional<String> failed = Optional.empty();
        for (int rung = 0; rung < rungs().count(); rung++) {
            List<Results.Result> at = at(sweepTrial, rung);
            seconds += at.stream().mapToDouble(Results.Result::seconds).sum();
            failed = failed.or(() -> failure(at));
            done = isThrough(sweepTrial, rung) ? rung + 1 : done;
        }
        return new TrialProgress(
                sweepTrial,
                status(sweepTrial, done, failed),
                done,
                done == 0 ? List.of() : values(sweepTrial, done - 1),
                failed.orElse(""),
                seconds);
    }

    private TrialProgress.Status status(SweepTrial sweepTrial, int done, Optional<String> failed) {
        if (failed.isPresent()) {
            return TrialProgress.Status.FAILED;
        } else if (done == rungs().count()) {
            return TrialProgress.Status.DONE;
        }
        boolean continues = done == 0 || of(done).isEmpty() || of(done).contains(sweepTrial);
        return continues ? TrialProgress.Status.UNFINISHED : TrialProgress.Status.PRUNED;
    }
}
