package hocket.workbench.testing;

import hocket.schedulers.Next;
import hocket.schedulers.Ring;
import hocket.schedulers.Run;
import hocket.schedulers.settings.Setting;
import java.nio.file.Files;
import java.nio.file.Path;

/** Slows rounds down, from one on, until a file exists: for tests that act on a run while it trains, on any machine. */
public record GateRing(
        @Setting(help = "opens it") Path file,

        @Setting(usually = "0", least = 0, help = "the first round that is slow")
        long from)
        implements Ring {
    private static final int SLOW_MILLIS = 100;

    @Override
    public void round(Run run, Next next) {
        if (run.position().round() >= from && !Files.exists(file)) {
            try {
                Thread.sleep(SLOW_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        next.proceed();
    }
}
