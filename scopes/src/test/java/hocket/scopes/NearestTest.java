package hocket.scopes;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class NearestTest {
    @Test
    void aNameAFewLettersAwayIsAsked() {
        assertThat(Nearest.among("generator/conv2", List.of("discriminator/conv1", "generator/conv1")))
                .isEqualTo("; did you mean generator/conv1?");
    }

    @Test
    void aNameWithAWordThatBeginsAlikeIsAskedHoweverLongItIs() {
        List<String> known = List.of("exploration_noise", "target_noise", "rate", "algorithm.exploration_noise");
        assertThat(Nearest.among("explore", known)).isEqualTo("; did you mean exploration_noise?");
        assertThat(Nearest.among("noise", known))
                .isEqualTo("; there is: target_noise, exploration_noise, algorithm.exploration_noise, rate");
        assertThat(Nearest.among("target", known)).isEqualTo("; did you mean target_noise?");
    }

    @Test
    void aNameThatSharesAWordIsAskedBeforeAShortOneThatSharesNone() {
        List<String> penalties = List.of("wgan_gp", "wgan_lp", "zero_centred", "r1", "r2", "dragan");
        assertThat(Nearest.among("gp", penalties)).isEqualTo("; did you mean wgan_gp?");
        List<String> settings = List.of("latent", "width", "loss", "network.norm", "norm", "penalties");
        assertThat(Nearest.among("spectral_norm", settings)).isEqualTo("; did you mean norm?");
        assertThat(Nearest.among("gradient_penalties", settings)).isEqualTo("; did you mean penalties?");
    }

    @Test
    void twoLettersThatShareNoneAreNotNear() {
        assertThat(Nearest.among("gp", List.of("r1", "d"))).startsWith("; there is: ");
        assertThat(Nearest.among("rte", List.of("rate"))).isEqualTo("; did you mean rate?");
    }

    @Test
    void farNamesAreListedNearestFirst() {
        assertThat(Nearest.among("q", List.of("policy", "value", "qq-net-work")))
                .isEqualTo("; there is: value, policy, qq-net-work");
    }

    @Test
    void longListsAreCut() {
        assertThat(Nearest.among("xxxxxx", List.of("a", "b", "c", "d", "e", "f", "g", "a")))
                .isEqualTo("; there is: a, b, c, d, e and 2 more");
    }

    @Test
    void nothingKnownIsSaid() {
        assertThat(Nearest.among("a", List.of())).isEqualTo("; there is none at all");
    }
}
