package hocket.workbench.command;

import picocli.CommandLine.Command;

/** Prints the class path to compile against. */
@Command(
        name = "classpath",
        header = "Prints the class path to compile your own classes against.",
        footer = {"", "For example:", "  javac -cp \"$(./hocket classpath)\" -d classes MySchedule.java"})
public final class ClasspathCommand extends WorkplaceCommand implements Runnable {
    @Override
    public void run() {
        workplace.terminal().say(System.getProperty("java.class.path"));
    }
}
