package hocket.rl.envs;

import static org.assertj.core.api.Assertions.assertThat;

import hocket.rl.random.Pcg64;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests the pictures of environments. */
class EnvironmentPictureTest {
    static Set<String> names() {
        return Environments.names();
    }

    @ParameterizedTest
    @MethodSource("names")
    void changesAreVisible(String name) {
        Environment environment = Environments.make(name);
        environment.reset(Pcg64.of(3));
        Pcg64 chooser = Pcg64.of(4);
        int[] before = pixels(environment);
        String text = environment.text();
        assertThat(IntStream.of(before).distinct().count()).isGreaterThan(2);
        boolean otherText = false;
        boolean otherPicture = false;
        for (int i = 0; i < 20 && !environment.terminated() && !environment.truncated(); i++) {
            environment.step(environment.actions().sample(chooser), 0);
            otherText |= !environment.text().equals(text);
            otherPicture |= !Arrays.equals(pixels(environment), before);
        }
        assertThat(otherText).as("another text").isTrue();
        assertThat(otherPicture).as("another picture").isTrue();
    }

    private static int[] pixels(Environment environment) {
        return EnvironmentPicture.of(environment, 300, 200).getRGB(0, 0, 300, 200, null, 0, 300);
    }

    @Test
    void theAgentOfATabularEnvironmentIsInBrackets() {
        Environment lake = Environments.make("FrozenLake-v1");
        lake.reset(Pcg64.of(0));
        assertThat(lake.text()).isEqualTo("[S] F  F  F \n F  H  F  H \n F  F  F  H \n H  F  F  G");
        Environment taxi = Environments.make("Taxi-v4");
        taxi.reset(Pcg64.of(0)); // state 314: row 3, column 0, passenger at B, to Y
        assertThat(taxi.text()).contains("\n[ ]|       |       \n").endsWith("passenger at B, to Y");
        Environment blackjack = Environments.make("Blackjack-v1");
        blackjack.reset(Pcg64.of(0));
        assertThat(blackjack.text()).matches("dealer [JQK][♣♦♥♠] \\?\nplayer 7 4 = 11");
    }
}
