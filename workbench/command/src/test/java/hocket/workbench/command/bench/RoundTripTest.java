package hocket.workbench.command.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RoundTripTest {
    private static final int CORES = Runtime.getRuntime().availableProcessors();

    @Test
    void oneThreadNeedsNoAnswer() {
        assertThat(RoundTrip.nanos(1)).isEmpty();
    }

    @Test
    void twoThreadsAnswerInSomeTimeAndCanBeMeasuredAgain() {
        for (int again = 0; again < 2; again++) {
            assertThat(RoundTrip.measured(2).orElse(Double.POSITIVE_INFINITY)).isGreaterThan(1);
        }
    }

    @Test
    void moreThreadsThanCoresAreNotMeasured() {
        assertThat(RoundTrip.nanos(CORES + 1)).isEmpty();
    }
}
