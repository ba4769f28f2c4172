package hocket.workbench.files.experiment;

import hocket.programs.Value;
import hocket.schedulers.Turn;
import hocket.schedulers.optimizers.UpdateRule;
import hocket.schedulers.settings.Networks;
import hocket.scopes.Path;
import hocket.scopes.Selection;
import hocket.scopes.SimilarNames;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Builds turns from a file.
 *
 * @param networks networks whose programs they minimise
 * @param others all turns of the file
 * @param parts of the file
 */
record TurnBuilder(Networks networks, Map<String, TurnSpec> others, BuiltParts parts) {
    /** Returns all turns without problems by name, in the order of the file. */
    Map<String, Turn> all() {
        Map<String, Turn> made = new HashMap<>();
        for (boolean steps : List.of(false, true)) { // the optimizers of others once these are made
            others.forEach((name, spec) -> {
                if (optimizerOf(spec).isPresent() == steps) {
                    turn(name, spec, made).ifPresent(turn -> made.put(name, turn));
                }
            });
        }
        Map<String, Turn> ordered = new LinkedHashMap<>();
        others.keySet().stream().filter(made::containsKey).forEach(name -> ordered.put(name, made.get(name)));
        return ordered;
    }

    private static Optional<String> optimizerOf(TurnSpec turn) {
        return turn.fold(
                        descend -> Optional.of(descend.optimizerOf()),
                        follow -> Optional.<String>empty(),
                        act -> Optional.<String>empty())
                .filter(name -> !name.isEmpty());
    }

    /** @param made the turns with optimizers of their own */
    private Optional<Turn> turn(String name, TurnSpec turn, Map<String, Turn> made) {
        String path = "turns/" + name;
        return turn.fold(
                descend -> descending(name, path, descend, made),
                follow -> parts.attempt(path + "/follow", () -> followed(name, follow.follow())),
                act -> acting(name, path, act));
    }

    private Optional<Turn> acting(String name, String path, TurnSpec.ActTurnSpec act) {
        Optional<Turn.Act> made = parts.attempt(path, () -> Turn.act(name, act.act()));
        for (int i = 0; i < act.writes().size(); i++) {
            String selection = act.writes().get(i);
            made = made.flatMap(each -> parts.attempt(path + "/writes", () -> each.writes(selection)));
        }
        return made.map(each -> each);
    }

    private Optional<Turn> descending(
            String name, String path, TurnSpec.DescendSpec descend, Map<String, Turn> owners) {
        Optional<Turn.Descend> made = parts.attempt(path + "/program", () -> networks.program(descend.program()))
                .flatMap(program -> parts.attempt(path, () -> Turn.of(name, program)));
        if (made.isPresent()
                && descend.updates().isEmpty()
                && descend.shares().isEmpty()
                && descend.optimizerOf().isEmpty()) {
            parts.add(
                    path,
                    "needs updates or shares: the weights that it updates, and their optimizers; or optimizer_of: a turn"
                            + " that has them");
        }
        for (Map.Entry<String, UpdateRule> entry : descend.updates().entrySet()) {
            made = updated(made, path + "/updates/" + entry.getKey(), entry, false);
        }
        for (Map.Entry<String, UpdateRule> entry : descend.shares().entrySet()) {
            made = updated(made, path + "/shares/" + entry.getKey(), entry, true);
        }
        if (!descend.optimizerOf().isEmpty()) {
            made = made.flatMap(each -> stepping(each, path + "/optimizer_of", descend.optimizerOf(), owners));
        }
        for (int i = 0; i < descend.observes().size(); i++) {
            String value = descend.observes().get(i);
            Optional<Value> observed = parts.attempt(
                    path + "/observes/" + i, () -> networks.graph().value(value));
            made = made.flatMap(each -> observed.map(each::observes));
        }
        for (Map.Entry<String, String> state : descend.carries().entrySet()) {
            made = made.flatMap(each -> parts.attempt(
                    path + "/carries/" + state.getKey(),
                    () -> each.carries(
                            networks.graph().value(state.getKey()),
                            networks.graph().value(state.getValue()))));
        }
        for (Map.Entry<String, Double> guard : descend.unlessAbove().entrySet()) {
            made = made.flatMap(each -> parts.attempt(
                    path + "/unless_above/" + guard.getKey(),
                    () -> each.unlessAbove(guard.getKey(), guard.getValue())));
        }
        return made.map(each -> descend.measuredAfter() ? each.measuresAfter() : each);
    }

    /** Returns the turn with the optimizers of another; empty if there are problems, here or in the other. */
    private Optional<Turn.Descend> stepping(Turn.Descend turn, String path, String owner, Map<String, Turn> owners) {
        Optional<TurnSpec> spec = parts.attempt(path, () -> SimilarNames.get(others, owner, "there is no turn "));
        if (spec.flatMap(TurnBuilder::optimizerOf).isPresent()) {
            parts.add(path, owner + " steps the optimizer of another turn, too: name a turn that has updates");
            return Optional.empty();
        }
        return Optional.ofNullable(owners.get(owner))
                .flatMap(made -> parts.attempt(
                        path,
                        () -> turn.withOptimizerOf(made.descend()
                                .orElseThrow(() -> new IllegalArgumentException(
                                        owner + " has no optimizer: it descends no loss")))));
    }

    private Turn followed(String name, TurnSpec.FollowSpec spec) {
        Turn.Follow follow =
                Turn.follow(name, spec.from(), spec.to(), spec.decay()).statisticsBatches(spec.statisticsBatches());
        return follow.warmedUp(
                switch (spec.warmUp()) {
                    case ALWAYS -> true;
                    case NEVER -> false;
                    case AUTO -> !isTrainedWith(follow.mapping().to());
                });
    }

    /** Returns whether a turn with a loss reads parameters of a scope: those of a target network. */
    private boolean isTrainedWith(Path scope) {
        return others.values().stream()
                .flatMap(other -> other.fold(
                        descend -> Stream.of(descend.program()), follow -> Stream.empty(), act -> Stream.empty()))
                .flatMap(wanted -> networks.programs().stream()
                        .filter(program -> program.name().equals(wanted)))
                .flatMap(program -> program.parameters().keySet().stream())
                .anyMatch(path -> path.isUnder(scope));
    }

    private Optional<Turn.Descend> updated(
            Optional<Turn.Descend> turn, String path, Map.Entry<String, UpdateRule> update, boolean shared) {
        UpdateRule rule = update.getValue();
        Optional<Selection> selection = parts.attempt(path, () -> {
            Selection selected = Selection.of(update.getKey());
            selected.of(networks.graph().declarations()); // rejects patterns that match nothing
            return selected;
        });
        return selection.isEmpty()
                ? Optional.empty()
                : turn.map(each -> shared ? each.shares(update.getKey(), rule) : each.updates(update.getKey(), rule));
    }
}
