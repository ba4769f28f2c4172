package hocket.schedulers;

import hocket.schedulers.settings.NetworkDefinition;
import hocket.scopes.Parameters;

/**
 * A stateless recipe of a run, which can be started any number of times, also concurrently. It can be a lambda: {@code
 * Definition gan = () -> Setup.of(networks, plan, Budget.rounds(1000)).feed(digits.batches(64), EACH_TURN)}, which
 * makes the source inside.
 *
 * <p>An experiment file can name one by class in place of network, feeds, turns and plan: {@code algorithm: {class:
 * hocket.rl.algorithms.Ppo, environment: CartPole-v1}}. The class is a record as {@link NetworkDefinition} describes it; its
 * components are the settings of a published algorithm.
 *
 * <p>For example:
 *
 * <pre>{@code
 * Definition gan = () -> Setup.of(graph, sequence(d, g), rounds(1000)).feed(digits.batches(64), EACH_TURN);
 * try (LiveRun first = gan.begin(7); LiveRun second = gan.begin(8)) {
 *     first.run();
 *     second.run();
 * }
 * }</pre>
 */
@FunctionalInterface
public interface Definition {
    /**
     * Makes the parts of one run: networks, sources at their beginnings, turns, plan and budget. Each call makes new
     * parts, which share no mutable state; it trains nothing.
     *
     * @throws IllegalArgumentException if two settings contradict each other; the message names both
     */
    Setup setup();

    /**
     * Starts a run, whose store is initialised from the seed. Close it after use.
     *
     * @param seed of weights, noise and the order of the data
     * @throws IllegalArgumentException if the parts do not fit each other
     */
    default LiveRun begin(long seed) {
        return begin(seed, Runtime.getRuntime().availableProcessors());
    }

    /**
     * Starts a run with a number of threads; results may depend on it.
     *
     * @param threads at least 1
     */
    default LiveRun begin(long seed, int threads) {
        Setup setup = setup();
        setup.requireTrainable();
        return new LiveRun(setup, setup.initialise(seed), threads, true);
    }

    /**
     * Starts a run over an existing store, for example to test what another run trains. The store stays open when the
     * run is closed.
     *
     * @param parameters a store with all paths that the run reads and writes
     * @param threads at least 1
     * @throws IllegalArgumentException if the parts do not fit each other, or the store
     */
    default LiveRun over(Parameters parameters, int threads) {
        return new LiveRun(setup(), parameters, threads, false);
    }
}
