package hocket.schedulers.exchange;

import hocket.schedulers.settings.Keyed;
import hocket.schedulers.settings.Limits;
import hocket.schedulers.settings.Setting;
import java.util.OptionalInt;

/** How far the weights of several processes may be from each other, for the turns that move them. */
@Keyed
public sealed interface Consistency {
    /** What holds where nothing is said. */
    Consistency USUAL = new Synchronous();

    /** Gradients are put together in each turn: all processes have the same weights, which are those of one process. */
    record Synchronous() implements Consistency {
        @Override
        public String toString() {
            return "the same in each turn";
        }
    }

    /**
     * Each process moves its own weights by the gradients of its own rows; after so many rounds the mean of the weights is
     * taken, and of what optimizers keep of them (McMahan et al. 2017, Communication-Efficient Learning of Deep Networks from
     * Decentralized Data; Stich 2019, Local SGD Converges Fast and Communicates Little).
     *
     * @param average in how many rounds once, at least 1
     */
    @Keyed.Name("average")
    record Averaged(
            @Setting(
                    least = 1,
                    most = 1e6,
                    help = "each process moves its own; in so many rounds once, the mean is taken of them and of what"
                            + " optimizers keep")
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
     * A server moves the weights by the gradient of each process's rows as it comes, and answers with what they are then: nobody
     * waits for the others, unless a process is too far ahead of the last one (Ho et al. 2013, More Effective Distributed ML via a
     * Stale Synchronous Parallel Parameter Server). What comes of it hangs on who is faster, and is not repeated.
     *
     * @param stale how many more of the turn a process may have taken than the last one, at least 0
     */
    @Keyed.Name("stale")
    record Stale(
            @Setting(
                    most = 1e6,
                    help = "a server moves them by each process's gradient as it comes; a process may be so many turns"
                            + " ahead of the last")
            int stale)
            implements Consistency {
        public Stale {
            Limits.atLeast(0, "stale", stale);
        }

        @Override
        public OptionalInt mostAhead() {
            return OptionalInt.of(stale);
        }

        @Override
        public String toString() {
            return "moved by servers, at most " + stale + (stale == 1 ? " turn" : " turns") + " stale";
        }
    }

    /** Whether processes need not have the same between rounds. */
    default boolean movesApart() {
        return averagedOver().isPresent() || isServed();
    }

    /** After how many rounds the mean is taken, where processes take one. */
    default OptionalInt averagedOver() {
        return OptionalInt.empty();
    }

    /** How many turns a process may be ahead, where servers move the weights. */
    default OptionalInt mostAhead() {
        return OptionalInt.empty();
    }

    /** Whether servers move the weights. */
    default boolean isServed() {
        return mostAhead().isPresent();
    }
}
