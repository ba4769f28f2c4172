package hocket.schedulers.exchange;

import hocket.schedulers.settings.Limits;
import hocket.scopes.ElementType;
import java.nio.ByteBuffer;
import java.util.concurrent.locks.LockSupport;

/**
 * What the processes of a run tell each other. All of them open the same channels in the same order and use them the same
 * number of times, as they take the same turns. Used by the thread that trains.
 */
public interface Exchange {
    /** A run of one process, which has nothing to tell. */
    Exchange ALONE = planned(1);

    /**
     * What a run of so many processes would be divided by, to look at its plan: nothing can be told by it.
     *
     * @throws IllegalArgumentException if there is no process
     */
    static Exchange planned(int processes) {
        Limits.atLeast(1, "processes", processes);
        return new Exchange() {
            @Override
            public int rank() {
                return 0;
            }

            @Override
            public int processes() {
                return processes;
            }

            @Override
            public Channel open(String name, ElementType type, int count) {
                throw new IllegalStateException(name + ": other processes are planned, and not there");
            }

            @Override
            public Kept keep(String name, ByteBuffer initial) {
                throw new IllegalStateException(name + ": servers are planned, and not there");
            }
        };
    }

    /** Numbers that are added up over all processes. */
    interface Channel {
        /** What this process has, to be filled; then the sum. Native order, position 0. */
        ByteBuffer numbers();

        /**
         * Adds up what the processes have: all get the same bits.
         *
         * @throws PeerLostException if another process is not there any more, naming it
         */
        void sum();
    }

    /** An array that a server keeps. */
    interface Kept {
        /** What this process gives, to be filled; then what the server made of it. FLOAT32, native order, position 0. */
        ByteBuffer numbers();

        /**
         * Gives the numbers to the server, and takes what the array is then.
         *
         * @throws PeerLostException if another process is not there any more, naming it
         */
        void push();

        /** Waits so long for what others do with the array. */
        default void pause(long nanos) {
            LockSupport.parkNanos(nanos);
        }
    }

    /** Which of the processes this is, from 0 on. */
    int rank();

    /** How many processes train together. */
    int processes();

    /**
     * Opens a channel.
     *
     * @param name for errors
     * @param type of its numbers, a floating one
     * @param count of its numbers, at least 1
     * @throws IllegalArgumentException if it does not transport such numbers
     */
    Channel open(String name, ElementType type, int count);

    /**
     * Has a server keep an array, and waits until all processes have come here; they name the same arrays in the same order,
     * which the server knows by their place in it.
     *
     * @param name for errors
     * @param initial FLOAT32 numbers in native order, which all give alike
     */
    Kept keep(String name, ByteBuffer initial);
}
