package hocket.workbench.runs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class NumberedNamesTest {
    @Test
    void numbersCountByTheirValueHoweverManyDigitsTheyHave() {
        assertThat(Stream.of(
                                "round-1000000",
                                "round-999000",
                                "epoch-0002-round-000061",
                                "epoch-10000",
                                "epoch-0002",
                                "latest")
                        .sorted(NumberedNames.ORDER))
                .containsExactly(
                        "epoch-0002",
                        "epoch-0002-round-000061",
                        "epoch-10000",
                        "latest",
                        "round-999000",
                        "round-1000000");
    }
}
