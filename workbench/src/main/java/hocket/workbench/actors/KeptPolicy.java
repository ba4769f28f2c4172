package hocket.workbench.actors;

import hocket.programs.KeyValueStore;
import hocket.programs.KeyValueStore.Role;
import hocket.rl.replay.PolicyFeed;
import hocket.workbench.cluster.Store;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * The policy as servers of a key-value store keep it, seen by a worker. Its version is an array of its own, so that who has the
 * newest gets no more than that; it is changed behind the policy. Used by one thread.
 */
final class KeptPolicy {
    /** One server's: of the policy, and of its version. */
    record Copy(KeyValueStore.Kept policy, KeyValueStore.Kept version) {}

    /** Seconds within which a server answers that is not lost. */
    private static final int TO_ANSWER = 30;

    private final Store store = new Store(TO_ANSWER);
    private final PolicyPlace place;
    private final PolicyNumbers numbers;
    private final List<Copy> copies = new ArrayList<>();

    KeptPolicy(PolicyPlace place, PolicyNumbers numbers) {
        this.place = place;
        this.numbers = numbers;
    }

    /**
     * Joins, and waits until all workers have, or somebody says that one is {@linkplain Store#lose lost}.
     *
     * @throws hocket.schedulers.exchange.LostException if one is, or a server does not answer
     */
    void join() {
        store.join(place.membership(Role.WORKER), 0);
        for (int server = 0; server < place.servers(); server++) { // all workers name all arrays, in this order
            copies.add(new Copy(
                    store.keep("policy", place.policy(server), initial(numbers.count())),
                    store.keep("version", place.version(server), initial(PolicyNumbers.OF_VERSION))));
        }
    }

    private static ByteBuffer initial(int count) {
        ByteBuffer initial = ByteBuffer.allocateDirect(count * Float.BYTES).order(ByteOrder.nativeOrder());
        PolicyNumbers.putVersion(PolicyFeed.NONE, initial);
        return initial;
    }

    Copy copy(int server) {
        return copies.get(server);
    }

    Store store() {
        return store;
    }
}
