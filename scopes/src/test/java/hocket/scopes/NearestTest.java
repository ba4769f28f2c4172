package hocket.scopes;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class NearestTest {
    @Test
    void aNameAFewLettersAwayIsAsked() {
        assertThat(SimilarNames.among("generator/conv2", List.of("discriminator/conv1", "generator/conv1")))
                .isEqualTo("; did you mean generator/conv1?");
    }

    @Test
    void aNameWithAWordThatBeginsAlikeIsAskedHoweverLongItIs() {
        List<String> known = List.of("exploration_noise", "target_noise", "rate", "algorithm.exploration_noise");
        assertThat(SimilarNames.among("explore", known)).isEqualTo("; did you mean exploration_noise?");
        assertThat(SimilarNames.among("noise", known))
                .isEqualTo("; there is: target_noise, exploration_noise, algorithm.exploration_noise, rate");
        assertThat(SimilarNames.among("target", known)).isEqualTo("; did you mean target_noise?");
    }

    @Test
    void aNameThatSharesAWordIsAskedBeforeAShortOneThatSharesNone() {
        List<String> penalties = List.of("wgan_gp", "wgan_lp", "zero_centred", "r1", "r2", "dragan");
        assertThat(SimilarNames.among("gp", penalties)).isEqualTo("; did you mean wgan_gp?");
        List<String> settings = List.of("latent", "width", "loss", "network.norm", "norm", "penalties");
        assertThat(SimilarNames.among("spectral_norm", settings)).isEqualTo("; did you mean norm?");
        assertThat(SimilarNames.among("gradient_penalties", settings)).isEqualTo("; did you mean penalties?");
    }

    @Test
    void twoLettersThatShareNoneAreNotNear() {
        assertThat(SimilarNames.among("gp", List.of("r1", "d"))).startsWith("; there is: ");
        assertThat(SimilarNames.among("rte", List.of("rate"))).isEqualTo("; did you mean rate?");
    }

    @Test
    void farNamesAreListedNearestFirst() {
        assertThat(SimilarNames.among("q", List.of("policy", "value", "qq-net-work")))
                .isEqualTo("; there is: value, policy, qq-net-work");
    }

    @Test
    void longListsAreCut() {
        assertThat(SimilarNames.among("xxxxxx", List.of("a", "b", "c", "d", "e", "f", "g", "h", "i", "a")))
                .isEqualTo("; there is: a, b, c, d, e, f, g and 2 more");
    }

    @Test
    void nothingKnownIsSaid() {
        assertThat(SimilarNames.among("a", List.of())).isEqualTo("; there is none at all");
    }

    @Test
    void aNameInOtherCaseIsMeant() {
        assertThat(SimilarNames.among("PPO", List.of("A2c", "Ppo", "ppo_clip", "PCO")))
                .isEqualTo("; did you mean Ppo?");
        assertThat(SimilarNames.among("CARTPOLE-PPO", List.of("cartpole-ppo", "cartpole-a2c")))
                .isEqualTo("; did you mean cartpole-ppo?");
        assertThat(SimilarNames.among("PPO", List.of("Ppo", "ppo"))).isEqualTo("; there is: Ppo, ppo");
    }
}
