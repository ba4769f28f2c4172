package hocket.rl.replay;

import hocket.programs.Graph;
import hocket.programs.Value;
import hocket.rl.actors.Policy;
import hocket.rl.spaces.Space;
import hocket.schedulers.Source.Column;
import hocket.schedulers.SourceDescription;
import hocket.scopes.ElementType;
import hocket.scopes.Shape;
import org.jspecify.annotations.Nullable;

/** Columns of points of spaces, as programs read them. */
public final class SpaceColumns {
    private SpaceColumns() {}

    /**
     * Opens the input of a graph that a column of a source feeds.
     *
     * @throws IllegalArgumentException if there is no such column
     */
    static Value input(Graph graph, SourceDescription source, String name) {
        Value input = optionalInput(graph, source, name);
        if (input == null) {
            throw new IllegalArgumentException("source " + source.name() + " has no column " + name);
        }
        return input;
    }

    /** Opens the input that a column feeds; null without such a column. */
    static @Nullable Value optionalInput(Graph graph, SourceDescription source, String name) {
        return source.columns().stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .map(each -> graph.input(name, each.shape(), each.type()))
                .orElse(null);
    }

    /** Returns column {@code observation} of the space's shape. */
    public static Column observation(Space space) {
        return new Column(Policy.OBSERVATION, space.shape(), ElementType.FLOAT32);
    }

    /** Returns column {@code mask} with a number for each alternative of the actions. */
    public static Column mask(Space actions) {
        return new Column(Policy.MASK, Shape.of(actions.maskWidth()), ElementType.FLOAT32);
    }

    /** Returns column {@code action} of the space's shape and type. */
    public static Column action(Space space) {
        return new Column("action", space.actionShape(), space.type());
    }
}
