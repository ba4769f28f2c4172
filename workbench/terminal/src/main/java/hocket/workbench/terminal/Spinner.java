package hocket.workbench.terminal;

import java.util.function.Supplier;

/**
 * Shows the progress of a long operation in a line that is redrawn a few times a second: its name, the completed
 * fraction if known, and the time. It appears after half a second, and only on an interactive terminal.
 */
public final class Spinner implements AutoCloseable {
    private static final long AFTER_MILLIS = 500;
    private static final long EVERY_MILLIS = 200;

    private final Terminal terminal;
    private final String what;
    private final long began = System.nanoTime();
    private final Thread drawing = new Thread(this::draw, "progress");
    private volatile double done = Double.NaN;

    /**
     * Starts the display.
     *
     * @param quiet whether nothing is shown
     */
    public Spinner(Terminal terminal, String what, boolean quiet) {
        this.terminal = terminal;
        this.what = what;
        drawing.setDaemon(true);
        if (terminal.inPlace() && !quiet) {
            drawing.start();
        }
    }

    /** Shows the line during an action. */
    public static <T> T during(Terminal terminal, String what, boolean quiet, Supplier<T> work) {
        try (Spinner spinner = new Spinner(terminal, what, quiet)) {
            return work.get();
        }
    }

    /** Sets the completed fraction, from 0 to 1. */
    public void done(double part) {
        done = part;
    }

    private void draw() {
        try {
            Thread.sleep(AFTER_MILLIS);
            while (!Thread.interrupted()) {
                terminal.redraw(line(what, done, (System.nanoTime() - began) * 1e-9));
                Thread.sleep(EVERY_MILLIS);
            }
        } catch (InterruptedException e) {
            // closed
        }
    }

    /**
     * Returns the line of an operation: {@code drawing  43%  0:07  0:09 left}.
     *
     * @param done the completed fraction; NaN if unknown
     */
    public static String line(String what, double done, double seconds) {
        String line = what + "  " + (Double.isNaN(done) ? "" : Math.round(Math.floor(100 * done)) + "%  ")
                + NumberFormats.clock(seconds);
        return done > 0 ? line + "  " + NumberFormats.clock(seconds * (1 - done) / done) + " left" : line;
    }

    /** Removes the line. */
    @Override
    public void close() {
        drawing.interrupt();
        try {
            drawing.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        terminal.erase();
    }
}
