package hocket.schedulers.games;

import hocket.programs.Gradients;
import hocket.programs.Loss;
import hocket.programs.Mode;
import hocket.programs.Operators;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.programs.operators.Leaf;
import hocket.schedulers.Turn;
import hocket.scopes.Declaration.Kind;
import hocket.scopes.Path;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;

/**
 * A player: its turn, the weights that it owns, and its loss as a function of everyone's weights.
 *
 * @param turn as the user wrote it
 * @param weights weights that its turn updates and its loss reaches, by path
 * @param loss one number; may detach what the others make, or not
 */
record Player(Turn.Descend turn, SortedMap<Path, Value> weights, Value loss) {
    /** @throws IllegalArgumentException if its loss reaches none of the weights that its turn updates */
    static Player of(Turn.Descend turn) {
        requireOwnOptimizer(turn);
        Program program = turn.program();
        SortedSet<Path> reached = program.reached();
        SortedMap<Path, Value> weights = new TreeMap<>();
        program.parameters().forEach((path, value) -> {
            boolean moved = turn.updates().stream()
                    .anyMatch(update -> update.selection().matches(path));
            boolean weight = ((Leaf.Variable) value.operator()).declaration().kind() == Kind.WEIGHT;
            if (moved && weight && reached.contains(path)) {
                weights.put(path, value);
            }
        });
        if (weights.isEmpty()) {
            throw new IllegalArgumentException("player " + turn.name() + ": the gradient of program " + program.name()
                    + " reaches none of the weights that the turn updates, "
                    + turn.updates().stream()
                            .map(update -> update.selection().toString())
                            .toList());
        }
        return new Player(turn, weights, program.targets().get(0));
    }

    /** @throws IllegalArgumentException if a turn steps the optimizer of another, so that no dynamics can change it */
    static void requireOwnOptimizer(Turn.Descend turn) {
        turn.optimizerOf().ifPresent(owner -> {
            throw new IllegalArgumentException("player " + turn.name() + ": it steps the optimizer of turn "
                    + owner.name() + ", and a player has its own");
        });
    }

    Player with(Value other) {
        return new Player(turn, weights, other);
    }

    Program program() {
        return turn.program();
    }

    /** Its weights as values, in path order. */
    List<Value> own() {
        return List.copyOf(weights.values());
    }

    /** The gradient of its loss by its own weights. */
    List<Value> gradient() {
        return slope(loss, own());
    }

    /** The gradient of one number by some values. */
    static List<Value> slope(Value number, List<Value> by) {
        return Gradients.of(number, by.toArray(Value[]::new));
    }

    /** Everything that its loss is made of. */
    Set<Value> above() {
        return Set.copyOf(Value.above(List.of(loss), Value::inputs));
    }

    /**
     * Returns the player's weights and the values that depend on them, detached or not.
     *
     * @param ordered the values, each after its inputs
     */
    Set<Value> touches(Collection<Value> ordered) {
        Set<Value> touched = new HashSet<>(weights.values());
        for (Value value : ordered) {
            if (value.inputs().stream().anyMatch(touched::contains)) {
                touched.add(value);
            }
        }
        return touched;
    }

    /**
     * The turn with a direction in place of its gradient: its first target is the player's own loss, held constant, plus
     * {@code Σ (w - stop(w)) · stop(direction)} over its weights, which is 0 and has the direction as its gradient. So it
     * reports the loss that it always did, and a direction that is not finite shows in it.
     */
    Turn.Descend descending(List<Value> direction) {
        Program program = program();
        Value none =
                ValueVectors.dot(ValueVectors.minus(own(), ValueVectors.held(own())), ValueVectors.held(direction));
        Value number =
                Operators.reshape(Operators.stopGradient(program.targets().get(0)));
        Program other = Program.compile(
                        program.name(), Mode.TRAIN, new Loss(Operators.add(number, none), program.metrics()))
                .with(program.targets().subList(1, program.targets().size()));
        return turn.program(other);
    }
}
