package hocket.workbench.live.handlers;

import hocket.workbench.files.json.JsonDocument;
import hocket.workbench.live.http.AccessGuard;
import hocket.workbench.live.http.BlockingWork;
import hocket.workbench.live.http.HttpError;
import hocket.workbench.live.http.RowBodies;
import hocket.workbench.online.DurableQueue;
import hocket.workbench.online.MalformedRowsException;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.ServerWebSocket;
import io.vertx.core.http.WebSocketFrame;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A client that sends rows by WebSocket. A message is a line {@code {"sequence": N}} with the number of its first row,
 * followed by a request's body: JSON lines in a text message, a NumPy file in a binary one. The numbers prevent that a
 * later message is stored in place of a rejected one. Messages are stored and answered in order. Nothing is read while
 * a message is stored or answers are not being read: a client that sends faster waits, and memory is bounded. Used by
 * the server's thread.
 */
public final class RowSocket {
    /** The largest message in bytes. */
    public static final int MOST_BYTES = 1 << 20;
    /** The limit for some hundred answers. */
    private static final int MOST_UNSENT_BYTES = 64 << 10;

    private static final short GONE = 1001;
    private static final short NOT_UTF_8 = 1007;
    private static final short POLICY = 1008;
    private static final short TOO_LONG = 1009;
    private static final short UNEXPECTED = 1011;

    private static final int MOST_HEAD_BYTES = 100;
    private static final Pattern HEAD = Pattern.compile("\\s*\\{\\s*\"sequence\"\\s*:\\s*(\\d{1,18})\\s*}\\s*");

    private final BlockingWork work;
    private final ServerWebSocket socket;
    private final DurableQueue queue;
    private final String client;
    private Buffer message = Buffer.buffer();
    private String type = RowBodies.LINES;
    private boolean isStoring;
    private boolean isLeft;

    private RowSocket(BlockingWork work, ServerWebSocket socket, DurableQueue queue, String client) {
        this.work = work;
        this.socket = socket;
        this.queue = queue;
        this.client = client;
    }

    /**
     * Begins to read.
     *
     * @param greeting the first message to the client
     */
    static RowSocket open(
            BlockingWork work, ServerWebSocket socket, DurableQueue queue, String client, String greeting) {
        RowSocket opened = new RowSocket(work, socket, queue, client);
        socket.setWriteQueueMaxSize(MOST_UNSENT_BYTES);
        socket.drainHandler(drained -> opened.readOn());
        socket.frameHandler(opened::frame);
        opened.answer(greeting);
        return opened;
    }

    /** Sends a ping to the client. */
    void ping() {
        if (!isFull()) {
            socket.writePing(Buffer.buffer());
        }
    }

    /** Closes the connection because the run ends. */
    void end() {
        leave(GONE, "the run has ended");
    }

    private void leave(short code, String reason) {
        isLeft = true;
        socket.close(code, reason);
    }

    private boolean isFull() {
        return !socket.isClosed() && socket.writeQueueFull();
    }

    private void frame(WebSocketFrame frame) {
        if (isLeft) {
            return;
        }
        switch (frame.type()) {
            case TEXT, BINARY, CONTINUATION -> {
                part(frame);
                readOn();
            }
            case PING -> { // a ping is answered even if answers are not being read
                if (isFull()) {
                    leave(POLICY, "answers are not being read");
                }
            }
            case PONG, CLOSE -> {}
        }
    }

    private void part(WebSocketFrame frame) {
        if (!frame.isContinuation()) {
            type = frame.isText() ? RowBodies.LINES : RowBodies.NPY;
        }
        message.appendBuffer(frame.binaryData());
        if (message.length() > MOST_BYTES) {
            message = Buffer.buffer();
            leave(TOO_LONG, "a message must have at most " + MOST_BYTES + " bytes");
        } else if (frame.isFinal()) {
            store(message.getBytes(), type);
            message = Buffer.buffer();
        }
    }

    /** Reads, unless a message is being stored or answers are not being read. */
    private void readOn() {
        if (isStoring || isFull()) {
            socket.pause();
        } else {
            socket.resume();
        }
    }

    private void store(byte[] bytes, String type) {
        isStoring = true;
        work.run(() -> JsonDocument.line(stored(bytes, type)))
                .eventually(() -> {
                    isStoring = false;
                    return Future.succeededFuture();
                })
                .onComplete(this::answer, this::notStored);
    }

    /** On a thread of its own. */
    private DurableQueue.Acknowledged stored(byte[] bytes, String type)
            throws MalformedRowsException, CharacterCodingException {
        if (type.equals(RowBodies.LINES)) {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
        }
        int end = 0;
        while (end < bytes.length && end < MOST_HEAD_BYTES && bytes[end] != '\n') {
            end++;
        }
        String head = new String(bytes, 0, end, StandardCharsets.ISO_8859_1);
        Matcher sequence = HEAD.matcher(head);
        if (!sequence.matches()) {
            throw HttpError.wrong(
                    "sequence",
                    "a message must begin with a line that numbers its first row, such as {\"sequence\": 20}, was "
                            + AccessGuard.shown(head));
        }
        byte[] rows = Arrays.copyOfRange(bytes, Math.min(end + 1, bytes.length), bytes.length);
        return queue.append(client, Long.parseLong(sequence.group(1)), RowBodies.read(queue.format(), type, rows));
    }

    private void notStored(Throwable failure) {
        if (failure instanceof CharacterCodingException) {
            leave(NOT_UTF_8, "a text message must be UTF-8");
            return;
        }
        Optional<RejectedRows> refused = failure instanceof HttpError httpError
                ? Optional.of(RejectedRows.of(httpError))
                : failure instanceof UncheckedIOException
                        ? Optional.of(RejectedRows.of(HttpError.unavailable(String.valueOf(failure.getMessage()))))
                        : RejectedRows.of(failure);
        if (refused.isPresent()) {
            answer(JsonDocument.line(refused.get()));
        } else if (failure instanceof IllegalStateException) { // the queue is closed
            end();
        } else {
            leave(UNEXPECTED, "this should not have happened");
        }
    }

    private void answer(String json) {
        if (!isLeft) {
            if (!socket.isClosed()) { // else the client asks for its number when it reconnects
                socket.writeTextMessage(json);
            }
            readOn(); // rows that were sent before a close message are stored as well
        }
    }
}
