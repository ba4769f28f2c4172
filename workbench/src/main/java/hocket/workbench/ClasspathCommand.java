package hocket.workbench;

import picocli.CommandLine.Command;
import picocli.CommandLine.ParentCommand;

/** Says what to compile against. */
@Command(
        name = "classpath",
        header = "Prints the class path to compile your own classes against.",
        usageHelpWidth = Terminal.COLUMNS,
        footer = {"", "For example:", "  javac -cp \"$(./hocket classpath)\" -d classes MySchedule.java"})
final class ClasspathCommand implements Runnable {
    @ParentCommand
    @SuppressWarnings("NullAway.Init") // picocli fills it in
    private Hocket hocket;

    @Override
    public void run() {
        hocket.terminal().say(System.getProperty("java.class.path"));
    }
}
