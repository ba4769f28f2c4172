package hocket.workbench;

import hocket.schedulers.Rest;
import hocket.schedulers.Ring;
import hocket.schedulers.Run;
import hocket.schedulers.Setting;
import java.nio.file.Files;
import java.nio.file.Path;

/** Rounds are slow until a file is there: for tests that do something while a run goes on, whatever the machine. */
public record Gate(@Setting(help = "opens it") Path file) implements Ring {
    private static final int SLOW_MILLIS = 100;

    @Override
    public void round(Run run, Rest rest) {
        if (!Files.exists(file)) {
            try {
                Thread.sleep(SLOW_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        rest.go();
    }
}
