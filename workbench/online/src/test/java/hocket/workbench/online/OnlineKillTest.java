package hocket.workbench.online;

import static org.assertj.core.api.Assertions.assertThat;

import hocket.workbench.testing.ForkedJava;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A process that takes rows from clients and trains on them is killed again and again: no row that was acknowledged is lost,
 * none is trained on twice in the lineage of the checkpoint that survives, and each client's come in its order. {@code mvn test
 * -Pslow -Dtest=OnlineKillTest -Dhocket.kills=20} takes 100,000 rows.
 */
@Tag("engine")
@Tag("processes")
class OnlineKillTest {
    private static final int CLIENTS = 8;
    private static final int KILLS = Integer.getInteger("hocket.kills", 20);
    private static final int MANY_OF_EACH = 12_500;
    private static final int FEW_OF_EACH = 500;

    @TempDir
    private Path here;

    @Test
    void killedThreeTimesItTrainsOnEachRowOnce() throws Exception {
        killed(3, FEW_OF_EACH, true);
    }

    @Tag("slow")
    @Test
    void killedAgainAndAgainItTrainsOnEachOfAHundredThousandRowsOnce() throws Exception {
        killed(KILLS, MANY_OF_EACH, true);
    }

    @Tag("slow")
    @Test
    void thatIsSoWithoutForcedWritesToo() throws Exception {
        killed(KILLS, MANY_OF_EACH, false);
    }

    private void killed(int kills, int each, boolean forced) throws Exception {
        long all = (long) CLIENTS * each * OnlineProcess.ROW_BYTES;
        Random random = new Random(7);
        int killed = 0;
        while (true) {
            Process process = start(each, forced);
            boolean ended = killed < kills
                    ? kill(process, all * (killed + 1) / (kills + 1), killed % 4 == 3, random)
                    : process.waitFor(5, TimeUnit.MINUTES);
            if (ended) {
                assertThat(process.exitValue()).as(said()).isZero();
                break;
            }
            killed++;
        }
        assertThat(killed).as("kills before all was trained on").isEqualTo(kills);
        assertEachIsTrainedOnOnce(each);
        try (Stream<Path> segments = Files.list(here.resolve("queue/stream"))) {
            assertThat(segments).as("segments that are left").hasSizeLessThan(8);
        }
        System.out.println(CLIENTS * each + " rows of " + CLIENTS + " clients, killed " + killed
                + " times: each was trained on once, in its client's order");
    }

    /** Kills it once it is so far, or before by the clock. Gives whether it came to its end before. */
    private boolean kill(Process process, long trained, boolean byTheClock, Random random) throws Exception {
        if (byTheClock) {
            if (process.waitFor(300 + random.nextInt(900), TimeUnit.MILLISECONDS)) {
                return true;
            }
        } else {
            Path file = here.resolve("trained");
            while (!Files.exists(file) || Files.size(file) < trained) {
                if (process.waitFor(2, TimeUnit.MILLISECONDS)) {
                    return true;
                }
            }
            if (process.waitFor(random.nextInt(30), TimeUnit.MILLISECONDS)) {
                return true;
            }
        }
        process.destroyForcibly();
        process.waitFor();
        return false;
    }

    private void assertEachIsTrainedOnOnce(int each) throws IOException {
        ByteBuffer trained = ByteBuffer.wrap(Files.readAllBytes(here.resolve("trained")));
        long[] next = new long[CLIENTS];
        while (trained.hasRemaining()) {
            int client = (int) trained.getLong();
            long sequence = trained.getLong();
            assertThat(sequence).as("row of client %d", client).isEqualTo(next[client]);
            next[client]++;
        }
        for (int client = 0; client < CLIENTS; client++) {
            assertThat(OnlineProcess.acknowledged(here, client)).isEqualTo(each);
            assertThat(next[client]).as("rows of client %d", client).isEqualTo(each);
        }
    }

    private Process start(int each, boolean forced) throws IOException {
        List<String> command = ForkedJava.command(OnlineProcess.class);
        command.addAll(List.of(here.toString(), "" + CLIENTS, "" + each, "" + forced));
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        here.resolve("said.txt").toFile()))
                .start();
    }

    private String said() throws IOException {
        return Files.readString(here.resolve("said.txt"));
    }
}
