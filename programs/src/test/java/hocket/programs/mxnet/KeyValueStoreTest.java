package hocket.programs.mxnet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hocket.programs.execution.KeyValueStore;
import hocket.programs.execution.KeyValueStore.Membership;
import hocket.programs.execution.KeyValueStore.Role;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("engine")
@Tag("processes")
class KeyValueStoreTest {
    private static final int WORKERS = 3;
    private static final int[] LENGTHS = {1, 5, 2_000_003};

    /** One process of a store: role, port, and the number that a worker begins with. */
    static final class Part {
        public static void main(String[] arguments) {
            Role role = Role.valueOf(arguments[0]);
            int port = Integer.parseInt(arguments[1]);
            boolean atOnce = arguments[3].equals("at-once");
            KeyValueStore store =
                    KeyValueStore.join(new Membership(role, "127.0.0.1", port, WORKERS, 2, "127.0.0.1", atOnce));
            if (role == Role.WORKER) {
                if (atOnce) {
                    keep(store);
                }
                work(store, Float.parseFloat(arguments[2]));
            } else {
                store.serve((key, pushed, kept) -> {
                    for (int i = 0; i < pushed.capacity(); i += Float.BYTES) {
                        kept.putFloat(i, kept.getFloat(i) + (key + 1) * pushed.getFloat(i));
                    }
                });
            }
            store.close();
            System.out.println("left");
        }

        /** Pushes 1 and 2 into two arrays, each five times, and says what they are when all have. */
        private static void keep(KeyValueStore store) {
            ByteBuffer initial =
                    ByteBuffer.allocateDirect(1_500_000 * Float.BYTES).order(ByteOrder.nativeOrder());
            initial.putFloat(0, 100);
            KeyValueStore.Kept[] arrays = {store.keep(0, initial), store.keep(7, initial)};
            int last = initial.capacity() - Float.BYTES;
            float before = 0;
            for (int time = 0; time < 5; time++) {
                for (int i = 0; i < arrays.length; i++) {
                    ByteBuffer numbers = arrays[i].numbers();
                    numbers.putFloat(0, 1 + i).putFloat(last, 1 + i);
                    arrays[i].push();
                }
                float now = arrays[0].numbers().getFloat(last);
                if (now <= before) {
                    throw new AssertionError("its own push is not there: " + now);
                }
                before = now;
            }
            store.share(1).sum(); // all have pushed
            for (KeyValueStore.Kept array : arrays) {
                array.numbers().putFloat(0, 0).putFloat(last, 0);
                array.push();
                System.out.println("kept " + array.numbers().getFloat(0) + " "
                        + array.numbers().getFloat(last));
            }
        }

        private static void work(KeyValueStore store, float mine) {
            List<KeyValueStore.Shared> arrays = new ArrayList<>();
            for (int length : LENGTHS) {
                arrays.add(store.share(length));
            }
            for (int time = 0; time < 3; time++) {
                for (int i = 0; i < LENGTHS.length; i++) {
                    ByteBuffer numbers = arrays.get(i).numbers();
                    for (int k = 0; k < LENGTHS[i]; k++) {
                        numbers.putFloat(k * Float.BYTES, mine + k % 7 + time);
                    }
                    arrays.get(i).sum();
                }
                for (int i = 0; i < LENGTHS.length; i++) {
                    int last = LENGTHS[i] - 1;
                    System.out.println(arrays.get(i).numbers().getFloat(0) + " "
                            + arrays.get(i).numbers().getFloat(last * Float.BYTES));
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"together", "at-once"})
    void workersHaveTheSumOfWhatAllHave(String servers) throws Exception {
        int port = freePort();
        ExecutorService threads = Executors.newCachedThreadPool();
        try {
            List<Future<Fork.Result>> parts = new ArrayList<>();
            parts.add(threads.submit(() -> part(Role.SCHEDULER, port, 0, servers)));
            parts.add(threads.submit(() -> part(Role.SERVER, port, 0, servers)));
            parts.add(threads.submit(() -> part(Role.SERVER, port, 0, servers)));
            for (int worker = 0; worker < WORKERS; worker++) {
                int mine = 10 * (worker + 1);
                parts.add(threads.submit(() -> part(Role.WORKER, port, mine, servers)));
            }
            for (int i = 0; i < parts.size(); i++) {
                Fork.Result result = parts.get(i).get();
                assertThat(result.status()).as(result.output()).isZero();
                if (i > 2) {
                    assertThat(result.output().lines()).endsWith(expected());
                    if (servers.equals("at-once")) { // three workers, five times, once and eight times 1 and 2
                        assertThat(result.output().lines()).contains("kept 115.0 15.0", "kept 340.0 240.0");
                    }
                }
            }
        } finally {
            threads.shutdownNow();
        }
    }

    /** 60 is the sum of what the workers begin with; the last place of n has 3·((n − 1) mod 7) more. */
    private static String[] expected() {
        List<String> lines = new ArrayList<>();
        for (int time = 0; time < 3; time++) {
            for (int length : LENGTHS) {
                float first = 60 + 3 * time;
                lines.add(first + " " + (first + 3 * ((length - 1) % 7)));
            }
        }
        lines.add("left");
        return lines.toArray(String[]::new);
    }

    private static Fork.Result part(Role role, int port, float mine, String servers)
            throws IOException, InterruptedException {
        return Fork.run(
                Part.class,
                List.of("-Xmx200m"),
                Map.of("PORT", "80"),
                entry -> true,
                role.name(),
                Integer.toString(port),
                Float.toString(mine),
                servers);
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    @Test
    void aStoreNeedsAWorkerAServerAndAPort() {
        assertThatThrownBy(() -> new Membership(Role.WORKER, "127.0.0.1", 1, 0, 1, "127.0.0.1", false))
                .hasMessage("a key-value store needs at least one worker and one server, got 0 and 1");
        assertThatThrownBy(() -> new Membership(Role.WORKER, "127.0.0.1", 0, 1, 1, "127.0.0.1", false))
                .hasMessage("port: must be from 1 to 65535, was 0");
    }
}
