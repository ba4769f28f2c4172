package hocket.workbench.training.reports;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

import hocket.schedulers.Event;
import hocket.schedulers.Run;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class PaceTest {
    private static final long SECOND = 1_000_000_000L;

    private final AtomicLong clock = new AtomicLong();
    private final Throughput throughput = new Throughput(clock::get);
    private final Run run = mock(Run.class);

    private static Event.Position at(long round) {
        return new Event.Position(2 * round, round, 0);
    }

    private void round(long number, long seconds) {
        clock.addAndGet(seconds * SECOND);
        throughput.heard(run, new Event.RoundEnded(at(number)));
    }

    @Test
    void howFastItWentDoesNotCountTheFirstRoundAndWhatCameBefore() {
        throughput.run(run, () -> {
            round(1, 20);
            for (int i = 2; i <= 11; i++) {
                round(i, 1);
            }
        });
        assertThat(throughput.text(at(11))).isEqualTo("0:30, 1.00 it/s");
    }

    @Test
    void aSingleRoundSaysNothingOfHowFastOthersWouldBe() {
        throughput.run(run, () -> round(1, 20));
        assertThat(throughput.text(at(1))).isEqualTo("0:20");
    }
}
