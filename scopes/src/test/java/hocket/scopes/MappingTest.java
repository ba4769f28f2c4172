package hocket.scopes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MappingTest {
    @ParameterizedTest
    @CsvSource({"generator/**, ema/generator/**", "generator, ema/generator"})
    void whatIsUnderTheFirstGoesUnderTheSecondAndTheRestStays(String from, String to) {
        Mapping mapping = Mapping.of(from, to);
        assertThat(mapping.map(Path.of("generator/up/conv1"))).isEqualTo(Path.of("ema/generator/up/conv1"));
        assertThat(mapping.map(Path.of("generator2/up"))).isEqualTo(Path.of("generator2/up"));
        assertThat(mapping.map(Path.of("ema/generator/up"))).isEqualTo(Path.of("ema/generator/up"));
        assertThat(mapping).isEqualTo(new Mapping(Path.of("generator"), Path.of("ema/generator")));
    }

    @Test
    void aWholePathMayBeMapped() {
        assertThat(Mapping.of("a/w", "b/v").map(Path.of("a/w"))).isEqualTo(Path.of("b/v"));
    }

    @ParameterizedTest
    @CsvSource({"generator/**, ema", "generator, ema/**", "*/a, b/a", "a/*, b/*", "a/**/**, b/**", "**, ema/**"})
    void otherStarsAreRefused(String from, String to) {
        assertThatThrownBy(() -> Mapping.of(from, to))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("cannot map " + from + " to " + to
                        + ": both must be one path, or both end in /** and have no other star");
    }

    @Test
    void aTargetInsideTheSourceIsRefused() {
        assertThatThrownBy(() -> Mapping.of("generator/**", "generator/ema/**"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("cannot map generator to generator/ema: it lies inside generator");
        assertThatThrownBy(() -> Mapping.of("a", "a")).hasMessage("cannot map a to a: they are the same");
    }

    @Test
    void aSourceInsideTheTargetIsAllowed() {
        assertThat(Mapping.of("old/generator/**", "old/**").map(Path.of("old/generator/w")))
                .isEqualTo(Path.of("old/w"));
    }
}
