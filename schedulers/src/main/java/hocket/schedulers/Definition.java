package hocket.schedulers;

import hocket.schedulers.settings.NetworkDefinition;
import hocket.scopes.Parameters;

/**
 * What a run is: a recipe that holds no state, so that it can be begun any number of times, side by side too. A lambda will
 * do: {@code Definition gan = () -> Setup.of(networks, plan, Budget.rounds(1000)).feed(digits.batches(64), EACH_TURN)}, with
 * the source made inside.
 *
 * <p>An experiment file can name one by class in place of network, feeds, turns and plan: {@code algorithm: {class:
 * hocket.rl.algorithms.Ppo, environment: CartPole-v1}}. The class is a record as {@link NetworkDefinition} describes it; its
 * components are the settings of a published algorithm.
 */
@FunctionalInterface
public interface Definition {
    /**
     * The parts of one run: networks, sources at their beginnings, turns, plan and budget. Every call makes new ones, which
     * share nothing that moves. Trains nothing.
     *
     * @throws IllegalArgumentException if the settings do not fit each other, naming both
     */
    Setup setup();

    /**
     * Begins a run: its store is initialised by the seed. Close it after use.
     *
     * @param seed of weights, noise and the order of the data
     * @throws IllegalArgumentException if the parts do not fit each other
     */
    default LiveRun begin(long seed) {
        return begin(seed, Runtime.getRuntime().availableProcessors());
    }

    /**
     * The same with a given number of threads, on which results may depend.
     *
     * @param threads at least 1
     */
    default LiveRun begin(long seed, int threads) {
        Setup setup = setup();
        setup.requireTrainable();
        return new LiveRun(setup, setup.initialise(seed), threads, true);
    }

    /**
     * Begins a run over a store that is there already: what another run trains, tested or asked. The store stays open when the
     * run is closed.
     *
     * @param parameters with all that the run reads and writes
     * @param threads at least 1
     * @throws IllegalArgumentException if the parts do not fit each other, or the store
     */
    default LiveRun over(Parameters parameters, int threads) {
        return new LiveRun(setup(), parameters, threads, false);
    }
}
