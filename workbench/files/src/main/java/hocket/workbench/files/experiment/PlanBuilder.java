package hocket.workbench.files.experiment;

import hocket.schedulers.Budget;
import hocket.schedulers.Phase;
import hocket.schedulers.Plan;
import hocket.schedulers.Trigger;
import hocket.schedulers.Turn;
import hocket.schedulers.games.Dynamics;
import hocket.scopes.SimilarNames;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Builds plans, budgets and triggers from a file.
 *
 * @param spec the file
 * @param turns the turns that could be built, by name
 * @param feeds the names of all feeds
 * @param parts of the file
 */
record PlanBuilder(ExperimentSpec spec, Map<String, Turn> turns, Set<String> feeds, BuiltParts parts) {
    /** Returns the place of a part of one of these phases, such as its plan. */
    String place(String runner, int phase, String part) {
        for (String name : List.of(runner, ExperimentFile.TRAIN)) {
            ExperimentSpec.RunnerSpec of = spec.runners().get(name);
            if (of != null && !of.phases().isEmpty()) {
                return "runners/" + name + "/phases/" + phase + "/" + part;
            }
            if (spec.plan().isPresent()) {
                break;
            }
        }
        return part;
    }

    /** Returns the phases of a runner; fewer, or none, if there are problems. */
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
            return phases(ExperimentFile.TRAIN); // another runner reads what was trained
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

    private Optional<Phase> phase(String path, String unnamed, String name, Plan plan, BudgetSpec budget) {
        String before = path.isEmpty() ? "" : path + "/";
        Optional<Plan> round = plan(before + "plan", plan);
        Optional<Budget> length = budget(before + "budget", budget);
        return round.flatMap(part -> length.flatMap(whole ->
                parts.attempt(path, () -> new Phase(unnamed.isEmpty() ? name : unnamed, part, whole))));
    }

    /** Returns the plan with turns in place of their names; a name of dynamics alone applies them to all turns. */
    private Optional<Plan> plan(String path, Plan written) {
        Optional<String> dynamics = written.unresolved()
                .filter(name -> !spec.turns().containsKey(name))
                .filter(Dynamics.NAMES::contains);
        if (dynamics.isPresent()) {
            return played(path, Dynamics.named(dynamics.get()));
        }
        List<String> unknown = new ArrayList<>();
        TreeSet<String> failed = new TreeSet<>();
        named(written).forEach(name -> {
            if (!spec.turns().containsKey(name)) {
                unknown.add(name);
            } else if (!turns.containsKey(name)) {
                failed.add(name); // which has been said
            }
        });
        unknown.stream().distinct().forEach(name -> parts.addAt(path, name, unknown(written, name)));
        return unknown.isEmpty() && failed.isEmpty()
                ? parts.attempt(path, () -> written.resolved(turns::get))
                : Optional.empty();
    }

    /**
     * Returns a plan with turns in place of their names.
     *
     * @throws IllegalArgumentException if there is no turn of a name, naming similar ones
     */
    static Plan resolved(Plan written, Map<String, Turn> turns) {
        for (String name : named(written)) {
            if (!turns.containsKey(name)) {
                throw new IllegalArgumentException(
                        "plan: there is no turn " + name + SimilarNames.among(name, turns.keySet()));
            }
        }
        return written.resolved(turns::get);
    }

    private String unknown(Plan written, String name) {
        List<String> known = new ArrayList<>(spec.turns().keySet());
        if (written.unresolved().isPresent()) {
            known.addAll(Dynamics.NAMES);
        }
        return "there is no turn " + name + SimilarNames.among(name, known);
    }

    private static List<String> named(Plan plan) {
        return plan.unresolved()
                .map(List::of)
                .orElseGet(() -> plan.parts().stream()
                        .flatMap(part -> named(part).stream())
                        .toList());
    }

    /** Returns all turns of the file: two players with these dynamics, then the follow turns. */
    private Optional<Plan> played(String path, Dynamics dynamics) {
        List<Turn.Descend> players = Turn.descending(turns.values());
        List<Plan> round = new ArrayList<>(turns.values());
        round.removeAll(players);
        if (players.size() != 2) {
            parts.add(
                    path,
                    dynamics + " is a game of two turns that descend a loss, there are " + players.size()
                            + ": write {play: …, of: [two of them]} among the others");
            return Optional.empty();
        }
        return parts.attempt(path, () -> {
            round.add(0, dynamics.plan(players.get(0), players.get(1)));
            return round.size() == 1 ? round.get(0) : Plan.sequence(round.toArray(Plan[]::new));
        });
    }

    private Optional<Budget> budget(String path, BudgetSpec budget) {
        return budget.budget(epochs -> one(path + "/epochs", epochs));
    }

    /** Returns the only entry of a map from a feed to a number. */
    private Optional<Map.Entry<String, Long>> one(String path, Map<String, Long> epochs) {
        boolean known = areFeeds(path, epochs.keySet()); // of which a file that is included may have one
        if (known && epochs.size() != 1) {
            String names = epochs.isEmpty() ? "none" : String.join(" and ", epochs.keySet());
            parts.add(path, "must name one feed, as in {digits: 30}, names " + names);
        }
        return known && epochs.size() == 1 ? epochs.entrySet().stream().findFirst() : Optional.empty();
    }

    /** Adds a problem for each name that is no feed. */
    private boolean areFeeds(String path, Collection<String> names) {
        for (String name : names) {
            if (!feeds.contains(name)) {
                parts.addAt(path, name, "there is no feed " + name + SimilarNames.among(name, feeds));
            }
        }
        return feeds.containsAll(names);
    }

    /** Returns a trigger; empty if there are problems. */
    Optional<Trigger> trigger(String path, Trigger trigger) {
        return areFeeds(path, trigger.sourcesRead()) ? Optional.of(trigger) : Optional.empty();
    }
}
