package hocket.workbench.processes;

import hocket.workbench.training.Display;
import hocket.workbench.training.Stop;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.util.Locale;
import java.util.Optional;

/**
 * The process that started this one, side by side with others. It is told on standard output how far this one is; and when
 * standard input ends, because the parent closes it or has ended in whatever way, the run saves where it is and stops.
 *
 * @param columns how wide a line may be
 * @param part of the budget that this process trains, from 0 to 1
 */
public record Parent(PrintStream out, int columns, double part) implements Display {
    /** The option of {@code run} that says there is one, and how wide its lines are. */
    public static final String OPTION = "--beside";

    /** The status of a process that it had stop. */
    static final int STOPPED = 128 + 15;

    private static final int TERMINATE = 15;
    private static final long LOOK_MILLIS = 1000;
    /** So long one without a parent may take to end its turn and save. */
    private static final int LOOKS = 30;

    /**
     * What it told.
     *
     * @param done how much of what it is to train, from 0 to 1
     */
    record Told(double done, String line) {
        /** Empty where it is no line of a {@link Parent}. */
        static Optional<Told> of(String text) {
            int tab = text.indexOf('\t');
            return text.matches("[01]\\.\\d{1,9}\\t.*")
                    ? Optional.of(new Told(Double.parseDouble(text.substring(0, tab)), text.substring(tab + 1)))
                    : Optional.empty();
        }

        String text() {
            return String.format(Locale.ROOT, "%.4f\t%s", Math.max(0, Math.min(1, done)), line);
        }
    }

    @Override
    public boolean inPlace() {
        return true;
    }

    @Override
    public void show(double done, String line) {
        out.println(new Told(done / part, line).text());
        out.flush();
    }

    /** Asks to stop once there is no parent any more, from a thread of its own. */
    public static void watch(InputStream in, Stop stop) {
        Optional<ProcessHandle> parent = ProcessHandle.current().parent();
        Thread watching = new Thread(
                () -> {
                    untilItEnds(in);
                    stop.request(TERMINATE);
                    for (int alone = 0; alone < LOOKS; alone += isAlive(parent) ? 0 : 1) {
                        sleep();
                    }
                    stop.request(TERMINATE); // and not by itself: ends the process
                },
                "parent");
        watching.setDaemon(true);
        watching.start();
    }

    private static boolean isAlive(Optional<ProcessHandle> parent) {
        return parent.filter(ProcessHandle::isAlive).isPresent();
    }

    private static void untilItEnds(InputStream in) {
        try {
            while (in.read() >= 0) {
                // nothing is said there
            }
        } catch (IOException e) {
            // nobody is there
        }
    }

    private static void sleep() {
        try {
            Thread.sleep(LOOK_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
