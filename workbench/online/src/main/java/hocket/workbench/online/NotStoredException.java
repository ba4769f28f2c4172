package hocket.workbench.online;

/** Rows that were not stored: none of the batch is in the queue, and nothing else has changed. */
public abstract sealed class NotStoredException extends RuntimeException {
    NotStoredException(String message) {
        super(message);
    }

    /** The queue is full: the same batch may be sent again later. */
    public static final class Full extends NotStoredException {
        private final long waiting;
        private final long capacity;

        Full(String queue, long waiting, long capacity, int rows) {
            super(queue + ": " + rows + " rows do not fit: " + waiting + " of " + capacity + " wait to be trained on");
            this.waiting = waiting;
            this.capacity = capacity;
        }

        /** Rows that wait. */
        public long waiting() {
            return waiting;
        }

        /** Rows that may wait. */
        public long capacity() {
            return capacity;
        }
    }

    /** Rows of a client are missing before these. */
    public static final class Gap extends NotStoredException {
        private final long expected;

        Gap(String queue, String client, long expected, long was) {
            super(queue + ": client " + client + " must continue with sequence number " + expected + ", was " + was);
            this.expected = expected;
        }

        /** Returns the next sequence number. */
        public long expected() {
            return expected;
        }
    }

    /** The batch can never fit, or the client's name is invalid. */
    public static final class Unfit extends NotStoredException {
        Unfit(String message) {
            super(message);
        }
    }

    /** The queue remembers no further clients. */
    public static final class TooManyClients extends NotStoredException {
        TooManyClients(String queue, String client, int most) {
            super(queue + ": client " + client + " would be one more than the " + most
                    + " that a run remembers for good: a producer that restarts must keep its name");
        }
    }
}
