package hocket.workbench.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Who sends rows by WebSocket. */
public final class RowClient implements AutoCloseable {
    private static final long LONGEST_SECONDS = 20;

    private final LinkedBlockingQueue<String> came = new LinkedBlockingQueue<>();
    private final WebSocket socket;

    /**
     * Opens one.
     *
     * @param server such as {@code http://127.0.0.1:41233}
     * @param rows the rest of the address, with who sends
     * @throws IOException if there is nobody, or the WebSocket is refused
     */
    public RowClient(HttpClient http, String server, String token, String rows) throws Exception {
        socket = awaited(http.newWebSocketBuilder()
                .subprotocols("hocket.v1", "token." + token)
                .buildAsync(URI.create(server.replaceFirst("^http", "ws") + rows), new Coming()));
    }

    private static <T> T awaited(CompletableFuture<T> soon) throws Exception {
        try {
            return soon.get(LONGEST_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw new IOException(e.getCause());
        }
    }

    private final class Coming extends Texts {
        Coming() {
            super(came);
        }

        @Override
        public @Nullable CompletionStage<?> onClose(WebSocket from, int status, String reason) {
            came.add("closed " + status + " " + reason);
            return null;
        }

        @Override
        public void onError(WebSocket from, Throwable failure) {
            came.add("closed by " + failure);
        }
    }

    /**
     * Sends rows, an object a line, without waiting for an answer.
     *
     * @throws IOException if nobody takes them any more
     */
    public RowClient send(long sequence, String... lines) throws Exception {
        return sendText("{\"sequence\": " + sequence + "}\n" + String.join("\n", lines));
    }

    /** Sends any text. */
    public RowClient sendText(String text) throws Exception {
        awaited(socket.sendText(text, true));
        return this;
    }

    /** Sends a part of what is to be one message. */
    public RowClient sendPart(String text) throws Exception {
        awaited(socket.sendText(text, false));
        return this;
    }

    /** Sends any bytes. */
    public RowClient sendBytes(byte[] bytes) throws Exception {
        awaited(socket.sendBinary(ByteBuffer.wrap(bytes), true));
        return this;
    }

    /** Says that nothing more will come. */
    public void goodbye() throws Exception {
        awaited(socket.sendClose(WebSocket.NORMAL_CLOSURE, ""));
    }

    /** What comes next; {@code closed} and why at the end. */
    public String answer() throws InterruptedException {
        String next = came.poll(LONGEST_SECONDS, TimeUnit.SECONDS);
        assertThat(next).as("an answer").isNotNull();
        return String.valueOf(next);
    }

    @Override
    public void close() {
        socket.abort();
    }
}
