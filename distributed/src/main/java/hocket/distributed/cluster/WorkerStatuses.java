package hocket.distributed.cluster;

import hocket.distributed.cluster.LineChannel.Member;
import hocket.workbench.training.Worker;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The status of a run's workers, from the scheduler's messages. The scheduler asks all workers at the same
 * time, so that their turns can be compared; a rate is measured between two answers. Used by any thread.
 */
final class WorkerStatuses {
    /** The shortest time in seconds over which a rate is measured; the longest is twice as long. */
    private static final double OVER = 5;

    /** Messages within this many seconds are one answer; two answers are at least a quarter of a second apart. */
    private static final double SAME = 0.05;

    /**
     * An answer.
     *
     * @param nanos when
     * @param waited seconds in exchanges so far, including the current one
     */
    private record Mark(long nanos, long turns, double waited) {
        double since(Mark earlier) {
            return (nanos - earlier.nanos) * 1e-9;
        }
    }

    /** Answers of one worker: the last, and those that give its rate. */
    private record Progress(Mark older, Mark newer, Mark last) {
        Progress with(Mark mark) {
            if (mark.since(last) < SAME) {
                return this;
            }
            return mark.since(newer) >= OVER ? new Progress(newer, mark, mark) : new Progress(older, newer, mark);
        }

        @Nullable
        Double turnsPerSecond() {
            double over = last.since(older);
            return over > 0 ? (Double) ((last.turns - older.turns) / over) : null;
        }

        @Nullable
        Double waits() {
            double over = last.since(older);
            return over > 0 ? (Double) Math.max(0, Math.min(1, (last.waited - older.waited) / over)) : null;
        }
    }

    private final double beat;
    private final double tolerable;
    private final List<Worker> unheard;
    private final Map<Integer, Progress> courses = new HashMap<>();
    private List<Member> members = List.of();
    private long said;

    /** @param nodeConfig of any process of the run */
    WorkerStatuses(NodeConfig nodeConfig) {
        beat = nodeConfig.beat() * 1e-3;
        tolerable = Math.max(nodeConfig.patience() / 2.0, 3 * beat);
        unheard = IntStream.range(0, nodeConfig.workers())
                .mapToObj(Worker::unheard)
                .toList();
    }

    /** Adds a message of the scheduler, received at a time of {@link System#nanoTime}. */
    synchronized void heard(List<Member> all, long nanos) {
        members = all;
        said = nanos;
        for (Member each : all) {
            if (each.turns() > 0) { // it compiles before; a resumed run has taken many at once
                Mark mark = new Mark(nanos - (long) (each.silent() * 1e9), each.turns(), waited(each));
                courses.compute(
                        each.rank(),
                        (rank, course) -> course == null ? new Progress(mark, mark, mark) : course.with(mark));
            }
        }
    }

    private static double waited(Member member) {
        return member.waited() + (member.waits().isEmpty() ? 0 : member.since());
    }

    /** Returns the current status, by rank. */
    List<Worker> now() {
        return at(System.nanoTime());
    }

    synchronized List<Worker> at(long nanos) {
        double ago = Math.max(0, (nanos - said) * 1e-9);
        long ahead = members.stream().mapToLong(Member::turns).max().orElse(0);
        double least = members.stream()
                .filter(each -> !each.left())
                .mapToDouble(Member::silent)
                .min()
                .orElse(0);
        boolean isWaitedFor = members.stream().anyMatch(this::waitsLong);
        List<Worker> workers = new ArrayList<>(unheard);
        for (Member each : members) {
            boolean isFresh = each.silent() - least < beat / 2;
            workers.set(each.rank(), worker(each, each.silent() + ago, isFresh ? ahead : -1, isWaitedFor));
        }
        return workers;
    }

    /** @param ahead turns of the most advanced worker; negative if this one cannot be compared with it */
    private Worker worker(Member member, double silent, long ahead, boolean isWaitedFor) {
        Progress course = courses.get(member.rank());
        boolean isPresent = !member.left() && silent <= tolerable;
        return new Worker(
                member.rank(),
                course == null ? null : (Long) member.turns(),
                course == null || !isPresent ? null : course.turnsPerSecond(),
                course == null || !isPresent || ahead < 0 ? null : (Long) (ahead - member.turns()),
                course == null || !isPresent ? null : course.waits(),
                member.left() ? null : (Long) (long) silent,
                member.left(),
                member.left() ? null : trouble(member, silent, isWaitedFor));
    }

    private @Nullable String trouble(Member member, double silent, boolean isWaitedFor) {
        if (silent > tolerable) {
            return "silent for " + (long) silent + " s";
        } else if (waitsLong(member)) {
            return "waits for " + (long) member.since() + " s, in exchange " + member.waits();
        }
        return isWaitedFor && member.waits().isEmpty() ? "the others wait for it" : null;
    }

    private boolean waitsLong(Member member) {
        return !member.left() && !member.waits().isEmpty() && member.since() > tolerable;
    }
}
