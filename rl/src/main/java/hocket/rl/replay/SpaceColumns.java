package hocket.rl.replay;

import hocket.rl.actors.Policy;
import hocket.rl.spaces.Discrete;
import hocket.rl.spaces.Space;
import hocket.schedulers.Source.Column;
import hocket.scopes.ElementType;
import hocket.scopes.Shape;

/** Columns of points of spaces, as programs read them. */
final class SpaceColumns {
    private SpaceColumns() {}

    /** Returns column {@code observation} of the space's shape. */
    static Column observation(Space space) {
        return new Column(Policy.OBSERVATION, space.shape(), ElementType.FLOAT32);
    }

    /** Returns column {@code action}: () of INT64, an index from 0, of discrete actions; else (a). */
    static Column action(Space space) {
        return space instanceof Discrete
                ? new Column("action", Shape.of(), ElementType.INT64)
                : new Column("action", Shape.of(space.width()), ElementType.FLOAT32);
    }
}
