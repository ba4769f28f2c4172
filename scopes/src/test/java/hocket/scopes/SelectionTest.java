package hocket.scopes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hocket.scopes.Declaration.Fan;
import hocket.scopes.Declaration.Kind;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SelectionTest {
    private static final List<Declaration> STORE = Stream.of(
                    "generator/project/weight",
                    "generator/project/bias",
                    "generator/bn0/scale",
                    "generator/up/conv1/weight",
                    "generator/up/conv1/bias",
                    "discriminator/conv1/weight",
                    "discriminator/conv1/bias",
                    "discriminator/logit/weight")
            .map(path -> new Declaration(
                    Path.of(path), Shape.of(2), ElementType.FLOAT32, Initialiser.zeros(), Fan.NONE, Kind.WEIGHT))
            .toList();

    private static List<String> selected(String... globs) {
        return Selection.of(globs).of(STORE).keySet().stream().map(Path::text).toList();
    }

    @ParameterizedTest
    @CsvSource({
        // ** at the end: at least one segment
        "generator/**, generator/bn0/scale, true",
        "generator/**, generator/up/conv1/weight, true",
        "generator/**, generator, false",
        "generator/**, generator2/bn0/scale, false",
        "generator/**, ema/generator/bn0/scale, false",
        "**, generator/up/conv1/weight, true",
        "**, temperature, true",
        // at the start and in the middle: any number
        "**/bias, generator/up/conv1/bias, true",
        "**/bias, bias, true",
        "**/bias, generator/mybias, false",
        "**/conv1/**, generator/up/conv1/weight, true",
        "**/conv1/**, discriminator/conv1/weight, true",
        "**/conv1/**, generator/conv10/weight, false",
        "generator/**/weight, generator/up/conv1/weight, true",
        "generator/**/weight, generator/weight, true",
        "generator/**/weight, generator/up/conv1/weight/slot, false",
        // * within a segment
        "generator/*, generator/bn0, true",
        "generator/*, generator/bn0/scale, false",
        "*/conv1/*, discriminator/conv1/bias, true",
        "generator/bn*/scale, generator/bn0/scale, true",
        "generator/bn*/scale, generator/bn/scale, true",
        "generator/*n0/s*e, generator/bn0/scale, true",
        "generator/b*n*0/scale, generator/bn0/scale, true",
        // no star: that path; a dot is a dot
        "generator/bn0/scale, generator/bn0/scale, true",
        "generator/bn0, generator/bn0/scale, false",
        "a.b/c, axb/c, false",
        "a+/c, aa/c, false",
    })
    void aGlobMatches(String glob, String path, boolean matches) {
        assertThat(Selection.of(glob).matches(Path.of(path))).isEqualTo(matches);
    }

    @Test
    void selectedParametersComeInPathOrder() {
        assertThat(selected("**/weight"))
                .containsExactly(
                        "discriminator/conv1/weight",
                        "discriminator/logit/weight",
                        "generator/project/weight",
                        "generator/up/conv1/weight");
    }

    @Test
    void aListTakesTheUnionAndMayBeWrittenWithCommas() {
        assertThat(selected("generator/bn0/**", "discriminator/logit/**"))
                .containsExactly("discriminator/logit/weight", "generator/bn0/scale")
                .isEqualTo(selected("generator/bn0/**, discriminator/logit/**"));
    }

    @Test
    void anExclamationMarkLeavesOutWhatCameBeforeAndALaterGlobTakesItBack() {
        assertThat(selected("generator/**", "!**/bias"))
                .containsExactly("generator/bn0/scale", "generator/project/weight", "generator/up/conv1/weight");
        assertThat(selected("generator/**", "!**/bias", "generator/up/**"))
                .containsExactly(
                        "generator/bn0/scale",
                        "generator/project/weight",
                        "generator/up/conv1/bias",
                        "generator/up/conv1/weight");
    }

    @ParameterizedTest
    @CsvSource({
        "generatr/**, 'selection generatr/** matches no parameter; did you mean generator/**?'",
        "generator/up/conv2/weight,"
                + " 'selection generator/up/conv2/weight matches no parameter; did you mean generator/up/conv1/weight?'",
        "generator/up/conv1, 'selection generator/up/conv1 matches no parameter; did you mean generator/up/conv1/**?'",
        "'generator/**, !generator/bn1/*',"
                + " 'selection !generator/bn1/* matches no parameter; did you mean generator/bn0/**?'",
    })
    void aGlobThatMatchesNothingIsAnErrorSayingWhatIsNear(String selection, String message) {
        assertThatThrownBy(() -> Selection.of(selection).of(STORE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }

    @Test
    void aGlobFarFromEverythingListsWhatThereIs() {
        assertThatThrownBy(() -> Selection.of("q/**").of(STORE))
                .hasMessageStartingWith("selection q/** matches no parameter; there is: ")
                .hasMessageEndingWith("more");
        assertThatThrownBy(() -> Selection.of("q/**").of(List.of())).hasMessageEndingWith("; there is none at all");
    }

    @Test
    void aSelectionThatLeavesOutAllItTookIsAnError() {
        assertThatThrownBy(() -> Selection.of("generator/**", "!**").of(STORE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("selection generator/**, !** selects no parameter");
    }

    @Test
    void aSelectionCannotBeginByLeavingOut() {
        assertThatThrownBy(() -> Selection.of("!generator/**"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a selection cannot begin by leaving out !generator/**");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "/a", "a/", "a//b", "a b", "a,,b", "a,", "!", "!!a", "a[0]", "a?", "critic#2/q"})
    void whatIsNoGlobIsRefused(String text) {
        assertThatThrownBy(() -> Selection.of(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("is not a selection of parameters");
    }

    @Test
    void noGlobAtAllIsRefused() {
        assertThatThrownBy(Selection::of).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void selectionsOfTheSameGlobsAreEqualHoweverTheyAreWritten() {
        Selection selection = Selection.of("generator/**", "!generator/bn0/**");
        assertThat(Selection.of(" generator/** ,!generator/bn0/**"))
                .isEqualTo(selection)
                .hasSameHashCodeAs(selection)
                .hasToString("generator/**, !generator/bn0/**");
        assertThat(Selection.of("generator/**")).isNotEqualTo(selection);
        assertThat(Selection.of(selection.toString())).isEqualTo(selection);
    }
}
