package hocket.schedulers.exchange;

import hocket.schedulers.settings.Limits;
import hocket.scopes.ElementType;
import java.nio.ByteBuffer;
import java.util.concurrent.locks.LockSupport;

/**
 * The communication between the processes of a run. All of them open the same channels in the same order and use them
 * equally often, since they take the same turns. Only the training thread uses it.
 */
public interface Exchange {
    /** The exchange of a run with one process, which does nothing. */
    Exchange ALONE = planned(1);

    /**
     * An exchange that stands for a number of processes when a plan is checked; it cannot communicate.
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
                throw new IllegalStateException(name + ": this exchange only plans other processes, it has none");
            }

            @Override
            public Kept keep(String name, ByteBuffer initial) {
                throw new IllegalStateException(name + ": this exchange only plans servers, it has none");
            }
        };
    }

    /** Numbers that are summed over all processes (all-reduce). */
    interface Channel {
        /**
         * Returns the direct buffer of exactly as many numbers as this process has, which receives the sum. Native order,
         * position 0.
         */
        ByteBuffer numbers();

        /**
         * Sums the numbers of all processes; all get the same bits.
         *
         * @throws PeerLostException if another process has left, naming it
         */
        void sum();
    }

    /** An array that a server keeps. */
    interface Kept {
        /** Returns the buffer for this process's numbers, then the server's. FLOAT32, native order, position 0. */
        ByteBuffer numbers();

        /**
         * Sends the numbers to the server and receives the updated array.
         *
         * @throws PeerLostException if another process has left, naming it
         */
        void push();

        /** Waits for other processes' updates of the array. */
        default void pause(long nanos) {
            LockSupport.parkNanos(nanos);
        }
    }

    /** Returns the number of this process, from 0 on. */
    int rank();

    /** Returns the number of processes. */
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
     * Places an array on a server, and waits until all processes do so; they place the same arrays in the same order,
     * by which the server identifies them.
     *
     * @param name for errors
     * @param initial FLOAT32 numbers in native order, the same in all processes
     */
    Kept keep(String name, ByteBuffer initial);
}
