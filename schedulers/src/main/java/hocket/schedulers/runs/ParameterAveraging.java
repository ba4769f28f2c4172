package hocket.schedulers.runs;

import hocket.schedulers.Event;
import hocket.schedulers.Next;
import hocket.schedulers.Ring;
import hocket.schedulers.Run;
import hocket.schedulers.Trigger;
import hocket.schedulers.Turn;
import hocket.schedulers.exchange.DataParallelSplit;
import hocket.schedulers.exchange.MeanExchange;
import hocket.schedulers.exchange.MetricReduction;
import hocket.schedulers.turns.BoundDescend;
import hocket.schedulers.turns.BoundTurn;
import hocket.schedulers.turns.BoundTurns;
import hocket.schedulers.turns.Writes;
import hocket.scopes.Declaration;
import hocket.scopes.Device;
import hocket.scopes.ElementType;
import hocket.scopes.Parameters;
import hocket.scopes.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Averages parameters across processes every k rounds and once at the end (local SGD): weights, running statistics,
 * optimizer slots and weights that follow them. Afterwards all processes have the same values.
 */
public final class ParameterAveraging implements Ring {
    /** The innermost order, so that actions see the averaged values. */
    static final int ORDER = 300;

    private final BoundTurns turns;
    private final DataParallelSplit dataParallelSplit;
    private final Parameters parameters;
    private volatile List<Group> groups = List.of();
    private int grouped;

    public ParameterAveraging(BoundTurns turns, DataParallelSplit dataParallelSplit, Parameters parameters) {
        this.turns = turns;
        this.dataParallelSplit = dataParallelSplit;
        this.parameters = parameters;
    }

    /** Turns whose weights are averaged together. */
    private abstract class Group {
        final SortedMap<String, BoundDescend> members = new TreeMap<>();
        volatile boolean apart;

        @Nullable
        MeanExchange average;

        List<Parameters.Cell> cells = List.of();

        /** Prepares the exchange before any worker takes a turn. */
        void begin() {}

        /** Returns whether processes synchronise after this number of rounds. */
        abstract boolean isDue(long round);

        /** Returns whether all processes are equal now, or are not made equal before the end. */
        abstract boolean isSettled();

        /** Averages, if anything was updated. */
        final void settle() {
            if (!apart) {
                return;
            }
            meet();
            apart = false;
        }

        abstract void meet();

        /** Averages arrays and metrics, and runs what must follow before the store is read. */
        final void take(MeanExchange mean, double[] figures, Runnable then) {
            parameters.write(cells, () -> {
                mean.take(figures);
                then.run();
            });
        }

        final SortedSet<Path> reached() {
            List<Turn> all = turns.all().stream().map(BoundTurn::turn).toList();
            return paths(members.keySet(), turns.writes(), all, parameters.declarations());
        }

        final List<Supplier<Device.Array>> arrays(SortedSet<Path> of) {
            cells = of.stream().map(parameters::cell).toList();
            List<Supplier<Device.Array>> arrays = new ArrayList<>();
            cells.forEach(cell -> arrays.add(cell::array));
            return arrays;
        }
    }

    /** The turns that are averaged at this interval of rounds. */
    private final class Averaged extends Group {
        private final int rounds;

        private Averaged(int rounds) {
            this.rounds = rounds;
        }

        @Override
        boolean isDue(long round) {
            return round % rounds == 0;
        }

        @Override
        boolean isSettled() {
            return !apart;
        }

        @Override
        void meet() {
            List<MetricReduction> metricReductions = members.values().stream()
                    .map(BoundDescend::tally)
                    .flatMap(Optional::stream)
                    .toList();
            double[] figures = new double
                    [metricReductions.stream().mapToInt(MetricReduction::size).sum()];
            int at = 0;
            for (MetricReduction metricReduction : metricReductions) {
                metricReduction.mean(figures, at);
                at += metricReduction.size();
            }
            MeanExchange mean = average == null ? average(figures.length) : average;
            average = mean;
            take(mean, figures, () -> {});
            at = 0;
            for (MetricReduction metricReduction : metricReductions) {
                metricReduction.exchanged(figures, at);
                at += metricReduction.size();
            }
        }

        private MeanExchange average(int figures) {
            List<Supplier<Device.Array>> arrays = arrays(reached());
            members.values().forEach(member -> member.arrays().values().forEach(slot -> arrays.add(() -> slot)));
            ElementType type = cells.get(0).declaration().type();
            return new MeanExchange(
                    dataParallelSplit.exchange(), String.join("+", members.keySet()), type, arrays, figures);
        }
    }

    /** The turns whose weights servers update; only at an end do all processes have the same values. */
    private final class Served extends Group {
        @Override
        boolean isDue(long round) {
            return false;
        }

        @Override
        boolean isSettled() {
            return true;
        }

        /** After an end, all processes synchronise before any takes a turn. */
        @Override
        void begin() {
            boolean again = false;
            for (BoundDescend member : members.values()) {
                member.begin();
                again |= member.rejoin();
            }
            if (again) {
                take(mean(), new double[1], () -> {});
            }
        }

        /** When all processes have arrived, none updates anything any more. */
        @Override
        void meet() {
            members.values().forEach(BoundDescend::leave); // which may end before its time
            take(mean(), new double[1], () -> members.values().forEach(BoundDescend::fetch));
        }

        /** Exchanges the state that each process has besides the weights. */
        private MeanExchange mean() {
            MeanExchange mean = average;
            if (mean == null) {
                SortedSet<Path> local = new TreeSet<>(reached());
                members.values()
                        .forEach(member -> local.removeAll(member.program().gradients()));
                mean = new MeanExchange(dataParallelSplit.exchange(), "end", ElementType.FLOAT32, arrays(local), 1);
                average = mean;
            }
            return mean;
        }
    }

    /** Returns the paths that turns write, and those that follow them. */
    static SortedSet<Path> paths(
            Collection<String> names, Writes writes, Collection<Turn> all, Collection<Declaration> declarations) {
        SortedSet<Path> paths = new TreeSet<>();
        names.forEach(turn -> paths.addAll(writes.paths(turn)));
        int before;
        do {
            before = paths.size();
            for (Turn.Follow turn : Turn.following(all)) {
                Writes.followed(turn, declarations).forEach((source, target) -> {
                    if (paths.contains(source)) {
                        paths.add(target.path());
                    }
                });
            }
        } while (paths.size() > before);
        return paths;
    }

    private List<Group> groups() {
        if (grouped != turns.count()) {
            SortedMap<Integer, Group> all = new TreeMap<>();
            for (BoundDescend turn : turns.descending()) {
                if (turn.consistency().movesApart()) {
                    int rounds = turn.consistency().averagedOver().orElse(0);
                    Group group = all.computeIfAbsent(rounds, each -> each > 0 ? new Averaged(each) : new Served());
                    group.members.put(turn.turn().name(), turn);
                    group.apart |= groups.stream()
                            .anyMatch(each -> each.apart
                                    && each.members.containsKey(turn.turn().name()));
                }
            }
            groups = List.copyOf(all.values());
            grouped = turns.count();
        }
        return groups;
    }

    /** Returns whether all processes have equal averaged weights. Any thread may call it. */
    public boolean isSettled() {
        return groups.stream().allMatch(Group::isSettled);
    }

    @Override
    public int order() {
        return ORDER;
    }

    @Override
    public Optional<Trigger> trigger() {
        return Optional.of(Trigger.everyRounds(1));
    }

    @Override
    public void descended(Run run, Event.Descended turn) {
        for (Group group : groups()) {
            group.apart |= group.members.containsKey(turn.turn());
        }
    }

    @Override
    public void due(Run run) {
        for (Group group : groups()) {
            if (group.isDue(run.position().round())) {
                group.settle();
            }
        }
    }

    /** Sends all state to servers before the first turn, so that early stops leave the others consistent. */
    @Override
    public void initialise(Run run, Next next) {
        next.proceed();
        groups().forEach(Group::begin);
    }

    @Override
    public void finalise(Run run, Next next) {
        groups().forEach(Group::settle);
        next.proceed();
    }

    @Override
    public void run(Run run, Next next) {
        next.proceed();
        groups().forEach(Group::settle);
    }
}
