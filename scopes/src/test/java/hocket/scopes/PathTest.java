package hocket.scopes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PathTest {
    @ParameterizedTest
    @ValueSource(strings = {"a", "generator/up/conv1/weight", "discriminator#2/conv1", "A-b_c.d+e/0", "v1.2"})
    void lettersDigitsAndAFewSignsMakeAPath(String text) {
        assertThat(Path.of(text).text()).isEqualTo(text);
        assertThat(Path.of(text)).hasToString(text);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "/a",
                "a/",
                "a//b",
                "my layer",
                "a\\b",
                "ü",
                "a*",
                "a#",
                "a#x",
                "#1",
                "a#1#2",
                "..",
                ".",
                "a/../b",
                ".git"
            })
    void anythingElseIsRefusedQuotingThePathAndTheRule(String text) {
        assertThatThrownBy(() -> Path.of(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("\"" + text + "\" is not a path: segment \"")
                .hasMessageContaining("must be letters, digits, _ . + or -");
    }

    @Test
    void theMessageNamesTheSegmentThatIsWrong() {
        assertThatThrownBy(() -> Path.of("generator/my layer/weight"))
                .hasMessage("\"generator/my layer/weight\" is not a path: segment \"my layer\" must be letters, digits,"
                        + " _ . + or -, at least one, the first not a dot");
    }

    @Test
    void itsPartsAreTheModuleAndTheName() {
        assertThat(Path.of("generator/up/conv1").module()).isEqualTo("generator");
        assertThat(Path.of("generator/up/conv1").name()).isEqualTo("conv1");
        assertThat(Path.of("noise").module()).isEqualTo("noise");
        assertThat(Path.of("noise").name()).isEqualTo("noise");
    }

    @Test
    void resolvingAddsOneOrMoreSegments() {
        assertThat(Path.of("generator").resolve("up/conv1")).isEqualTo(Path.of("generator/up/conv1"));
        assertThatThrownBy(() -> Path.of("generator").resolve("")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void theNumbersOfCallsCanBeLeftOut() {
        assertThat(Path.of("discriminator#2/up#13/conv1").withoutCalls()).isEqualTo(Path.of("discriminator/up/conv1"));
        assertThat(Path.of("discriminator/conv1").withoutCalls()).isEqualTo(Path.of("discriminator/conv1"));
    }

    @Test
    void aPathIsUnderItselfAndItsLeadingPartsButNotUnderHalfASegment() {
        Path path = Path.of("generator/up/conv1");
        assertThat(path.isUnder(path)).isTrue();
        assertThat(path.isUnder(Path.of("generator"))).isTrue();
        assertThat(path.isUnder(Path.of("generator/up"))).isTrue();
        assertThat(path.isUnder(Path.of("gen"))).isFalse();
        assertThat(path.isUnder(Path.of("generator/up/conv"))).isFalse();
        assertThat(path.isUnder(Path.of("generator/up/conv1/weight"))).isFalse();
    }

    @Test
    void rebasingExchangesTheLeadingPart() {
        Path ema = Path.of("ema/generator");
        assertThat(Path.of("generator/up").rebase(Path.of("generator"), ema)).isEqualTo(Path.of("ema/generator/up"));
        assertThat(Path.of("generator").rebase(Path.of("generator"), ema)).isEqualTo(ema);
        assertThatThrownBy(() -> Path.of("critic/up").rebase(Path.of("generator"), ema))
                .hasMessage("critic/up is not under generator");
    }

    @Test
    void pathsAreOrderedAsText() {
        TreeSet<Path> paths = new TreeSet<>();
        for (String text : new String[] {"b", "a/b", "a", "a-b", "a/B"}) {
            paths.add(Path.of(text));
        }
        assertThat(paths).extracting(Path::text).containsExactly("a", "a-b", "a/B", "a/b", "b");
    }
}
