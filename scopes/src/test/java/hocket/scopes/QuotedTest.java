package hocket.scopes;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class QuotedTest {
    @Test
    void whatIsShortIsQuotedWholeAndWhatIsLongByItsBeginning() {
        assertThat(Quoted.text("F".repeat(40))).isEqualTo("F".repeat(40));
        assertThat(Quoted.text("F".repeat(41))).isEqualTo("F".repeat(40) + "…");
        assertThat(Quoted.name("n".repeat(1000))).hasSize(201);
        assertThat(Quoted.list(List.of(1, 2))).isEqualTo("[1, 2]");
        assertThat(Quoted.list(Collections.nCopies(1000, 7))).isEqualTo("[7, 7, 7, 7, 7, 7, 7, 7, 7, 7, and 990 more]");
    }

    @Test
    void noSignIsCutInHalf() {
        assertThat(Quoted.text("F".repeat(39) + "𝄞𝄞")).isEqualTo("F".repeat(39) + "…");
    }
}
