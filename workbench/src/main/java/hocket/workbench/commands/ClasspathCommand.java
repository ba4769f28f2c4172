package hocket.workbench.commands;

import hocket.workbench.runs.Workplace;
import hocket.workbench.terminal.Terminal;
import picocli.CommandLine.Command;

/** Says what to compile against. */
@Command(
        name = "classpath",
        header = "Prints the class path to compile your own classes against.",
        usageHelpWidth = Terminal.COLUMNS,
        footer = {"", "For example:", "  javac -cp \"$(./hocket classpath)\" -d classes MySchedule.java"})
public final class ClasspathCommand implements Runnable {
    private final Workplace workplace;

    public ClasspathCommand(Workplace workplace) {
        this.workplace = workplace;
    }

    @Override
    public void run() {
        workplace.terminal().say(System.getProperty("java.class.path"));
    }
}
