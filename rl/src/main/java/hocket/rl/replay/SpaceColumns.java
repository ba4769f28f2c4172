package hocket.rl.replay;

import hocket.rl.actors.Policy;
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

    /** Returns column {@code mask} with a number for each alternative of the actions. */
    static Column mask(Space actions) {
        return new Column(Policy.MASK, Shape.of(actions.maskWidth()), ElementType.FLOAT32);
    }

    /** Returns column {@code action} of the space's shape and type. */
    static Column action(Space space) {
        return new Column("action", space.actionShape(), space.type());
    }
}
