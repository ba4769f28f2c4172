package hocket.rl.networks;

import hocket.programs.Value;
import hocket.schedulers.settings.Keyed;
import hocket.scopes.Shape;

/**
 * Layers with a state that goes from step to step of an episode, between a network's encoder and its dense layers. In a
 * file: {@code memory: {lstm: {units: 64}}} or {@code memory: {class: my.Memory, …}}.
 */
@Keyed
public interface Memory {
    /**
     * The result of a step.
     *
     * @param features (n), which the dense layers read
     * @param state the next state
     */
    record Step(Value features, Value state) {}

    /** The shape of a state. */
    Shape stateShape();

    /**
     * Builds a step in the open scope.
     *
     * @param features (m), of the encoder
     * @param state of {@link #stateShape}, zeros in the first step of an episode
     */
    Step step(Value features, Value state);

    /** Returns whether a step depends on those before it. */
    default boolean remembers() {
        return true;
    }

    /** {@link NoMemory}. */
    static Memory none() {
        return new NoMemory();
    }

    /** {@link LstmMemory} with its default settings. */
    static Memory lstm() {
        return LstmMemoryCopies.usual();
    }
}
