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

/** The rules of how far weights may differ between processes, by turn, and of what may not depend on them. */
public final class DivergenceRules {
    /** The number of rounds of a dry run that shows what a plan depends on. */
    private static final int REHEARSED = 64;

    /** The reason why nothing may depend on metrics of turns whose weights servers update. */
    public static final String IN_DIFFERENT_TURNS =
            ", and processes whose weights servers update are in different turns";

    /** The selections of a turn, and how far they may differ between processes. */
    private record Moving(Turn.Descend turn, Set<Path> weights, Consistency how) {}

    private final Setup setup;
    private final Collection<Declaration> declarations;
    private final List<Moving> turns = new ArrayList<>();

    /** @throws IllegalArgumentException if paths of a turn are exchanged in two ways */
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
                throw new IllegalArgumentException("selection " + selection + " matches no weight that a turn updates"
                        + SimilarNames.among(selection, moved));
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
            throw new IllegalArgumentException("turn " + turn.name() + " updates nothing where "
                    + turn.guards().get(0).metric() + " is above a limit" + each);
        }
    }

    /** A computation of weights alone would differ between processes, and no process would combine the results. */
    private void requireRowsWhereTheyAre(Set<Path> apart) {
        for (Moving each : turns) {
            if (!each.turn().program().batched()) {
                each.turn().program().parameters().keySet().stream()
                        .filter(apart::contains)
                        .findFirst()
                        .ifPresent(path -> {
                            throw new IllegalArgumentException(
                                    "turn " + each.turn().name() + " reads no rows, and " + path
                                            + ", which each process updates by itself; exchange it in each turn");
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

    /** Where processes are in different turns, each sees different metrics, and none can change a server's rate. */
    private void requireNothingDecidedByMetrics() {
        String each = IN_DIFFERENT_TURNS;
        for (Turn.Descend turn : setup.descending()) {
            for (Turn.Update update : turn.updates()) {
                UpdatePlan rules = UpdatePlan.rehearsed(List.of(update.rule()));
                if (!rules.watched().isEmpty()) {
                    throw new IllegalArgumentException("a rate of turn " + turn.name() + " depends on "
                            + rules.watched().get(0) + each);
                }
                if (update.shared()) {
                    throw new IllegalArgumentException("turn " + turn.name() + " shares weights with another" + each);
                }
            }
        }
        for (Setup.Watch watch : setup.watches()) {
            if (!watch.action().settings().isEmpty()) {
                throw new IllegalArgumentException("on: settings are changed" + each);
            }
            watch.trigger().seriesRead().stream().findFirst().ifPresent(series -> {
                throw new IllegalArgumentException("on: an action depends on " + series + each);
            });
        }
        Rehearsal rehearsal = Rehearsal.of(setup.phases(), phase -> REHEARSED, 0, Integer.MAX_VALUE);
        boolean looksAhead = rehearsal.intervals().stream()
                .flatMap(interval -> interval.beats().stream())
                .anyMatch(beat -> beat.ahead() > 0 || beat.back());
        if (rehearsal.guessed() || looksAhead) {
            throw new IllegalArgumentException(
                    "the plan " + (looksAhead ? "looks ahead" : "depends on metrics of turns") + each);
        }
    }

    /** Returns whether processes synchronise in a round. */
    public boolean meets() {
        return turns.stream()
                .filter(each -> each.turn().program().batched())
                .anyMatch(each -> !each.how().isServed());
    }

    /** Returns the averages across processes, by their rounds. */
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

    /** Returns the parts of an average: paths that these turns write, their followers, metrics and slots. */
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
