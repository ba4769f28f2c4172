package hocket.schedulers.plans;

import hocket.schedulers.Action;
import hocket.schedulers.Condition;
import hocket.schedulers.Phase;
import hocket.schedulers.Plan;
import hocket.schedulers.SourceDescription;
import hocket.schedulers.Trigger;
import hocket.schedulers.Turn;
import hocket.schedulers.feeds.Sources;
import hocket.schedulers.optimizers.rates.MetricRate;
import hocket.schedulers.optimizers.rates.Rate;
import hocket.schedulers.optimizers.rates.TrainingProgress;
import hocket.schedulers.optimizers.updates.UpdatePlan;
import hocket.schedulers.runs.IncompatibleSetupException;
import hocket.schedulers.settings.NonNull;
import hocket.schedulers.settings.UserCodeFailure;
import hocket.schedulers.state.StateCodec;
import hocket.schedulers.turns.StoredSettings;
import hocket.schedulers.turns.Writes;
import hocket.scopes.SimilarNames;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Checks of a plan before training, by the same walk that training uses: memories that cannot be saved, turns taken
 * together that write one path, unknown names, turns that are never taken, and rates that become negative or NaN at a
 * later step.
 */
public final class PlanChecks {
    /** The number of turns that the checks walk through. */
    private static final int MOST = 20_000;

    /** The number of times that a setting is changed to check its bounds. */
    private static final int MOST_CHANGED = 1000;

    private final Collection<String> sources;
    private final List<SourceDescription> endless;
    private final Writes writes;

    /** @param feeds the sources */
    public PlanChecks(List<SourceDescription> feeds, Writes writes) {
        this.sources = new ArrayList<>();
        for (SourceDescription source : feeds) {
            sources.add(source.name());
            source.columns().forEach(column -> sources.add(column.name()));
        }
        this.endless = feeds.stream().filter(source -> !source.hasEpochs()).toList();
        this.writes = writes;
    }

    /**
     * @param index of the phase
     * @throws IncompatibleSetupException if the phase cannot be run
     */
    public void check(int index, Phase phase) {
        String plan = "phases/" + index + "/plan";
        IncompatibleSetupException.attempt(plan, () -> {
            new Walk(phase.plan());
            writes.checkTogether(phase.plan());
        });
        phase.budget()
                .counted()
                .ifPresent(source ->
                        IncompatibleSetupException.attempt("phases/" + index + "/budget", () -> requireEpochs(source)));
        long rounds = phase.budget().rounds().orElse(Long.MAX_VALUE);
        Rehearsal rehearsal = Rehearsal.of(List.of(phase), any -> rounds, MOST, sources);
        if (rehearsal.isCertain()) {
            Throwable failure = rehearsal.failure().orElseThrow();
            throw new IncompatibleSetupException(
                    plan,
                    "phase " + phase.name() + " fails in round " + rehearsal.round() + ": "
                            + UserCodeFailure.inWords(failure),
                    failure);
        }
        Map<String, Long> counts = new LinkedHashMap<>();
        rehearsal.intervals().forEach(interval -> interval.turns().forEach(turn -> counts.merge(turn, 1L, Long::sum)));
        if (rehearsal.failure().isEmpty() && !rehearsal.guessed() && rounds > 0 && rounds < Long.MAX_VALUE) {
            long taken = counts.values().stream().mapToLong(Long::longValue).sum();
            if (taken < MOST) {
                IncompatibleSetupException.attempt(plan, () -> requireTaken(phase, counts, rounds));
            }
        }
        long covered = lastRound(rehearsal) + 1;
        for (Turn turn : phase.plan().turnsByName().values()) {
            long count = counts.getOrDefault(turn.name(), 0L);
            IncompatibleSetupException.attempt("turns/" + turn.name(), () -> checkRates(turn, count, covered, rounds));
        }
    }

    /**
     * Checks that a trigger can be saved, reads known sources and metrics, and fires before the run ends, where that
     * can be known.
     *
     * @param key its place in the experiment
     * @param phases of the run
     * @param turns of all phases
     * @throws IncompatibleSetupException if not
     */
    public void check(String key, Trigger trigger, List<Phase> phases, Collection<Turn> turns) {
        trigger.condition()
                .ifPresent(condition -> IncompatibleSetupException.attempt(key, () -> {
                    StateCodec.requireSaved("what trigger " + trigger + " remembers", Condition.start(condition));
                    condition.seriesRead().forEach(series -> requireReported("trigger " + trigger, series, turns));
                    condition.sourcesRead().forEach(this::requireEpochs);
                    if (phases.size() == 1 && !condition.isPeriodic()) {
                        requireFires(condition, phases.get(0));
                    }
                }));
    }

    /** Reads a known source; an unknown one is refused elsewhere. */
    private void requireEpochs(String source) {
        endless.stream().filter(each -> each.isCalled(source)).forEach(Sources::requireEpochs);
    }

    private void requireFires(Condition<?> condition, Phase phase) {
        long rounds = phase.budget().rounds().orElse(Long.MAX_VALUE);
        if (rounds == Long.MAX_VALUE) {
            return;
        }
        String fires = "fires";
        Plan round = Plan.sequence(phase.plan(), Plan.when(condition, Turn.act(fires, run -> {})));
        // A plan reads a condition at the beginning of a round, other actions at its end.
        Rehearsal rehearsal =
                Rehearsal.of(List.of(new Phase("any", round, phase.budget())), any -> rounds + 1, MOST, sources);
        List<String> taken = rehearsal.intervals().stream()
                .flatMap(interval -> interval.turns().stream())
                .toList();
        boolean isSure = rehearsal.failure().isEmpty() && !rehearsal.guessed() && taken.size() < MOST;
        if (rounds > 0 && isSure && !taken.contains(fires)) {
            throw new IllegalArgumentException("trigger " + condition + " never fires in the run's " + rounds
                    + (rounds == 1 ? " round" : " rounds")
                    + ": remove it, add rounds, or change what it waits for");
        }
    }

    /**
     * Checks that the settings which actions change exist and accept the values.
     *
     * @param index of the action
     * @param times how often it is certain to run
     * @param turns of all phases
     * @param stored the settings that programs read
     * @throws IncompatibleSetupException if not
     */
    public void check(int index, Action action, long times, Collection<Turn> turns, StoredSettings stored) {
        IncompatibleSetupException.attempt("watches/" + index + "/action", () -> {
            for (String name : action.settings()) {
                if (stored.has(name)) {
                    action.rehearse(name, 1, () -> 1, value -> StoredSettings.requireFinite(name, value));
                    continue;
                }
                UpdatePlan settings = settings(name, turns, stored);
                String setting = name.substring(name.indexOf('/') + 1);
                action.rehearse(
                        name,
                        Math.min(times, MOST_CHANGED),
                        () -> settings.setting(setting),
                        value -> settings.set(setting, value));
            }
        });
    }

    /** Returns the settings of the turn that a setting's name begins with. */
    private static UpdatePlan settings(String name, Collection<Turn> turns, StoredSettings stored) {
        List<String> known = new ArrayList<>(stored.paths());
        for (Turn turn : turns) {
            UpdatePlan plan = UpdatePlan.rehearsed(
                    turn.updates().stream().map(Turn.Update::rule).toList());
            plan.settings().keySet().forEach(setting -> known.add(turn.name() + "/" + setting));
            if (known.contains(name)) {
                return plan;
            }
        }
        throw new IllegalArgumentException("there is no setting " + name + SimilarNames.among(name, known));
    }

    /**
     * @throws IncompatibleSetupException if a rate reads a metric that no turn reports, or the memory of a rate or
     *     transformation cannot be saved
     */
    public void checkWatching(Collection<Turn> turns) {
        for (Turn turn : turns) {
            for (Turn.Update update : turn.updates()) {
                IncompatibleSetupException.attempt(
                        "turns/" + turn.name(),
                        () -> update.rule()
                                .links()
                                .forEach(gradientTransformation ->
                                        NonNull.by(gradientTransformation, "slots()", gradientTransformation.slots())));
                for (Rate rate : update.rule().rates()) {
                    if (rate instanceof MetricRate<?> metricRate) {
                        IncompatibleSetupException.attempt("turns/" + turn.name(), () -> {
                            StateCodec.requireSaved(
                                    "what rate " + metricRate + " remembers",
                                    NonNull.by(metricRate, "start()", metricRate.start()));
                            requireReported("its rate", metricRate.watches(), turns);
                        });
                    }
                }
            }
        }
    }

    private static void requireReported(String who, String series, Collection<Turn> turns) {
        if (turns.stream().noneMatch(turn -> turn.mayReport(series))) {
            List<String> known =
                    turns.stream().flatMap(turn -> turn.series().stream()).toList();
            throw new IllegalArgumentException(
                    who + " watches " + series + ", which no turn reports" + SimilarNames.among(series, known));
        }
    }

    private static long lastRound(Rehearsal rehearsal) {
        long last = 0;
        for (Rehearsal.Interval interval : rehearsal.intervals()) {
            last = interval.beats().get(interval.beats().size() - 1).round();
        }
        return last;
    }

    private static void requireTaken(Phase phase, Map<String, Long> counts, long rounds) {
        List<String> never = new ArrayList<>(phase.plan().turnsByName().keySet());
        never.removeAll(counts.keySet());
        if (!never.isEmpty()) {
            throw new IllegalArgumentException("turn " + String.join(", ", never)
                    + " is never taken in its " + rounds + (rounds == 1 ? " round" : " rounds")
                    + ": remove it, add rounds, or change what its schedule or condition waits for");
        }
    }

    private static void checkRates(Turn turn, long count, long covered, long rounds) {
        long whole = rounds == Long.MAX_VALUE ? covered : rounds;
        long updates = Math.max(1, Math.round((double) count / covered * whole));
        for (Turn.Update update : turn.updates()) {
            update.rule().check(TrainingProgress.of(updates, Math.max(0, whole - 1), 0));
        }
    }
}
