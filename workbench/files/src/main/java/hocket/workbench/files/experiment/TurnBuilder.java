package hocket.workbench.files.experiment;

import hocket.programs.Value;
import hocket.schedulers.Turn;
import hocket.schedulers.optimizers.UpdateRule;
import hocket.schedulers.settings.Networks;
import hocket.scopes.Path;
import hocket.scopes.Selection;
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
    /** Returns a turn; empty if there are problems. */
    Optional<Turn> turn(String name, TurnSpec turn) {
        String path = "turns/" + name;
        return turn.fold(
                descend -> descending(name, path, descend),
                follow -> parts.attempt(path + "/follow", () -> followed(name, follow.follow())),
                act -> parts.attempt(path, () -> Turn.act(name, act.act())));
    }

    private Optional<Turn> descending(String name, String path, TurnSpec.DescendSpec descend) {
        Optional<Turn.Descend> made = parts.attempt(path + "/program", () -> networks.program(descend.program()))
                .flatMap(program -> parts.attempt(path, () -> Turn.of(name, program)));
        if (made.isPresent() && descend.updates().isEmpty() && descend.shares().isEmpty()) {
            parts.add(path, "needs updates or shares: the weights that it updates, and their optimizers");
        }
        for (Map.Entry<String, UpdateRule> entry : descend.updates().entrySet()) {
            made = updated(made, path + "/updates/" + entry.getKey(), entry, false);
        }
        for (Map.Entry<String, UpdateRule> entry : descend.shares().entrySet()) {
            made = updated(made, path + "/shares/" + entry.getKey(), entry, true);
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
