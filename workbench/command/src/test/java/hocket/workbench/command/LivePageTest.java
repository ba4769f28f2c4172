package hocket.workbench.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.Keys;

/** A person at the live page, in a browser, while runs train in processes of their own. */
@Tag("browser")
@Tag("engine")
@Tag("processes")
class LivePageTest {
    private static final String LOSS = "#losses-chart .legend .value";
    private static final String GAN = """
            include: gaussian-ring
            network: {width: 16}
            feeds: {ring: {batch: 32}}
            evaluation: {samples: 100}
            budget: {rounds: 10000000}
            """;
    private static final String AGENT = """
            include: cartpole-ppo
            algorithm: {total_steps: 100000000}
            """;

    /** The answer while a turn or a score takes long; the page asks again. */
    private static final String BUSY = "status of 503";

    @TempDir
    private Path here;

    @Tag("slow")
    @Test
    void aPersonWatchesAndSteersAGanAndAnAgentAndComparesRuns() throws Exception {
        try (Browser page = Browser.open()) {
            try (Served gan = served("run", file("gan.yaml", GAN), "--out", "runs/a gan")) {
                page.go(gan.page());
                itMoves(page);
                isWatched(page);
                pausesAndSteps(page);
                changes(page);
                goesOnAndForks(page);
                page.assertNothingWrong(BUSY);
                stops(page, gan);
            }
            page.go("about:blank"); // or only the part of the address behind # may change
            try (Served agent = served("run", file("agent.yaml", AGENT), "--out", "runs/agent")) {
                page.go(agent.page());
                anAgentMoves(page);
                page.assertNothingWrong("ERR_CONNECTION_REFUSED", BUSY); // the GAN's page, when that had ended
                stops(page, agent);
            }
            page.go("about:blank");
            try (Served runs = Served.start(here, "serve")) {
                page.go(runs.page());
                compares(page);
                starts(page);
                watches(page, runs.page());
                page.assertNothingWrong(
                        BUSY,
                        "ERR_CONNECTION_REFUSED",
                        "api/runs - Failed to load resource: the server responded with a status of 400");
            }
        }
    }

    private Served served(String... arguments) throws Exception {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of("--serve", "0", "--quiet"));
        return Served.start(here, all.toArray(String[]::new));
    }

    private static void itMoves(Browser page) {
        page.text("#status", "training"::equals);
        String loss = page.text(LOSS, text -> !text.isEmpty());
        String curve = page.picture("#losses-chart canvas", "");
        String samples = page.picture("#samples img", "");
        page.text(LOSS, text -> !text.equals(loss));
        page.picture("#losses-chart canvas", curve);
        page.picture("#samples img", samples);
    }

    /** Scores, curves by time and smoothed, tags and a note. */
    private static void isWatched(Browser page) {
        page.text(".tiles .value", text -> !text.isEmpty()); // an error rate, until there are six scores
        page.keys("#watch", "g/loss");
        page.text("[data-watched='g/loss'] .value", text -> !text.isEmpty());
        page.press("[data-watched='g/loss'] button");
        assertThat(page.text(".tiles")).doesNotContain("g/loss");
        String bySteps = page.picture("#losses-chart canvas", "");
        page.keys("#axis", "by time");
        String byTime = page.picture("#losses-chart canvas", bySteps);
        page.keys("#smoothing", Keys.END);
        page.picture("#losses-chart canvas", byTime);
        page.keys("#axis", "by step");
        page.write("#tags", "wide, first try");
        page.write("#note", "a note");
        page.press("#notes-keep");
        page.text("#notes-message", "Kept."::equals);
    }

    private static void pausesAndSteps(Browser page) {
        page.press("#pause");
        page.text("#status", "paused"::equals);
        page.text("#message", text -> text.startsWith("paused in "));
        page.press("#save"); // answered by the thread that trains: there it stands
        long step = Long.parseLong(
                page.text("#message", text -> text.startsWith("saved turn ")).substring("saved turn ".length()));
        assertThat(page.number("#step", now -> now >= step)).isEqualTo(step);
        page.press("#step-turn");
        assertThat(page.number("#step", now -> now > step)).isEqualTo(step + 1);
        long round = page.number("#round");
        page.press("#step-round");
        assertThat(page.number("#round", now -> now > round)).isEqualTo(round + 1);
        page.text("#status", "paused"::equals);
    }

    private static void changes(Browser page) {
        String rate = "[data-setting='d/rate']";
        String said = "#setting-d-rate-message";
        page.write(rate, "2e-3");
        page.keys(rate, Keys.ENTER);
        page.text(said, "d/rate is 0.002, was 0.001"::equals);
        page.write(rate, "-1");
        page.keys(rate, Keys.ENTER);
        page.text(said, text -> text.contains("rate: must be finite and at least 0, was -1"));
        page.keys(rate, Keys.ESCAPE);
        page.property(rate, "value", "0.002"::equals);

        page.write("#plan-text", "{\"sequence\": [\"d\", \"nobody\"]}");
        page.press("#plan-send");
        page.text("#plan-message", text -> text.contains("nobody"));
        assertThat(page.text("#plan")).isEqualTo("sequence(d, g)");
        page.write("#plan-text", "d");
        page.press("#plan-send");
        page.text("#plan-message", text -> text.startsWith("the plan ") && text.endsWith(" is d"));
        page.write("#plan-text", "sequence: [{repeat: 2, of: d}, g]");
        page.press("#plan-send");
        page.text("#plan-message", text -> text.startsWith("the plan ") && text.endsWith("sequence(d × 2, g)"));
        page.press("#journal-panel summary");
        assertThat(page.text("#journal tbody tr:last-child td:last-child")).matches(".*\\d:\\d\\d:\\d\\d.*");
        assertThat(page.text("#journal")).contains("plan sequence: [{repeat: 2, of: d}, g]");
    }

    private void goesOnAndForks(Browser page) {
        long step = page.number("#step");
        page.press("#pause");
        page.text("#status", "training"::equals);
        page.number("#step", now -> now > step);
        page.text("#plan", "sequence(d × 2, g)"::equals);

        page.press("#fork");
        page.write("#fork-name", "branch");
        page.press("#fork-start");
        page.press("#fork-send");
        page.text("#fork-message", text -> text.startsWith("forked; start it with "));
        assertThat(here.resolve("runs/branch/checkpoints/LATEST")).isNotEmptyFile();
        page.press("#fork-cancel");
    }

    private static void stops(Browser page, Served run) throws Exception {
        stops(page);
        assertThat(run.status()).isZero();
    }

    private static void stops(Browser page) {
        page.press("#stop");
        page.press("#stop-yes");
        page.text("#end", text -> text.startsWith("The run was stopped"));
        for (String button : List.of("#pause", "#step-turn", "#step-round", "#save", "#stop")) {
            page.property(button, "hidden", "true"::equals);
        }
    }

    private static void anAgentMoves(Browser page) {
        page.text("#status", "training"::equals);
        String returned = page.text("#returns-chart .legend .value", text -> !text.isEmpty());
        page.text("#returns-chart .legend .value", text -> !text.equals(returned));
        String curve = page.picture("#losses-chart canvas", "");
        page.picture("#losses-chart canvas", curve);
        page.press("#save");
        page.text("#message", text -> text.startsWith("saved turn "));
        page.picture("#films img", "");
        page.press("#pause");
        page.text("#status", "paused"::equals);
    }

    private static void compares(Browser page) {
        page.text("h1", "Runs"::equals);
        assertThat(page.text("#runs")).contains("stopped");
        page.text("#runs", text -> text.contains("first try"));
        page.write("#filter", "WIDE stopped");
        page.property("#runs tr:nth-child(2)", "hidden", "true"::equals);
        page.write("#filter", "nothing like it");
        page.text("#none-fits", text -> !text.isEmpty());
        page.write("#filter", " ");
        page.press("[data-sort='run']");
        page.text("#runs tbody tr:first-child th", "branch"::equals);
        page.press("[data-run='a gan']");
        page.press("[data-run='agent']");
        page.press("#compare");
        page.text("h1", "2 runs compared"::equals);
        page.text("#compare-chart .legend", text -> !text.isEmpty());
        page.text("#compare-now", text -> text.contains("first try") && text.contains("a note"));
        assertThat(page.text("#compare-settings", text -> text.contains("setting")))
                .contains("clip_range", "radius");
    }

    private static void starts(Browser page) {
        page.press("#all-runs");
        page.press("#start summary");
        page.text("#start-experiment", text -> text.contains("gan.yaml") && text.contains("digits-gan"));
        page.keys("#start-experiment", "gan.yaml");
        page.write("#start-name", "begun");
        page.write("#start-settings", "d.rate=-1");
        page.press("#start-send");
        page.text("#start-message", text -> text.contains("must be a finite number from 0"));
        page.write("#start-seed", "3");
        page.write("#start-settings", "d.rate=2e-3");
        page.press("#start-send");
        page.text("#start-message", "begun is being trained in a process of its own."::equals);
        page.text("#runs", text -> text.contains("begun"));
    }

    /** The run that was started, through the workbench: it is stopped, goes on, and is stopped again. */
    private static void watches(Browser page, String address) {
        page.press("#start-message a");
        itMoves(page);
        assertThat(page.property("[data-setting='d/rate']", "value", "0.002"::equals))
                .isNotEmpty();
        page.press("#pause");
        page.text("#status", "paused"::equals);
        stops(page);
        try (Browser other = Browser.open()) { // which goes on with it, while this one looks on
            other.go(address);
            other.press("[data-go-on='begun']");
            page.text("#connection", "live"::equals);
        }
        itMoves(page);
        stops(page);
        page.press("#go-on");
        page.text("#connection", "live"::equals);
        stops(page);
    }

    private String file(String name, String text) throws IOException {
        Files.writeString(here.resolve(name), text);
        return name;
    }
}
