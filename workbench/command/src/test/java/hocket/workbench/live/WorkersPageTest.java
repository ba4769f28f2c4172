package hocket.workbench.live;

import static org.assertj.core.api.Assertions.assertThat;

import hocket.workbench.command.Browser;
import hocket.workbench.live.http.Connections;
import hocket.workbench.training.Worker;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Workers on the page, as a person sees them: of all kinds at once, which a run of several processes has on bad days only.
 * {@code -Dhocket.pictures=DIR} keeps pictures to look at.
 */
@Tag("browser")
@Tag("engine")
class WorkersPageTest {
    private static final Worker AHEAD = new Worker(0, 12_345L, 118.4, 0L, 0.124, 1L, false, null);
    private static final Worker BEHIND =
            new Worker(1, 12_340L, 117.9, 5L, 0.31, 1L, false, "waits for 7 s, in exchange d_step 9");
    private static final Worker SILENT = new Worker(2, 12_000L, null, null, null, 6L, false, "silent for 6 s");
    private static final Worker BEGINS = new Worker(3, null, null, null, null, null, false, null);
    private static final Worker DONE = new Worker(4, 12_345L, null, null, null, null, true, null);

    private static String row(int rank) {
        return "[data-rank='" + rank + "']";
    }

    @Test
    void eachWorkerHasARowAndWhatIsOfOneProcessIsNotOffered(@TempDir Path here) throws Exception {
        AtomicReference<List<Worker>> workers = new AtomicReference<>(List.of(AHEAD, BEHIND, SILENT, BEGINS, DONE));
        ServedToy toy = new ServedToy(here, Connections.Limits.USUAL);
        try (Browser page = Browser.open()) {
            page.go(toy.server().page());
            page.text("#status", "training"::equals);
            page.property("#workers", "hidden", "true"::equals); // one process
            page.property("#pause", "hidden", "false"::equals);

            toy.attended().among(workers::get);
            page.property("#workers", "hidden", "false"::equals);
            assertThat(page.text(row(0), text -> text.startsWith("0 "))).isEqualTo("0 12,345 118.4 0 12 % 1 s trains");
            assertThat(page.text(row(1))).isEqualTo("1 12,340 117.9 5 31 % 1 s waits for 7 s, in exchange d_step 9");
            assertThat(page.text(row(2))).isEqualTo("2 12,000 – – – 6 s silent for 6 s");
            assertThat(page.text(row(3))).isEqualTo("3 – – – – – begins");
            assertThat(page.text(row(4))).isEqualTo("4 12,345 – – – – done");
            assertThat(page.text("#workers-summary")).isEqualTo("2 of 5 in trouble");
            page.property(row(1), "className", "troubled"::equals);
            page.property(row(0), "className", ""::equals);
            pictures(page);

            page.property("#pause", "hidden", "true"::equals);
            page.property("#step-turn", "hidden", "true"::equals);
            page.property("#plan-swap", "hidden", "true"::equals);
            page.property("[data-setting='d/rate']", "disabled", "true"::equals);
            assertThat(page.text("#controls-why"))
                    .isEqualTo(
                            "5 workers train this run: it can be saved, forked and stopped; only a run of one process"
                                    + " can be paused or changed.");
            page.keys("body", " ");
            page.text("#message", text -> text.startsWith("5 workers train this run"));
            page.keys("body", "t");
            page.press("#save");
            page.text("#message", text -> text.startsWith("saved turn "));

            workers.set(
                    List.of(new Worker(0, 12_400L, 0.52, 0L, 0.124, 1L, false, null), BEHIND, SILENT, BEGINS, DONE));
            page.text(row(0), "0 12,400 0.520 0 12 % 1 s trains"::equals);
            page.assertNothingWrong();
            toy.end();
            page.text("#workers-summary", "As they were at last."::equals);
            assertThat(page.text(row(2))).isEqualTo("2 12,000 – – – 6 s");
        }
    }

    private static void pictures(Browser page) throws Exception {
        String into = System.getProperty("hocket.pictures");
        if (into == null) {
            return;
        }
        Path folder = Files.createDirectories(Path.of(into));
        page.size(1440, 700);
        page.settle();
        Files.write(folder.resolve("workers-light.png"), page.screenshot());
        page.isDark(true);
        page.settle();
        Files.write(folder.resolve("workers-dark.png"), page.screenshot());
        page.isDark(false);
        page.size(360, 1000);
        page.settle();
        Files.write(folder.resolve("workers-narrow.png"), page.screenshot());
        page.size(1440, 1000);
    }
}
