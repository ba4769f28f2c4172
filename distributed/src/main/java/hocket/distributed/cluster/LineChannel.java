package hocket.distributed.cluster;

import hocket.workbench.files.json.JsonDocument;
import io.vertx.core.net.NetSocket;
import io.vertx.core.parsetools.RecordParser;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Consumer;

/** Messages between a process and the scheduler: a JSON document a line. */
final class LineChannel {
    static final int PROTOCOL = 2;

    /** The longest line in bytes. */
    static final int LONGEST = 1 << 20;

    /** The longest first line, of a process that is not known yet: a token and some names. */
    static final int LONGEST_HELLO = 8 << 10;

    private LineChannel() {}

    /**
     * The first line of a process that joins.
     *
     * @param hocket its version of Hocket
     * @param experiment digest of the experiment
     * @param programs digest of a worker's programs; empty for others
     */
    record Handshake(
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
     * Further lines of a process, each an answer to {@link Kind#HERE}, so that all describe the same moment.
     *
     * @param leaves whether it is done and leaves
     * @param failed why it ends; empty unless it fails
     * @param turns taken so far
     * @param waited seconds of the time so far in which it waited for the others
     * @param waits the exchange for which it waits; empty if it does not
     * @param since seconds of this wait
     */
    record Heartbeat(boolean leaves, String failed, long turns, double waited, String waits, double since) {}

    /** A message of the scheduler. */
    enum Kind {
        /** Admitted: the store's scheduler listens at the port. */
        WELCOME,
        /** Rejected: the text has the reason. */
        REFUSED,
        /** The status of all workers, and a request for this process's own. */
        HERE,
        /** A process is lost, and the text says which and how: leave. */
        LOST
    }

    /**
     * The state of a worker.
     *
     * @param turns as in its last answer, like those up to {@code since}
     * @param silent seconds since that
     * @param left whether it is done and has left
     */
    record Member(int rank, long turns, double waited, String waits, double since, double silent, boolean left) {}

    /** A line of the scheduler. */
    record Message(Kind kind, String text, int port, List<Member> workers) {}

    static void send(NetSocket socket, Record line) {
        socket.write(JsonDocument.line(line) + "\n");
    }

    /**
     * Reads lines.
     *
     * @param longest longest line in bytes
     * @param each receives one after the other, several of which may come together; it throws an {@link
     *     IllegalArgumentException} for a malformed one
     * @param wrong receives the error of a malformed one
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
