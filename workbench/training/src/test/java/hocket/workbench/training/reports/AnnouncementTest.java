package hocket.workbench.training.reports;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class AnnouncementTest {
    @Test
    void listsAreBrokenAtTheWidthOfATerminal() {
        String data = "data     " + "observation (2), ".repeat(10) + "256 rows a turn";
        List<String> broken = Announcement.broken(data);
        assertThat(broken).hasSize(3).allMatch(line -> line.length() <= 80);
        assertThat(broken.subList(1, 3)).allMatch(line -> line.matches(" {9}\\S.*"));
        assertThat(broken.stream().map(String::strip).collect(Collectors.joining(" ")))
                .isEqualTo(data);
        assertThat(Announcement.broken("         a note")).containsExactly("         a note");
    }

    @Test
    void whatMayBeCopiedIsNot() {
        String into = "into     /a folder/" + "of several words ".repeat(9);
        assertThat(Announcement.broken(into)).containsExactly(into);
    }
}
