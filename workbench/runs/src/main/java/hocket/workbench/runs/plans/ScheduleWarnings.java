package hocket.workbench.runs.plans;

import hocket.schedulers.Budget;
import hocket.schedulers.Phase;
import hocket.schedulers.Setup;
import hocket.schedulers.Setup.Feed;
import hocket.schedulers.Source;
import hocket.schedulers.SourceDescription;
import hocket.schedulers.Turn;
import hocket.schedulers.plans.Rehearsal;
import hocket.schedulers.settings.UserCodeFailure;
import hocket.scopes.SimilarNames;
import hocket.workbench.terminal.NumberFormats;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Warnings on a run's turns, data and budgets, where they are allowed but look wrong: a sentence each, which names the
 * thing and says what to do.
 */
record ScheduleWarnings(Setup setup, long seed, Function<Phase, RoundCounts> rounds, List<String> warnings) {
    private static final int REHEARSED = 1000;

    /** The turns within which each turn of a plan must be taken once; some are taken rarely, such as copies of opponents. */
    private static final int LONGEST = 100_000;

    /** The fraction of an average that may remain of its initial value. */
    private static final double KEPT = 0.05;

    static List<String> of(
            Setup setup, Collection<String> defined, long seed, Function<Phase, RoundCounts> roundCounts) {
        ScheduleWarnings found = new ScheduleWarnings(setup, seed, roundCounts, new ArrayList<>());
        found.unreadFeeds();
        found.carriedStates();
        found.turnsNeverTaken(defined);
        setup.phases().forEach(found::schedules);
        setup.phases().forEach(found::epochs);
        found.shortAverages();
        found.triggers();
        return found.warnings;
    }

    private void unreadFeeds() {
        for (Feed feed : setup.feeds()) {
            SourceDescription source = feed.source();
            if (setup.descending().stream().noneMatch(turn -> RoundCounts.reads(turn, source))) {
                warnings.add("feed " + source.name() + ": no turn reads "
                        + names(source) + ", so a run will be refused; remove it, or call an input "
                        + source.columns().get(0).name());
            }
        }
    }

    /** Warns of states that are carried from a row to another one, which does not continue it. */
    private void carriedStates() {
        for (Turn.Descend turn : setup.descending()) {
            boolean carries =
                    turn.carried().stream().anyMatch(each -> setup.networks().isStateOfRow(each.input()));
            setup.feeds().stream()
                    .map(Feed::source)
                    .filter(source -> carries && RoundCounts.reads(turn, source) && !source.rowsContinue())
                    .forEach(source -> warnings.add("turn " + turn.name() + " carries a state, and rows of "
                            + source.name() + " do not continue those of the draw before; give a text lanes: true,"
                            + " and other rows in order"));
        }
    }

    private static String names(SourceDescription source) {
        return source.columns().stream().map(Source.Column::name).collect(Collectors.joining(" or "));
    }

    private void turnsNeverTaken(Collection<String> defined) {
        Set<String> taken = new LinkedHashSet<>();
        for (Phase phase : setup.phases()) {
            if (!isEmpty(phase.budget())) {
                taken.addAll(phase.plan().turnsByName().keySet());
            }
        }
        Set<String> planned = setup.turnsByName().keySet();
        never(planned, taken, "the budget of every phase with it is 0");
        never(defined, planned, "no phase has it in its plan; remove it or add it to a plan");
    }

    private void never(Collection<String> turns, Set<String> except, String why) {
        String never = turns.stream().filter(turn -> !except.contains(turn)).collect(Collectors.joining(", "));
        if (!never.isEmpty()) {
            warnings.add("never taken: turn " + never + "; " + why);
        }
    }

    private static boolean isEmpty(Budget budget) {
        return budget.count() == 0;
    }

    /** Warns of faults of a schedule, found by asking it many times. */
    private void schedules(Phase phase) {
        Rehearsal rehearsal = rehearsal(phase, REHEARSED);
        List<String> turns = turns(rehearsal);
        rehearsal.failure().ifPresent(failure -> {
            warnings.add("phase " + phase.name() + ": its schedule fails at turn " + (turns.size() + 1) + ": "
                    + UserCodeFailure.inWords(failure));
        });
        boolean first = phase.equals(setup.phases().get(0)); // of later phases, the round is unknown here
        if (rehearsal.failure().isEmpty() && first && !rehearsal.guessed() && !isEmpty(phase.budget())) {
            Set<String> planned = phase.plan().turnsByName().keySet();
            Set<String> taken = Set.copyOf(turns.containsAll(planned) ? turns : turns(rehearsal(phase, LONGEST)));
            planned.stream()
                    .filter(turn -> !taken.contains(turn))
                    .forEach(turn -> warnings.add("turn " + turn + ": it is never taken in the first "
                            + NumberFormats.grouped(LONGEST) + " turns; check what its schedule or trigger waits for"));
        }
    }

    private Rehearsal rehearsal(Phase phase, int most) {
        return Rehearsal.of(setup.phases(), other -> other.equals(phase) ? Long.MAX_VALUE : 0, seed, most);
    }

    private static List<String> turns(Rehearsal rehearsal) {
        return rehearsal.intervals().stream()
                .flatMap(interval -> interval.turns().stream())
                .toList();
    }

    private void epochs(Phase phase) {
        RoundCounts inPhase = rounds.apply(phase);
        for (Feed feed : setup.feeds()) {
            OptionalLong draws = inPhase.draws(feed);
            OptionalLong epoch = feed.source().drawsAnEpoch();
            boolean isFaster = draws.isPresent() && epoch.isPresent() && draws.getAsLong() > epoch.getAsLong();
            if (isFaster && isCounted(feed)) {
                warnings.add("a round of phase " + phase.name() + " draws from "
                        + feed.source().name() + " " + NumberFormats.grouped(draws.getAsLong())
                        + " times, and an epoch has "
                        + NumberFormats.counted(epoch.getAsLong(), "draw")
                        + "; actions of every epoch then run at most once a round");
            }
        }
        phase.budget().counted().ifPresent(source -> {
            Optional<Feed> counted = RoundCounts.feed(setup.feeds(), source);
            if (counted.isEmpty()) {
                warnings.add("phase " + phase.name() + " counts epochs of " + unknown(source));
            } else if (inPhase.draws(counted.get()).orElse(1) == 0) {
                warnings.add("phase " + phase.name() + " counts epochs of " + source
                        + ", which no turn of it reads, so it never ends; count rounds or turns");
            }
        });
    }

    /** Warns of averages that keep much of their initial weights, as their decay is slow for the number of turns. */
    private void shortAverages() {
        for (Turn.Follow turn : Turn.following(setup.turnsByName().values())) {
            if (!turn.warmUp() && turn.decay() < 1) {
                OptionalLong taken = taken(turn);
                double kept = Math.pow(turn.decay(), (double) taken.orElse(0));
                if (taken.isPresent() && kept > KEPT) {
                    warnings.add("turn " + turn.name() + ": after all its "
                            + NumberFormats.counted(taken.getAsLong(), "time")
                            + ", " + turn.to() + " is to " + Math.round(100 * kept)
                            + " % the weights that it began with (" + NumberFormats.exactly(turn.decay())
                            + " to the power of "
                            + NumberFormats.grouped(taken.getAsLong())
                            + "); train longer, set a smaller decay, or warm_up: always");
                }
            }
        }
    }

    /** Returns how often a turn is taken in all phases; empty if unknown. */
    private OptionalLong taken(Turn turn) {
        long sum = 0;
        for (Phase phase : setup.phases()) {
            if (phase.plan().turnsByName().containsValue(turn)) {
                RoundCounts inPhase = rounds.apply(phase);
                OptionalLong all = inPhase.in(phase.budget());
                Long each = all.isPresent() ? inPhase.taken(all.getAsLong()).get(turn.name()) : null;
                if (each == null) {
                    return OptionalLong.empty();
                }
                sum += each;
            }
        }
        return sum == 0 ? OptionalLong.empty() : OptionalLong.of(sum);
    }

    /** Returns whether an action runs at an interval in epochs of a feed. */
    private boolean isCounted(Feed feed) {
        return sourcesRead()
                .anyMatch(source -> RoundCounts.feed(List.of(feed), source).isPresent());
    }

    private Stream<String> sourcesRead() {
        return setup.watches().stream().flatMap(watch -> watch.trigger().sourcesRead().stream());
    }

    private void triggers() {
        sourcesRead()
                .distinct()
                .filter(source -> RoundCounts.feed(setup.feeds(), source).isEmpty())
                .forEach(source -> warnings.add("a trigger of epochs counts those of " + unknown(source)));
    }

    private String unknown(String source) {
        List<String> known = setup.feeds().stream()
                .flatMap(feed -> feed.source().columns().stream())
                .map(Source.Column::name)
                .toList();
        return source + ", but no feed is called that, so a run will be refused" + SimilarNames.among(source, known);
    }
}
