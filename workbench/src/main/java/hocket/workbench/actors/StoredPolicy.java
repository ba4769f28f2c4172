package hocket.workbench.actors;

import hocket.rl.replay.PolicyCopy;
import hocket.rl.replay.PolicyFeed;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Where an actor gets its policy that is kept by servers: from one of them, by its rank. Used by the actor's thread. */
final class StoredPolicy implements PolicyFeed {
    private static final long BETWEEN_LOOKS_MILLIS = 20;

    private final KeptPolicy kept;
    private final PolicyNumbers numbers;
    private final KeptPolicy.Copy copy;

    /** Joins. Throws as {@link KeptPolicy#join}. */
    StoredPolicy(KeptPolicy kept, PolicyNumbers numbers, int server) {
        this.kept = kept;
        this.numbers = numbers;
        kept.join();
        copy = kept.copy(server);
    }

    @Override
    public Optional<PolicyCopy> newerThan(long version) {
        while (true) {
            kept.store().pull("version", copy.version());
            if (PolicyNumbers.version(copy.version().numbers()) > version) {
                kept.store().pull("policy", copy.policy());
                return Optional.of(numbers.get(copy.policy().numbers()));
            } else if (version != NONE) {
                return Optional.empty();
            }
            pause();
        }
    }

    private static void pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(BETWEEN_LOOKS_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while it waited for a policy", e);
        }
    }
}
