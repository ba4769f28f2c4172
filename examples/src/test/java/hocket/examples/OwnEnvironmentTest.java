package hocket.examples;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Dense networks alone: this example runs without the native library. */
class OwnEnvironmentTest {
    @Test
    void theLiftLearnsToStop() {
        assertThat(OwnEnvironment.run(15_000))
                .hasEntrySatisfying(
                        "return_mean",
                        mean -> assertThat(mean).isGreaterThan(1.3)); // 0.6 after a single round, 1.54 at last
    }
}
