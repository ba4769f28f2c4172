package hocket.schedulers.exchange;

import hocket.scopes.ElementType;

/** A check that the processes of a run have equal state. */
public final class Agreement {
    private static final int HEXADECIMAL = 16;

    private Agreement() {}

    /**
     * Checks that all processes have the same digest; all of them call it at the same position. If one differs, the
     * check fails in at least one of them.
     *
     * @param what names the digested state, such as {@code parameters}
     * @param digest in hexadecimal digits, as long in all processes
     * @throws IllegalStateException if this process's digest differs from the combination of the others
     */
    public static void require(Exchange exchange, String what, String digest) {
        Exchange.Channel channel = exchange.open(what, ElementType.FLOAT32, digest.length());
        for (int i = 0; i < digest.length(); i++) {
            ElementType.FLOAT32.put(channel.numbers(), i, digit(digest, i));
        }
        channel.sum();
        for (int i = 0; i < digest.length(); i++) {
            // Where each has the mean of all, all have the same.
            if (ElementType.FLOAT32.get(channel.numbers(), i) != exchange.processes() * digit(digest, i)) {
                throw new IllegalStateException(
                        "the processes have different " + what + ": the digest is "
                                + digest + " in process " + exchange.rank()
                                + ", and another elsewhere. Their machines compute"
                                + " differently; what optimizers, averages and turns of Java do must give the same bits on all");
            }
        }
    }

    private static double digit(String digest, int at) {
        return Character.digit(digest.charAt(at), HEXADECIMAL);
    }
}
