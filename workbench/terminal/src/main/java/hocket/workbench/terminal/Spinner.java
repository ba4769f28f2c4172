package hocket.workbench.terminal;

import java.util.function.Supplier;

/**
 * A line on something that takes a while, redrawn a few times a second: what it is, how much of it is done where that is known,
 * and how long it has taken. Only on a terminal that may be drawn on, and not before half a second; elsewhere nothing is said.
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
     * Begins to show it.
     *
     * @param quiet whether nothing is to be shown
     */
    public Spinner(Terminal terminal, String what, boolean quiet) {
        this.terminal = terminal;
        this.what = what;
        drawing.setDaemon(true);
        if (terminal.inPlace() && !quiet) {
            drawing.start();
        }
    }

    /** Shows it while something is done. */
    public static <T> T during(Terminal terminal, String what, boolean quiet, Supplier<T> work) {
        try (Spinner spinner = new Spinner(terminal, what, quiet)) {
            return work.get();
        }
    }

    /** Sets the fraction that is done, from 0 to 1. */
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
            // it is over
        }
    }

    /** {@code drawing  43%  0:07  0:09 left}. */
    static String line(String what, double done, double seconds) {
        String line = what + "  " + (Double.isNaN(done) ? "" : Math.round(Math.floor(100 * done)) + "%  ")
                + NumberFormats.clock(seconds);
        return done > 0 ? line + "  " + NumberFormats.clock(seconds * (1 - done) / done) + " left" : line;
    }

    /** Takes the line away. */
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
