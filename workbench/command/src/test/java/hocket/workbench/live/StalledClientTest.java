package hocket.workbench.live;

import static org.assertj.core.api.Assertions.assertThat;

import hocket.schedulers.Event;
import hocket.workbench.live.http.Connections;
import io.netty.buffer.PooledByteBufAllocator;
import java.net.URI;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A client watches a run and stops reading; the server sends the ticks of twenty minutes at once and keeps its memory. */
@Tag("engine")
@Timeout(120)
class StalledClientTest {
    private static final int TICKS = 12_000;
    private static final int SERIES = 10;
    /** Memory may grow by this many bytes, about a quarter of what unread ticks of twenty minutes would take. */
    private static final long MOST = 3 << 20;

    @TempDir
    private Path here;

    @Test
    void memoryIsFlat() throws Exception {
        ServedToy toy = new ServedToy(here, Connections.Limits.USUAL);
        LiveServer server = toy.server();
        int port = URI.create(server.address()).getPort();
        try (Wire stalled = new Wire(port)) {
            assertThat(stalled.send("GET /api/runs/run/live HTTP/1.1\r\nHost: 127.0.0.1:" + port
                                    + "\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                                    + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
                                    + "Sec-WebSocket-Protocol: hocket.v1, token." + server.token() + "\r\n\r\n")
                            .answer()
                            .status())
                    .isEqualTo(101);
            ticks(toy, 0, 2 * TICKS); // until what is kept of each series is thinned, and the client's buffers are full
            long before = memory();
            ticks(toy, 2 * TICKS, TICKS);
            assertThat(memory() - before)
                    .as("bytes that twenty minutes have added")
                    .isLessThan(MOST);
            int taken = 0;
            while (taken < 10) {
                assertThat(stalled.frame())
                        .as("it can still read what was sent before")
                        .isEqualTo(0x81);
                taken++;
            }
        }
        toy.continues();
        toy.end();
    }

    private static void ticks(ServedToy toy, int first, int count) throws Exception {
        for (int i = first; i < first + count; i++) {
            for (int series = 0; series < SERIES; series++) {
                toy.attended().figure(new Event.Position(i, i, 0), "series/" + series, Math.sin(i));
            }
            toy.server().tick().toCompletionStage().toCompletableFuture().get();
        }
    }

    /** Bytes that are in use, in the heap and beside it. */
    private static long memory() throws InterruptedException {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 5; i++) {
            System.gc();
            Thread.sleep(20);
            Runtime runtime = Runtime.getRuntime();
            least = Math.min(least, runtime.totalMemory() - runtime.freeMemory());
        }
        return least + PooledByteBufAllocator.DEFAULT.metric().usedDirectMemory();
    }
}
