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
import hocket.scopes.ElementType;
import hocket.scopes.Parameters;
import hocket.scopes.Path;
import java.nio.ByteBuffer;
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
 * Takes the mean of what several processes moved apart: after so many rounds, and at the end. Of weights, of running
 * statistics, of what optimizers keep of them, and of what follows them; so behind it all processes are the same.
 */
public final class ParameterAveraging implements Ring {
    /** Within all others: what is done beside training, is done to the mean. */
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

    /** Turns that come together at once. */
    private abstract class Group {
        final SortedMap<String, BoundDescend> members = new TreeMap<>();
        volatile boolean apart;

        @Nullable
        MeanExchange average;

        List<Parameters.Cell> cells = List.of();

        /** Before anybody takes a turn. */
        void begin() {}

        /** Whether all come together behind so many rounds. */
        abstract boolean isDue(long round);

        /** Whether all processes have the same now, or are never to before the end. */
        abstract boolean isSettled();

        /** Comes together, where anything was moved. */
        final void settle() {
            if (!apart) {
                return;
            }
            meet();
            apart = false;
        }

        abstract void meet();

        /** Takes the mean of arrays and figures, and what is to be done with it before anybody else looks at the store. */
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

        final List<Supplier<ByteBuffer>> arrays(SortedSet<Path> of) {
            cells = of.stream().map(parameters::cell).toList();
            List<Supplier<ByteBuffer>> arrays = new ArrayList<>();
            cells.forEach(cell -> arrays.add(cell::buffer));
            return arrays;
        }
    }

    /** Those whose mean is taken in so many rounds once. */
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
            List<Supplier<ByteBuffer>> arrays = arrays(reached());
            members.values().forEach(member -> member.arrays().forEach(slot -> arrays.add(slot::buffer)));
            ElementType type = cells.get(0).declaration().type();
            return new MeanExchange(
                    dataParallelSplit.exchange(), String.join("+", members.keySet()), type, arrays, figures);
        }
    }

    /** Those whose weights servers move: only at an end all have the same of them. */
    private final class Served extends Group {
        @Override
        boolean isDue(long round) {
            return false;
        }

        @Override
        boolean isSettled() {
            return true;
        }

        /** Once more after an end, all meet before anybody takes a turn. */
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

        /** When all have come, nobody moves anything any more. */
        @Override
        void meet() {
            members.values().forEach(BoundDescend::leave); // which may end before its time
            take(mean(), new double[1], () -> members.values().forEach(BoundDescend::fetch));
        }

        /** Of what each process has beside the weights. */
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

    /** What turns write, and what follows that. */
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

    /** Whether all processes have the same of the weights whose mean they take. Any thread. */
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

    /** Servers have all that they keep before the first turn: who stops early then finds all others where they wait for it. */
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
