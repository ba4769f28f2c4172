package hocket.workbench.command;

import java.net.http.WebSocket;
import java.util.Queue;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** A listener of a WebSocket that puts whole texts into a queue, whatever parts they come in. */
public class Texts implements WebSocket.Listener {
    private final StringBuilder text = new StringBuilder();
    private final Queue<String> into;

    public Texts(Queue<String> into) {
        this.into = into;
    }

    @Override
    public @Nullable CompletionStage<?> onText(WebSocket socket, CharSequence data, boolean last) {
        text.append(data);
        if (last) {
            into.add(text.toString());
            text.setLength(0);
        }
        socket.request(1);
        return null;
    }
}
