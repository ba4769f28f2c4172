package hocket.schedulers;

/**
 * A whole experiment, made by one class: what is computed, and who trains what by what.
 *
 * @param networks the programs by name, for looking at
 * @param experiment what is trained
 */
public record Algorithm(Networks networks, Experiment experiment) {
    /**
     * What an experiment file can name by class in place of network, feeds, turns and plan:
     * {@code algorithm: {class: hocket.rl.algorithms.Ppo, environment: CartPole-v1}}. The class is a record as
     * {@link ExperimentDefinition} describes it; its components are the settings of a published algorithm.
     */
    public interface Definition {
        /**
         * The networks, turns, plan and budget. Trains nothing.
         *
         * @throws IllegalArgumentException if the settings do not fit each other, naming both
         */
        Algorithm build();
    }
}
