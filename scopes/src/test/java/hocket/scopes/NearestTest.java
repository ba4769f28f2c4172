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
