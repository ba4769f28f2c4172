package hocket.distributed.cluster;

import hocket.workbench.json.JsonDocument;
import io.vertx.core.net.NetSocket;
import io.vertx.core.parsetools.RecordParser;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Consumer;

/** What goes over the line between a process and the scheduler's: a JSON document a line. */
final class Lines {
    static final int PROTOCOL = 2;

    /** A line may have as many bytes. */
    static final int LONGEST = 1 << 20;

    /** The same of the first one, of a process that is not known yet: a token and some names. */
    static final int LONGEST_HELLO = 8 << 10;

    private Lines() {}

    /**
     * The first line of a process that comes.
     *
     * @param hocket the version that it runs
     * @param experiment digest of what the experiment says
     * @param programs digest of what it computes, of a worker; empty of others
     */
    record Hello(
            int protocol,
            String token,
            String part,
            int rank,
            int workers,
            int servers,
            String hocket,
            String experiment,
            String programs,
            long pid) {}

    /**
     * Further lines of a process, each an answer to {@link Kind#HERE}: what they say of all is of the same moment.
     *
     * @param leaves whether it is done, and goes
     * @param failed why it ends; empty unless it fails
     * @param turns taken so far
     * @param waited seconds of those since it began in which it waited for the others
     * @param waits for what it waits just now; empty where it does not
     * @param since seconds for which it has
     */
    record Beat(boolean leaves, String failed, long turns, double waited, String waits, double since) {}

    /** What the scheduler's process says. */
    enum Kind {
        /** You may come in: the store's scheduler listens at the port. */
        WELCOME,
        /** You may not: the text says why. */
        REFUSED,
        /** I am here, and this is how the workers are: how are you? */
        HERE,
        /** Somebody is gone, and the text says who and how: leave. */
        LOST
    }

    /**
     * How a worker is.
     *
     * @param turns as in its last answer, as are those up to {@code since}
     * @param silent seconds since that
     * @param left whether it is done, and has gone
     */
    record Member(int rank, long turns, double waited, String waits, double since, double silent, boolean left) {}

    /** A line of the scheduler's process. */
    record Word(Kind kind, String text, int port, List<Member> workers) {}

    static void send(NetSocket socket, Record line) {
        socket.write(JsonDocument.line(line) + "\n");
    }

    /**
     * Reads lines.
     *
     * @param longest bytes that one may have
     * @param each takes one after the other, several of which may come at once; an {@link IllegalArgumentException} says that
     *     it cannot be understood
     * @param wrong takes what is wrong with one
     */
    static RecordParser reader(int longest, Consumer<String> each, Consumer<String> wrong) {
        RecordParser parser = RecordParser.newDelimited("\n");
        parser.maxRecordSize(longest);
        parser.exceptionHandler(e -> wrong.accept(String.valueOf(e.getMessage())));
        parser.handler(line -> {
            try {
                each.accept(line.toString(StandardCharsets.UTF_8));
            } catch (IllegalArgumentException e) {
                wrong.accept(String.valueOf(e.getMessage()));
            }
        });
        return parser;
    }
}
