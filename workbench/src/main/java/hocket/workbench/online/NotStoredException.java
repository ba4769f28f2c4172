package hocket.workbench.online;

/** Rows were not stored: none of the batch is in the queue, and nothing else has changed. */
public abstract sealed class NotStoredException extends RuntimeException {
    NotStoredException(String message) {
        super(message);
    }

    /** So many rows wait already that these do not fit: the same batch may be given again later. */
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
            super(queue + ": client " + client + " must go on with sequence number " + expected + ", was " + was);
            this.expected = expected;
        }

        /** The sequence number that comes next. */
        public long expected() {
            return expected;
        }
    }

    /** A batch that would not fit at any time either, or the name of a client that is none. */
    public static final class Unfit extends NotStoredException {
        Unfit(String message) {
            super(message);
        }
    }

    /** There are as many clients as are remembered. */
    public static final class TooManyClients extends NotStoredException {
        TooManyClients(String queue, String client, int most) {
            super(queue + ": client " + client + " would be one more than the " + most + " that are remembered");
        }
    }
}
