package hocket.schedulers.runs;

import hocket.programs.Value;
import hocket.schedulers.Setup;
import hocket.schedulers.Turn;
import hocket.schedulers.exchange.Consistency;
import hocket.schedulers.exchange.DataParallelSplit;
import hocket.schedulers.optimizers.updates.UpdatePlan;
import hocket.schedulers.plans.Rehearsal;
import hocket.schedulers.turns.Writes;
import hocket.scopes.Declaration;
import hocket.scopes.Path;
import hocket.scopes.Selection;
import hocket.scopes.SimilarNames;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** How far the weights of several processes may be apart in a setup, turn by turn, and what may not hang on them then. */
public final class DivergenceRules {
    /** Rounds of a plan that are gone through to see what it hangs on. */
    private static final int REHEARSED = 64;

    /** Why nothing hangs on figures of turns whose weights servers move. */
    public static final String IN_DIFFERENT_TURNS = ", and processes whose weights servers move are in different turns";

    /** What a turn moves, and how far that may be apart. */
    private record Moving(Turn.Descend turn, Set<Path> weights, Consistency how) {}

    private final Setup setup;
    private final Collection<Declaration> declarations;
    private final List<Moving> turns = new ArrayList<>();

    /** @throws IllegalArgumentException if a turn moves what is exchanged in two ways */
    public DivergenceRules(Setup setup) {
        this.setup = setup;
        this.declarations = setup.declarations();
        DataParallelSplit dataParallelSplit = setup.division();
        for (Turn.Descend turn : setup.descending()) {
            Set<Path> weights = Writes.weights(turn, declarations);
            turns.add(new Moving(turn, weights, dataParallelSplit.chosen(turn.name(), weights)));
        }
    }

    /** Throws as {@link Setup#checkConsistency}. */
    public void check() {
        Set<Path> moved = new TreeSet<>();
        Set<Path> apart = new TreeSet<>();
        for (Moving each : turns) {
            moved.addAll(each.weights());
            if (each.how().movesApart()) {
                apart.addAll(each.weights());
                requireNothingOfItsRows(each.turn());
            }
        }
        for (String selection : setup.division().consistency().keySet()) {
            if (moved.stream().noneMatch(Selection.of(selection)::matches)) {
                throw new IllegalArgumentException("selection " + selection + " matches no weight that a turn moves"
                        + SimilarNames.among(
                                selection, moved.stream().map(Path::text).toList()));
            }
        }
        if (!apart.isEmpty()) {
            requireRowsWhereTheyAre(apart);
            requireNoJava();
        }
        if (turns.stream().anyMatch(each -> each.how().isServed())) {
            requireNothingDecidedByMetrics();
        }
    }

    private static void requireNothingOfItsRows(Turn.Descend turn) {
        String each = "; each process would see that of its own rows, so exchange its weights in each turn";
        turn.observed().stream().filter(Value::batched).findFirst().ifPresent(value -> {
            throw new IllegalArgumentException(
                    "turn " + turn.name() + " looks at " + value.path() + " of each row" + each);
        });
        if (!turn.guards().isEmpty()) {
            throw new IllegalArgumentException("turn " + turn.name() + " moves nothing where "
                    + turn.guards().get(0).metric() + " is above a limit" + each);
        }
    }

    /** What is computed of weights alone would be computed of others in each process, and put together by none. */
    private void requireRowsWhereTheyAre(Set<Path> apart) {
        for (Moving each : turns) {
            if (!each.turn().program().batched()) {
                each.turn().program().parameters().keySet().stream()
                        .filter(apart::contains)
                        .findFirst()
                        .ifPresent(path -> {
                            throw new IllegalArgumentException(
                                    "turn " + each.turn().name() + " reads no rows, and " + path
                                            + ", which each process moves by itself; exchange it in each turn");
                        });
            }
        }
    }

    private void requireNoJava() {
        Turn.acting(setup.turnsByName().values()).stream().findFirst().ifPresent(act -> {
            throw new IllegalArgumentException("turn " + act.name() + " is Java, which would find other weights in each"
                    + " process and may come to other rows and decisions; exchange weights in each turn");
        });
    }

    /** Where processes are in different turns, each sees other figures, and none can tell a server of another rate. */
    private void requireNothingDecidedByMetrics() {
        String each = IN_DIFFERENT_TURNS;
        for (Turn.Descend turn : setup.descending()) {
            for (Turn.Update update : turn.updates()) {
                UpdatePlan rules = UpdatePlan.rehearsed(List.of(update.rule()));
                if (!rules.watched().isEmpty()) {
                    throw new IllegalArgumentException("a rate of turn " + turn.name() + " hangs on "
                            + rules.watched().get(0) + each);
                }
                if (update.shared()) {
                    throw new IllegalArgumentException("turn " + turn.name() + " shares weights with another" + each);
                }
            }
        }
        for (Setup.Watch watch : setup.watches()) {
            if (!watch.deed().settings().isEmpty()) {
                throw new IllegalArgumentException("on: settings are changed" + each);
            }
            watch.trigger().seriesRead().stream().findFirst().ifPresent(series -> {
                throw new IllegalArgumentException("on: what is done hangs on " + series + each);
            });
        }
        Rehearsal rehearsal = Rehearsal.of(setup.phases(), phase -> REHEARSED, 0, Integer.MAX_VALUE);
        boolean looksAhead = rehearsal.stretches().stream()
                .flatMap(stretch -> stretch.beats().stream())
                .anyMatch(beat -> beat.ahead() > 0 || beat.back());
        if (rehearsal.guessed() || looksAhead) {
            throw new IllegalArgumentException(
                    "the plan " + (looksAhead ? "looks ahead" : "hangs on figures of turns") + each);
        }
    }

    /** Whether several processes meet in a round. */
    public boolean meets() {
        return turns.stream()
                .filter(each -> each.turn().program().batched())
                .anyMatch(each -> !each.how().isServed());
    }

    /** The means that processes take, by their rounds. */
    public List<Setup.Mean> means() {
        TreeMap<Integer, List<Turn.Descend>> groups = new TreeMap<>();
        for (Moving each : turns) {
            if (each.turn().program().batched()) {
                each.how()
                        .averagedOver()
                        .ifPresent(rounds -> groups.computeIfAbsent(rounds, first -> new ArrayList<>())
                                .add(each.turn()));
            }
        }
        List<Setup.Mean> means = new ArrayList<>();
        groups.forEach((rounds, members) ->
                means.add(new Setup.Mean(members.stream().map(Turn::name).toList(), rounds, numbers(members))));
        return means;
    }

    /** What goes into a mean: all that these turns write and what follows it, their figures, and what their rules keep. */
    private long numbers(List<Turn.Descend> members) {
        Collection<Turn> all = setup.turnsByName().values();
        List<String> names = members.stream().map(Turn::name).toList();
        long numbers = size(ParameterAveraging.paths(names, Writes.of(all, declarations), all, declarations));
        for (Turn.Descend turn : members) {
            numbers += turn.series().size();
            for (Turn.Update update : turn.updates()) {
                long slots =
                        UpdatePlan.rehearsed(List.of(update.rule())).slots().size();
                numbers += slots * size(Writes.weights(turn, update, declarations));
            }
        }
        return numbers;
    }

    private long size(Set<Path> paths) {
        return declarations.stream()
                .filter(each -> paths.contains(each.path()))
                .mapToLong(each -> each.shape().size())
                .sum();
    }
}
