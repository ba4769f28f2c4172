package hocket.workbench.runs.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hocket.schedulers.commands.Command;
import org.junit.jupiter.api.Test;

class CommandLinesTest {
    /** A journal has the plan as one text, and is read with the limit of texts. */
    @Test
    void aPlanThatAJournalCouldNotBeReadWithIsRefused() {
        assertThat(CommandLines.read(plan(100)).command()).isInstanceOf(Command.class);
        assertThatThrownBy(() -> CommandLines.read(plan(10_000)))
                .hasMessageMatching("plan: must be at most 20000 characters long, was \\d+");
    }

    private static String plan(int turns) {
        return "{\"command\": \"plan\", \"plan\": {\"sequence\": [" + "\"d\",".repeat(turns) + "\"g\"]}}";
    }
}
