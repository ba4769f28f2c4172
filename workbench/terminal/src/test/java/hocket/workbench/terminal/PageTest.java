package hocket.workbench.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import hocket.workbench.terminal.TextTable.Kind;
import org.junit.jupiter.api.Test;

/** Text in 80 columns, whatever it says. */
class PageTest {
    private static final String LONG = "a".repeat(50) + "/" + "b".repeat(60);

    @Test
    void textIsBrokenAtSpacesAndHangsUnderItself() {
        assertThat(new TextPage()
                        .entry("  label", 10, "word ".repeat(20).strip())
                        .lines())
                .containsExactly(
                        "  label   " + "word ".repeat(14).strip(),
                        " ".repeat(10) + "word ".repeat(6).strip());
    }

    @Test
    void aWordLongerThanALineIsBrokenBehindASlash() {
        assertThat(new TextPage().entry("", 4, "of " + LONG + " it").lines())
                .containsExactly("    of", "    " + "a".repeat(50) + "/", "    " + "b".repeat(60) + " it");
        assertThat(new TextPage().entry("", 0, "c".repeat(100)).lines())
                .containsExactly("c".repeat(80), "c".repeat(20));
    }

    @Test
    void theNameOfAFileStaysWhole() {
        String file = "/" + LONG;
        assertThat(new TextPage().entry("into", 5, file).lines()).containsExactly("into " + file);
    }

    @Test
    void aLabelThatReachesIntoTheTextPushesItsFirstLine() {
        assertThat(new TextPage().entry("label", 2, "word ".repeat(17).strip()).lines())
                .containsExactly(
                        "label " + "word ".repeat(15).strip(),
                        "  " + "word ".repeat(2).strip());
        assertThat(new TextPage().entry(LONG, 2, "word").lines())
                .hasSize(2)
                .allMatch(line -> line.length() <= 80)
                .element(1)
                .isEqualTo("  word");
    }

    @Test
    void aTableAlignsNumbersAtTheRight() {
        TextTable table = new TextTable(Kind.NAME, Kind.NUMBER, Kind.WORDS)
                .row("scope", "numbers", "read by")
                .over("a line of its own")
                .row("d", "1", "d, g");
        assertThat(table.lines(40))
                .containsExactly("scope  numbers  read by", "a line of its own", "d            1  d, g");
    }

    @Test
    void aTableBreaksWordsBeforeItShortensNames() {
        TextTable table = new TextTable(Kind.NAME, Kind.NUMBER, Kind.WORDS)
                .row("generator/upwards/conv1", "1,000,000", "first, second, third, fourth");
        assertThat(table.lines(50))
                .containsExactly(
                        "generator/upwards/conv1  1,000,000  first, second,", " ".repeat(36) + "third, fourth");
        assertThat(table.lines(40))
                .containsExactly(
                        "generator/…/conv1  1,000,000  first,",
                        " ".repeat(30) + "second,",
                        " ".repeat(30) + "third,",
                        " ".repeat(30) + "fourth");
    }

    @Test
    void columnsWithoutWordsMoveTogetherBeforeNamesAreShortened() {
        TextTable table = new TextTable(Kind.NAME, Kind.NUMBER, Kind.NUMBER).row("generator/conv1", "1,000", "2,000");
        assertThat(table.lines(29)).containsExactly("generator/conv1  1,000  2,000");
        assertThat(table.lines(27)).containsExactly("generator/conv1 1,000 2,000");
        assertThat(table.lines(24)).containsExactly("gener…/conv1 1,000 2,000");
    }

    @Test
    void aNameKeepsItsEnds() {
        assertThat(TextTable.shortened("generator/upwards/conv1", 23)).isEqualTo("generator/upwards/conv1");
        assertThat(TextTable.shortened("generator/upwards/conv1", 17)).isEqualTo("generator/…/conv1");
        assertThat(TextTable.shortened("a".repeat(20) + "z", 11)).isEqualTo("aaaaa…aaaaz");
    }
}
