package hocket.schedulers.exchange;

import hocket.schedulers.settings.Keyed;
import hocket.schedulers.settings.Setting;
import java.util.OptionalInt;

/** The consistency of weights between processes, for the turns that update them. */
@Keyed
public sealed interface Consistency {
    /** The default. */
    Consistency USUAL = new Synchronous();

    /** Gradients are averaged in each turn, so all processes have the same weights as a single process would. */
    record Synchronous() implements Consistency {
        @Override
        public String toString() {
            return "the same in each turn";
        }
    }

    /**
     * Each process updates its own weights by the gradients of its own rows; weights and optimizer slots are averaged
     * every {@code average} rounds (McMahan et al. 2017, Communication-Efficient Learning of Deep Networks from
     * Decentralized Data; Stich 2019, Local SGD Converges Fast and Communicates Little).
     *
     * @param average rounds between two averagings, at least 1
     */
    @Keyed.Name("average")
    record Averaged(
            @Setting(
                    least = 1,
                    most = 1e6,
                    help = "each process updates its own weights; after this many rounds weights and optimizer slots"
                            + " are averaged")
            int average)
            implements Consistency, AveragedCopies {
        public Averaged {
            AveragedCopies.check(average);
        }

        @Override
        public OptionalInt averagedOver() {
            return OptionalInt.of(average);
        }

        @Override
        public String toString() {
            return average == 1 ? "the mean after each round" : "the mean after each " + average + " rounds";
        }
    }

    /**
     * A server updates the weights by the gradient of each process as it arrives, and answers with the new weights; no
     * process waits for others unless it is too far ahead of the slowest one (Ho et al. 2013, More Effective
     * Distributed ML via a Stale Synchronous Parallel Parameter Server). The result depends on which process is faster,
     * so runs are not reproducible.
     *
     * @param stale turns that a process may be ahead of the slowest one, at least 0
     */
    @Keyed.Name("stale")
    record Stale(
            @Setting(
                    least = 0,
                    most = 1e6,
                    help = "a server applies each process's gradient as it arrives; a process may be at most this"
                            + " many turns ahead of the slowest")
            int stale)
            implements Consistency, StaleCopies {
        public Stale {
            StaleCopies.check(stale);
        }

        @Override
        public OptionalInt mostAhead() {
            return OptionalInt.of(stale);
        }

        @Override
        public String toString() {
            return "updated by servers, at most " + stale + (stale == 1 ? " turn" : " turns") + " stale";
        }
    }

    /** Returns whether weights may differ between processes between rounds. */
    default boolean movesApart() {
        return averagedOver().isPresent() || isServed();
    }

    /** Returns the rounds between two averagings, if processes average. */
    default OptionalInt averagedOver() {
        return OptionalInt.empty();
    }

    /** Returns the turns that a process may be ahead, if servers update the weights. */
    default OptionalInt mostAhead() {
        return OptionalInt.empty();
    }

    /** Returns whether servers update the weights. */
    default boolean isServed() {
        return mostAhead().isPresent();
    }
}
