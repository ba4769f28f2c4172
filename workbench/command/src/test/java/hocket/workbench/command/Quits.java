package hocket.workbench.command;

import hocket.schedulers.Next;
import hocket.schedulers.Ring;
import hocket.schedulers.Run;
import hocket.schedulers.settings.Setting;

/** A class of a user's own that ends the process in the middle of a run, as one whose native part does. */
public record Quits(@Setting(help = "exit status") int status) implements Ring {
    @Override
    public void round(Run run, Next next) {
        System.out.print("no line's end: ");
        Runtime.getRuntime().halt(status);
    }
}
