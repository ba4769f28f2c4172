package hocket.workbench.live;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A connection on which anything can be sent, right or wrong. */
public final class Wire implements AutoCloseable {
    public static final int TEXT = 0x81;
    public static final int PING = 0x89;
    public static final int GOODBYE = 0x88;

    private static final int LONGEST_MILLIS = 20_000;
    private static final Pattern LENGTH = Pattern.compile("\r\ncontent-length: *([0-9]+)\r\n");

    private final Socket socket;

    public Wire(int port) throws IOException {
        socket = new Socket("127.0.0.1", port);
        socket.setSoTimeout(LONGEST_MILLIS);
        socket.setTcpNoDelay(true);
    }

    /** Takes little that is not read: so many bytes. */
    public Wire takingAtMost(int bytes) throws IOException {
        socket.setReceiveBufferSize(bytes);
        return this;
    }

    /**
     * What came.
     *
     * @param status 0 where the connection was closed without an answer
     * @param head as it came
     */
    public record Answer(int status, String head, String body) {
        static final Answer NONE = new Answer(0, "", "");
    }

    public Wire send(String text) throws IOException {
        return send(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    public Wire send(byte[] bytes) throws IOException {
        try {
            socket.getOutputStream().write(bytes);
            socket.getOutputStream().flush();
        } catch (SocketException e) {
            // it was closed already, which the answer tells
        }
        return this;
    }

    /** The next answer. */
    public Answer answer() throws IOException {
        InputStream in = socket.getInputStream();
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        try {
            while (!head.toString(StandardCharsets.ISO_8859_1).endsWith("\r\n\r\n")) {
                int next = in.read();
                if (next < 0) {
                    return Answer.NONE;
                }
                head.write(next);
            }
            String text = head.toString(StandardCharsets.ISO_8859_1);
            Matcher length = LENGTH.matcher(text.toLowerCase(Locale.ROOT));
            byte[] body = in.readNBytes(length.find() ? Integer.parseInt(length.group(1)) : 0);
            return new Answer(Integer.parseInt(text.substring(9, 12)), text, new String(body, StandardCharsets.UTF_8));
        } catch (SocketException e) {
            return Answer.NONE; // reset
        }
    }

    /** The next byte, or -1 where the other side has closed. */
    public int next() throws IOException {
        try {
            return socket.getInputStream().read();
        } catch (SocketException e) {
            return -1;
        }
    }

    /** The first byte of the next frame of a WebSocket, which is read whole; -1 where the other side has closed. */
    public int frame() throws IOException {
        int first = next();
        if (first >= 0) {
            payload();
        }
        return first;
    }

    /** The status of the goodbye that comes next by WebSocket, -1 where the other side has closed without; others are passed over. */
    public int goodbye() throws IOException {
        int first = next();
        while (first >= 0 && first != GOODBYE) {
            payload();
            first = next();
        }
        if (first < 0) {
            return -1;
        }
        int length = next();
        byte[] said = socket.getInputStream().readNBytes(length);
        return said.length < 2 ? 0 : (said[0] & 0xff) << 8 | said[1] & 0xff;
    }

    /** The next text by WebSocket; pings are passed over. */
    public String text() throws IOException {
        int first = next();
        while (first == PING) {
            payload();
            first = next();
        }
        if (first != TEXT) {
            throw new IOException("no text but " + first);
        }
        return payload();
    }

    private String payload() throws IOException {
        int length = next();
        int further = length == 126 ? 2 : length == 127 ? 8 : 0;
        long bytes = further == 0 ? length : 0;
        for (int i = 0; i < further; i++) {
            bytes = bytes << 8 | next();
        }
        return new String(socket.getInputStream().readNBytes((int) bytes), StandardCharsets.UTF_8);
    }

    /** A text as a client's frame, masked by zeros. */
    public static byte[] frame(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        ByteBuffer frame = ByteBuffer.allocate(8 + bytes.length);
        frame.put((byte) TEXT).put((byte) (0x80 | 126)).putShort((short) bytes.length);
        return frame.putInt(0).put(bytes).array();
    }

    /** The head of a client's text of so many bytes. */
    public static byte[] announced(int bytes) {
        return ByteBuffer.allocate(14)
                .put((byte) TEXT)
                .put((byte) 0xff)
                .putLong(bytes)
                .putInt(0)
                .array();
    }

    /** Waits until the other side has closed. */
    void awaitEnd() throws IOException {
        while (next() >= 0) {
            // on
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
