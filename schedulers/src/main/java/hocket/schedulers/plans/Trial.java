package hocket.schedulers.plans;

import hocket.schedulers.Move;
import hocket.schedulers.Node;
import hocket.schedulers.Plan;
import hocket.schedulers.ScheduleView;
import hocket.schedulers.settings.Setting;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A part that is taken on trial: the weights, running statistics, optimizer slots and counts that it writes are saved
 * before; afterwards the changes are undone, kept in part, or kept. In between, turns may compute gradients at the
 * trial's result and update the weights from before it. Examples:
 *
 * <ul>
 *   <li>{@code trial: simultaneous(d, g), then: [d, g]} is extragradient (Korpelevich 1976);
 *   <li>{@code trial: d × 5, then: [g]} is an unrolled game whose gradient does not go through the look-ahead;
 *   <li>{@code trial: sequence(d, g) × 5, keep: 0.5} is lookahead-minmax (Chavdarova et al. 2021);
 *   <li>{@code trial: simultaneous(d, g), then: [d, g], times: 20} solves the implicit step by its fixed point.
 * </ul>
 *
 * @param trial the part that is taken on trial
 * @param then descending turns; their gradients are computed together at the trial's result, then the saved state is
 *     restored, and they write
 * @param times number of repetitions; each starts from what the one before has written
 * @param keep share of the trial's change that is kept: 0 undoes it, 1 keeps it; the last writes of {@code then} are
 *     always kept
 * @param sameSample whether a turn reads the same rows and noise each time it is taken within
 * @param keepSlots whether optimizer slots and update counts keep the trial's values, so that both steps update Adam's
 *     moments (Gidel et al. 2019, algorithm 4, ExtraAdam); weights are restored all the same
 */
public record Trial(
        @Setting(help = "the part that is taken on trial") Plan trial,

        @Setting(usually = "[]", help = "turns that compute gradients there and update the weights from before it")
        List<Plan> then,

        @Setting(usually = "1", least = 1, most = 1e4, help = "number of repetitions")
        int times,

        @Setting(usually = "0", least = 0, most = 1, help = "share of the change that is kept")
        double keep,

        @Setting(usually = "false", help = "whether a turn reads the same rows and noise each time")
        boolean sameSample,

        @Setting(usually = "false", help = "whether optimizer slots keep the trial's values")
        boolean keepSlots)
        implements Node<Trial.At>, TrialCopies {
    /** The progress through its steps: save, take, {@code then} several times, and restore. */
    public record At(int done) {}

    /**
     * @throws IllegalArgumentException if a setting is out of its range, or a part of {@code then} is not a descending
     *     turn
     */
    public Trial {
        then = List.copyOf(then);
        Simultaneous.requireTurns("a trial", then);
        TrialCopies.check(times, keep);
        if (!then.isEmpty() && keep != 0) {
            throw new IllegalArgumentException("keep: must be 0 together with then, was " + keep);
        }
        if (then.isEmpty() && keepSlots) {
            throw new IllegalArgumentException("keepSlots: needs then, which is empty, was true");
        }
        if (then.isEmpty() && times != 1) {
            throw new IllegalArgumentException("times: needs then, which is empty, was " + times);
        }
    }

    @Override
    public List<Plan> parts() {
        return java.util.stream.Stream.concat(java.util.stream.Stream.of(trial), then.stream())
                .toList();
    }

    @Override
    public Plan with(List<Plan> parts) {
        return new Trial(parts.get(0), parts.subList(1, parts.size()), times, keep, sameSample, keepSlots);
    }

    @Override
    public List<List<Integer>> together() {
        return then.isEmpty()
                ? List.of()
                : List.of(IntStream.rangeClosed(1, then.size()).boxed().toList());
    }

    @Override
    public At start() {
        return new At(0);
    }

    @Override
    public Move<At> next(At at, ScheduleView view) {
        At next = new At(at.done() + 1);
        int last = 2 + (then.isEmpty() ? 0 : times);
        if (at.done() == 0) {
            return new Move.Remember<>(next, sameSample);
        } else if (at.done() == 1) {
            return Move.take(0, next);
        } else if (at.done() < last) {
            return new Move.Together<>(together().get(0), next, true);
        } else if (at.done() == last) {
            return new Move.Return<>(then.isEmpty() ? keep : 1, next);
        }
        return Move.end(start());
    }

    @Override
    public String at(At at) {
        return at.done() < 1 ? "" : at.done() < 3 ? "on trial" : "back from the trial";
    }

    @Override
    public String toString() {
        return "trial(" + trial
                + (then.isEmpty() ? "" : "; then " + Plan.joined(then) + (times == 1 ? "" : " × " + times))
                + (keep == 0 ? "" : "; keep " + keep)
                + (sameSample ? "; same sample" : "")
                + (keepSlots ? "; keep slots" : "") + ")";
    }
}
