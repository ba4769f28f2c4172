package hocket.workbench.command;

import hocket.schedulers.Next;
import hocket.schedulers.Ring;
import hocket.schedulers.Run;
import hocket.schedulers.settings.Setting;
import java.util.ArrayList;
import java.util.List;

/** A class of a user's own that keeps some of the memory of every run that it rings, for as long as its process lives. */
public record Hoard(@Setting(help = "how much") int megabytes) implements Ring {
    private static final List<byte[]> KEPT = new ArrayList<>();

    @Override
    public void run(Run run, Next next) {
        KEPT.add(new byte[megabytes * 1_000_000]);
        next.proceed();
    }
}
