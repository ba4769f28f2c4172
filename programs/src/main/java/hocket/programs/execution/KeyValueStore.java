package hocket.programs.execution;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Arrays that the workers of several processes or hosts share by their keys: servers keep them, a scheduler brings all
 * together. A process takes one part in one of them, once. It does not detect processes that die: a call that waits for
 * one never returns, so callers must detect it otherwise.
 */
public interface KeyValueStore extends AutoCloseable {
    /** The role of a process. */
    enum Role {
        WORKER,
        SERVER,
        SCHEDULER
    }

    /**
     * The address and the peers.
     *
     * @param role of this process
     * @param scheduler the address by which all reach the scheduler
     * @param port of the scheduler, which must be free there
     * @param workers how many
     * @param servers how many
     * @param own the address by which the others reach this process
     * @param answersAtOnce whether servers answer each worker at once: then arrays may be {@linkplain #keep kept} there, and
     *     sums take longer
     */
    record Membership(
            Role role, String scheduler, int port, int workers, int servers, String own, boolean answersAtOnce) {
        /** @throws IllegalArgumentException if there is no worker or no server, or the port is none */
        public Membership {
            if (workers < 1 || servers < 1) {
                throw new IllegalArgumentException("a key-value store needs at least one worker and one server, got "
                        + workers + " and " + servers);
            }
            if (port < 1 || port > 65_535) {
                throw new IllegalArgumentException("port: must be from 1 to 65535, was " + port);
            }
        }
    }

    /** An array of this process, which has a counterpart in each other worker. */
    interface Shared {
        /** Returns its FLOAT32 numbers in native order, at position 0; the same memory at each call. */
        ByteBuffer numbers();

        /** Sums the numbers of all workers, and waits for them; all get the same sum. */
        void sum();
    }

    /** An array that servers keep and change. */
    interface Kept {
        /**
         * FLOAT32 numbers in native order, position 0; the same memory at each call: the pushed ones, then the result.
         */
        ByteBuffer numbers();

        /** Sends the numbers to the server that keeps the array, and waits for its result. */
        void push();
    }

    /** The handler of a server for pushes: one at a time, in the order of arrival. */
    interface Updater {
        /**
         * Changes an array. Its exceptions are lost.
         *
         * @param key of the array
         * @param pushed FLOAT32 numbers of a worker, in native order
         * @param kept the server's numbers, of the same length, which it changes; that worker receives the new ones
         */
        void update(int key, ByteBuffer pushed, ByteBuffer kept);
    }

    /** Opens such stores. Found by {@link ServiceLoader}. */
    interface Provider {
        /** Why it cannot on this machine; empty when it can. */
        Optional<String> unavailable();

        /**
         * Joins. Workers wait until all are there.
         *
         * @throws ProgramException if it cannot
         */
        KeyValueStore join(Membership membership);

        /** Ends this process as {@link KeyValueStore#endProcess} does. */
        void end(int status);
    }

    /**
     * Joins by the first provider that can. Throws as {@link Provider#join}.
     *
     * @throws IllegalStateException if none can, saying why
     */
    static KeyValueStore join(Membership membership) {
        return providers()
                .filter(provider -> provider.unavailable().isEmpty())
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(unavailable().orElse("")))
                .join(membership);
    }

    private static Stream<Provider> providers() {
        return ServiceLoader.load(Provider.class).stream().map(ServiceLoader.Provider::get);
    }

    /** Why no provider can; empty when one can. */
    static Optional<String> unavailable() {
        List<Optional<String>> reasons = providers().map(Provider::unavailable).toList();
        if (reasons.stream().anyMatch(Optional::isEmpty)) {
            return Optional.empty();
        }
        return Optional.of(
                reasons.isEmpty()
                        ? "nothing on the class path lets processes share arrays"
                        : reasons.stream().flatMap(Optional::stream).collect(Collectors.joining("; ")));
    }

    /**
     * Ends this process at once. Where a store was joined and not left, Java's own ways to end a process run what the store's
     * library does at its end, which waits for the others, or aborts.
     */
    static void endProcess(int status) {
        ServiceLoader.load(Provider.class).forEach(provider -> provider.end(status));
        Runtime.getRuntime().halt(status);
    }

    /**
     * An array of a worker. All workers share the same arrays in the same order, and wait for each other here.
     *
     * @param count of its numbers, at least 1
     */
    Shared share(int count);

    /**
     * An array that servers keep, of a worker. All workers name the same arrays in the same order, and wait for each other here.
     *
     * @param key from 0 on and below 100,000, of its own
     * @param initial FLOAT32 numbers in native order, at least one, which all workers give alike
     * @throws IllegalStateException if servers do not answer at once here
     */
    Kept keep(int key, ByteBuffer initial);

    /**
     * Serves the workers until all of them have closed; of a server or the scheduler.
     *
     * @param updater of arrays that are kept
     */
    void serve(Updater updater);

    /** Leaves: workers wait for each other, and then servers and scheduler end. */
    @Override
    void close();
}
