package hocket.workbench.runs.plans;

import hocket.programs.Value;
import hocket.schedulers.Setup;
import hocket.schedulers.exchange.Consistency;
import hocket.schedulers.exchange.Traffic;
import hocket.schedulers.plans.Rehearsal;
import hocket.schedulers.plans.Rehearsal.Interval;
import hocket.scopes.Declaration;
import hocket.scopes.Path;
import hocket.scopes.Shape;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The shares of workers in the rows of turns.
 *
 * @param workers number of workers in a process
 * @param processes number of processes that train together
 * @param turns whose rows are shared
 * @param means averages that processes take of arrays which they update separately
 * @param round bytes that a process sends and receives in the first round; null if that has more turns than are
 *     rehearsed; an average that is not taken in each round counts by its share of one
 */
public record WorkersFacts(
        int workers,
        int processes,
        List<SharedTurn> turns,
        List<MeanFacts> means,
        @Nullable Long round) {
    /**
     * A turn whose rows are shared.
     *
     * @param turn its name
     * @param rows rows of all workers
     * @param bytes bytes that a process sends and receives; 0 for one process
     * @param stale if servers update its weights, the number of turns that a process may be ahead of the last one; or
     *         null
     * @param ofShares operators computed for each share separately: batch norms
     */
    public record SharedTurn(
            String turn, int rows, long bytes, @Nullable Integer stale, List<String> ofShares) {}

    /**
     * An average of arrays that processes update separately.
     *
     * @param turns the turns that update them
     * @param rounds its interval in rounds
     * @param bytes bytes that a process sends and receives
     */
    public record MeanFacts(List<String> turns, int rounds, long bytes) {}

    /** The messages to a server besides gradients and the workers' turns: task, round, epoch and whether to stop. */
    private static final int OF_A_PUSH = 4;

    static WorkersFacts of(Setup setup, List<ProgramUse> programUses, List<Interval> next) {
        int processes = setup.division().exchange().processes();
        Map<Path, Shape> shapes = new HashMap<>();
        for (Declaration each : setup.declarations()) {
            shapes.put(each.path(), each.shape());
        }
        List<SharedTurn> turns = new ArrayList<>();
        if (setup.division().shares() > 1) {
            for (ProgramUse programUse : programUses) {
                if (programUse.turns().isEmpty() || !programUse.program().batched()) {
                    continue;
                }
                Traffic traffic =
                        Traffic.of(programUse.program(), programUse.gradients(), shapes::get, programUse.rows());
                List<String> ofShares = programUse.program().batchNorms().stream()
                        .map(Value::path)
                        .map(Path::text)
                        .toList();
                for (String turn : programUse.turns()) {
                    Consistency how = setup.division().chosen(turn, programUse.gradients());
                    long numbers = processes == 1
                            ? 0
                            : how.isServed()
                                    ? traffic.gradients() + processes + OF_A_PUSH
                                    : how.movesApart() ? 0 : traffic.numbers();
                    turns.add(new SharedTurn(
                            turn,
                            programUse.rows(),
                            numbers * programUse.program().floatType().bytes(),
                            how.isServed() ? (Integer) how.mostAhead().getAsInt() : null,
                            ofShares));
                }
            }
        }
        List<MeanFacts> means = setup.means().stream()
                .map(mean -> new MeanFacts(mean.turns(), mean.rounds(), mean.numbers() * Float.BYTES))
                .toList();
        return new WorkersFacts(setup.division().workers(), processes, turns, means, round(turns, means, next));
    }

    private static @Nullable Long round(List<SharedTurn> turns, List<MeanFacts> means, List<Interval> next) {
        if (next.isEmpty()) {
            return null;
        }
        List<Rehearsal.TakenTurns> beats = next.get(0).beats();
        if (beats.isEmpty()
                || beats.get(beats.size() - 1).round() == beats.get(0).round()) {
            return null;
        }
        Map<String, Long> bytes = new HashMap<>();
        turns.forEach(turn -> bytes.put(turn.turn(), turn.bytes()));
        long ofMeans =
                means.stream().mapToLong(mean -> mean.bytes() / mean.rounds()).sum();
        return ofMeans
                + beats.stream()
                        .filter(beat -> beat.round() == beats.get(0).round())
                        .flatMap(beat -> beat.turns().stream())
                        .mapToLong(turn -> bytes.getOrDefault(turn, 0L))
                        .sum();
    }

    /** Returns how many workers share a turn's rows. */
    public int shares() {
        return workers * processes;
    }
}
