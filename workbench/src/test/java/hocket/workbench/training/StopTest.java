package hocket.workbench.training;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import sun.misc.Signal;

class StopTest {
    @Test
    @Timeout(20)
    void aSignalAsksOnceAndGivesTheStatusOfAProcessThatItEnded() throws InterruptedException {
        try (Stop stop = Stop.onSignals()) {
            assertThat(stop.isRequested()).isFalse();
            Signal.raise(new Signal("INT"));
            while (!stop.isRequested()) {
                Thread.sleep(5); // signals come on a thread of their own
            }
            assertThat(stop.status()).isEqualTo(130);
        }
    }
}
