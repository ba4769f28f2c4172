package hocket.workbench.experiment;

import hocket.schedulers.Budget;
import hocket.schedulers.Phase;
import hocket.schedulers.Plan;
import hocket.schedulers.Trigger;
import hocket.schedulers.Turn;
import hocket.scopes.Nearest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Makes plans, budgets and triggers of what a file says.
 *
 * @param spec the file
 * @param turns those that could be built, by name
 * @param feeds the names of all feeds
 * @param parts of the file
 */
record PlanBuilding(ExperimentSpec spec, Map<String, Turn> turns, Set<String> feeds, Parts parts) {
    /** The phases of a runner; fewer, or none, if there are problems. */
    List<Phase> phases(String runner) {
        ExperimentSpec.RunnerSpec ran = spec.runners().get(runner);
        List<Phase> phases = new ArrayList<>();
        if (ran != null && !ran.phases().isEmpty()) {
            for (int i = 0; i < ran.phases().size(); i++) {
                ExperimentSpec.PhaseSpec phase = ran.phases().get(i);
                phase("runners/" + runner + "/phases/" + i, "", phase.name(), phase.plan(), phase.budget())
                        .ifPresent(phases::add);
            }
            return phases;
        }
        ExperimentSpec.RunnerSpec train = spec.runners().get(ExperimentFile.TRAIN);
        if (spec.plan().isEmpty() && spec.budget().isEmpty() && train != null && train != ran) {
            return phases(ExperimentFile.TRAIN); // what another runner looks at is what was trained
        }
        if (spec.plan().isEmpty()) {
            parts.add("", "needs a key plan: a round, such as {sequence: [d, g]}");
        }
        if (spec.budget().isEmpty()) {
            parts.add("", "needs a key budget: how long, such as {rounds: 1000}");
        }
        if (spec.plan().isPresent() && spec.budget().isPresent()) {
            phase("", runner, runner, spec.plan().get(), spec.budget().get()).ifPresent(phases::add);
        }
        return phases;
    }

    private Optional<Phase> phase(
            String path, String unnamed, String name, ExperimentSpec.PlanSpec plan, ExperimentSpec.BudgetSpec budget) {
        String before = path.isEmpty() ? "" : path + "/";
        Optional<Plan> round = plan(before + "plan", plan);
        Optional<Budget> length = budget(before + "budget", budget);
        return round.flatMap(part -> length.flatMap(whole ->
                parts.attempt(path, () -> new Phase(unnamed.isEmpty() ? name : unnamed, part, whole))));
    }

    private Optional<Plan> plan(String path, ExperimentSpec.PlanSpec plan) {
        if (plan instanceof ExperimentSpec.TurnNameSpec name) {
            return named(path, name.turnName()).map(turn -> turn);
        } else if (plan instanceof ExperimentSpec.SequenceSpec sequence) {
            List<Plan> members = new ArrayList<>();
            for (int i = 0; i < sequence.sequence().size(); i++) {
                plan(path + "/sequence/" + i, sequence.sequence().get(i)).ifPresent(members::add);
            }
            return members.size() < sequence.sequence().size()
                    ? Optional.empty()
                    : parts.attempt(path, () -> Plan.sequence(members.toArray(Plan[]::new)));
        } else if (plan instanceof ExperimentSpec.RepeatSpec repeat) {
            return plan(path + "/of", repeat.of())
                    .map(part -> repeat.repeat() == 1 ? part : part.times(repeat.repeat()));
        } else if (plan instanceof ExperimentSpec.SimultaneousSpec group) {
            List<Turn> members = named(path + "/simultaneous", group.simultaneous());
            for (Turn member : members) {
                if (!(member instanceof Turn.Descend)) {
                    parts.add(
                            path,
                            "turn " + member.name() + " descends no loss, so it cannot be simultaneous with others");
                    return Optional.empty();
                }
            }
            return members.size() < group.simultaneous().size()
                    ? Optional.empty()
                    : parts.attempt(path, () -> Plan.simultaneous(members.toArray(Turn.Descend[]::new)));
        }
        ExperimentSpec.ChooseSpec choose = (ExperimentSpec.ChooseSpec) plan;
        List<Turn> choices = named(path + "/of", choose.of());
        return choices.size() < choose.of().size()
                ? Optional.empty()
                : parts.attempt(path, () -> Plan.choose(choose.choose(), choices.toArray(Turn[]::new)));
    }

    private List<Turn> named(String path, List<String> names) {
        List<Turn> named = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            named(path + "/" + i, names.get(i)).ifPresent(named::add);
        }
        return named;
    }

    private Optional<Turn> named(String path, String name) {
        if (!spec.turns().containsKey(name)) {
            parts.add(
                    path,
                    "there is no turn " + name
                            + Nearest.among(name, spec.turns().keySet()));
        }
        return Optional.ofNullable(turns.get(name));
    }

    private Optional<Budget> budget(String path, ExperimentSpec.BudgetSpec budget) {
        if (budget instanceof ExperimentSpec.RoundsSpec rounds) {
            return Optional.of(Budget.rounds(rounds.rounds()));
        } else if (budget instanceof ExperimentSpec.TurnsSpec count) {
            return Optional.of(Budget.turns(count.turns()));
        }
        Map<String, Long> epochs = ((ExperimentSpec.EpochsSpec) budget).epochs();
        return one(path + "/epochs", epochs).map(entry -> Budget.epochs(entry.getKey(), entry.getValue()));
    }

    /** The only entry of a map from a feed to a number. */
    private Optional<Map.Entry<String, Long>> one(String path, Map<String, Long> epochs) {
        if (epochs.size() != 1) {
            parts.add(path, "must name one feed, as in {digits: 30}, names " + epochs.size());
            return Optional.empty();
        }
        Map.Entry<String, Long> only = epochs.entrySet().iterator().next();
        return feed(path + "/" + only.getKey(), only.getKey()) ? Optional.of(only) : Optional.empty();
    }

    private boolean feed(String path, String name) {
        if (!feeds.contains(name)) {
            parts.add(path, "there is no feed " + name + Nearest.among(name, feeds));
        }
        return feeds.contains(name);
    }

    /** A trigger; empty if there are problems. */
    Optional<Trigger> trigger(String path, ExperimentSpec.TriggerSpec trigger) {
        if (trigger instanceof ExperimentSpec.RoundsTriggerSpec rounds) {
            return Optional.of(Trigger.everyRounds(rounds.rounds()));
        } else if (trigger instanceof ExperimentSpec.SecondsTriggerSpec seconds) {
            return Optional.of(Trigger.everySeconds(seconds.seconds()));
        } else if (trigger instanceof ExperimentSpec.EpochTriggerSpec epoch) {
            return feed(path + "/epoch", epoch.epoch())
                    ? Optional.of(Trigger.everyEpochOf(epoch.epoch()))
                    : Optional.empty();
        }
        Map<String, Long> epochs = ((ExperimentSpec.EpochsTriggerSpec) trigger).epochs();
        return one(path + "/epochs", epochs).map(entry -> Trigger.everyEpochs(entry.getKey(), entry.getValue()));
    }
}
