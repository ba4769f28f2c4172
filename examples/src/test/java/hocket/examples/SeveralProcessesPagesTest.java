package hocket.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the pages in docs say of several processes, literally, in an empty folder. */
@Tag("engine")
@Tag("processes")
class SeveralProcessesPagesTest extends PageCommands {
    @Tag("slow")
    @Test
    void theCommandsOnThePageOfAgentsWorkAsTheyStand() throws Exception {
        String said = run(block("docs/agents.md", "commands: actors", "bash"));
        assertThat(said).contains("actor    0 of the learner at 127.0.0.1:17070", "done     the learner at ");
        assertThat(Files.readString(folder.resolve("said.txt"))).contains("actor 0 connected", "return_mean");
    }

    @Test
    void thePlanOnThePageOfManyProcessesIsAsItSays() throws Exception {
        String plan = run(block("docs/distributed.md", "commands: distributed-plan", "bash"));
        assertThat(plan).contains("64 rows, 16 each; 534 kB from each process and back", "a round 1.20 MB");
    }

    @Tag("slow")
    @Test
    void theCommandsOnThePageOfManyProcessesWorkAsTheyStand() throws Exception {
        String said = run(block("docs/distributed.md", "commands: launch", "bash"));
        assertThat(said).contains("2 workers; Ctrl-C saves and stops", "3 workers; Ctrl-C", "several is whole");
    }

    @Tag("slow")
    @Test
    void theCommandsForProcessesThatMoveApartWorkAsTheyStand() throws Exception {
        assertThat(run(block("docs/distributed.md", "commands: apart", "bash")))
                .contains(
                        "each process updates its own",
                        "mean of what g updated, and optimizer slots, after each 8 rounds");
    }

    @Tag("slow")
    @Test
    void theCommandsForThePageOfManyProcessesWorkAsTheyStand() throws Exception {
        String said = run(block("docs/distributed.md", "commands: launch-page", "bash"));
        assertThat(said).contains("saved turn ", "all processes of the run are asked to stop", "watched is whole");
    }
}
