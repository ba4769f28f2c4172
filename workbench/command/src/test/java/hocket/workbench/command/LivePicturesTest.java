package hocket.workbench.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import hocket.workbench.training.ProcessRole;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The pictures of the live page in {@code docs/images}, made again:
 * {@code mvn test -Pslow -pl workbench -am -Dtest=LivePicturesTest -Dsurefire.failIfNoSpecifiedTests=false
 * -Dtest.argLine=-Dhocket.pictures=docs/images}.
 */
@Tag("browser")
@Tag("engine")
@Tag("processes")
@Tag("slow")
class LivePicturesTest {
    private static final Path ROOT =
            Path.of(System.getProperty("hocket.root", "..")).toAbsolutePath().normalize();

    /** A picture that is larger is slow to load for who reads. */
    private static final long MOST_BYTES = 200_000;

    @TempDir
    private Path here;

    @Test
    void thePicturesOfThePageAreMadeAgain() throws Exception {
        String into = System.getProperty("hocket.pictures");
        assumeTrue(into != null, "pictures are made again where it is said into which folder: -Dhocket.pictures=DIR");
        Path folder = ROOT.resolve(into);
        Files.createDirectories(folder);
        try (Browser page = Browser.open();
                Served gan = Served.start(here, "run", "digits-gan", "--out", "runs/digits-gan", "--serve", "0")) {
            page.go(gan.page());
            page.text("#samples-caption", text -> text.startsWith("now, "));
            page.number("#round", round -> round >= Long.getLong("hocket.pictures.round", 1500));
            page.size(1440, 1180);
            shoot(page, folder.resolve("live-gan-light.png"));
            page.isDark(true);
            shoot(page, folder.resolve("live-gan-dark.png"));
            page.isDark(false);
            page.size(360, 1180);
            shoot(page, folder.resolve("live-gan-narrow.png"));
        }
        Files.writeString(here.resolve("agent.yaml"), "include: cartpole-ppo\nalgorithm: {total_steps: 1000000}\n");
        try (Browser page = Browser.open();
                Served agent = Served.start(here, "run", "agent.yaml", "--out", "runs/cartpole-ppo", "--serve", "0")) {
            page.go(agent.page());
            page.picture("#films img", "");
            page.number("#round", round -> round > 60);
            page.size(1440, 1180);
            shoot(page, folder.resolve("live-agent-light.png"));
            try (Served all = Served.start(here, "serve")) {
                page.go("about:blank"); // or only the part of the address behind # may change
                page.go(all.page());
                page.text("#runs", text -> text.contains("training"));
                page.press("#start summary");
                page.text("#start-experiment", text -> text.contains("digits-gan"));
                page.size(1440, 560);
                shoot(page, folder.resolve("runs-light.png"));
            }
        }
    }

    /** {@code -Dtest=LivePicturesTest#thePictureOfWorkersIsMadeAgain} makes it alone. */
    @Test
    void thePictureOfWorkersIsMadeAgain() throws Exception {
        String into = System.getProperty("hocket.pictures");
        assumeTrue(into != null, "pictures are made again where it is said into which folder: -Dhocket.pictures=DIR");
        assumeTrue(
                !ProcessRole.all().isEmpty(),
                "needs -Dmaven.test.additionalClasspath=" + ROOT.resolve("distributed/target/classes"));
        Path folder = Files.createDirectories(ROOT.resolve(into));
        try (Browser page = Browser.open();
                Served run = Served.start(
                        here, "launch", "--workers", "2", "digits-gan", "--out", "runs/digits-gan", "--serve", "0")) {
            page.go(run.page());
            page.number("#round", round -> round >= Long.getLong("hocket.pictures.round", 1500));
            page.text("#samples-caption", text -> text.startsWith("now, "));
            page.size(1440, 700);
            shoot(page, folder.resolve("live-workers-light.png"));
            page.press("#stop");
            page.press("#stop-yes");
            assertThat(run.status()).isZero();
        }
    }

    private static void shoot(Browser page, Path file) throws IOException {
        page.settle();
        byte[] picture = page.screenshot();
        assertThat(picture.length).as(file.toString()).isLessThan((int) MOST_BYTES);
        Files.write(file, picture);
    }
}
