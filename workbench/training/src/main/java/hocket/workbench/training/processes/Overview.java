package hocket.workbench.training.processes;

import hocket.workbench.terminal.NumberFormats;
import hocket.workbench.terminal.ProgressLine;
import hocket.workbench.terminal.Terminal;
import java.util.ArrayList;
import java.util.List;

/**
 * Shows the progress of several runs: on a terminal a line for each that trains and one for all, updated in place;
 * elsewhere a plain line for all now and then.
 */
final class Overview implements AutoCloseable {
    private static final long REDRAW_NANOS = 200_000_000L;
    private static final long LINE_NANOS = 10_000_000_000L;
    private static final String GAP = "  ";
    /** The number of lines that fit any terminal. */
    private static final int MOST_LINES = 16;
    /** The smallest fraction from which the remaining time is estimated. */
    private static final double LEAST_DONE = 0.02;

    private final Terminal terminal;
    private final String nouns;
    private final int count;
    private final int label;
    private final boolean quiet;
    private final long began = System.nanoTime();
    private long shown = began;
    private int ended;
    private double doneByEnded;

    /** @param nouns their name, such as {@code seeds} */
    Overview(Terminal terminal, String nouns, List<SideBySide.Job> jobs, boolean quiet) {
        this.terminal = terminal;
        this.nouns = nouns;
        this.count = jobs.size();
        this.label = jobs.stream().mapToInt(job -> job.name().length()).max().orElse(0) + GAP.length();
        this.quiet = quiet;
    }

    /** Returns the width of a run's line. */
    int columns() {
        return terminal.lineColumns() - label;
    }

    void begun(SideBySide.Job job) {
        if (!quiet && !terminal.inPlace()) {
            terminal.remark(job.name() + " begins");
        }
    }

    void ended(ChildProcess childProcess) {
        ended++;
        doneByEnded += 1 - (childProcess.done() - childProcess.doneHere());
    }

    /** Updates the display if it is time for it. */
    void look(List<ChildProcess> children, int waiting) {
        long now = System.nanoTime();
        if (quiet || now - shown < (terminal.inPlace() ? REDRAW_NANOS : LINE_NANOS) || children.isEmpty()) {
            return;
        }
        shown = now;
        String all = all(children, waiting, (now - began) * 1e-9);
        if (!terminal.inPlace()) {
            terminal.remark(all);
            return;
        }
        List<String> lines = new ArrayList<>();
        children.stream().limit(MOST_LINES).forEach(childProcess -> {
            String name = childProcess.job().name();
            lines.add(name + " ".repeat(label - name.length()) + childProcess.line());
        });
        if (children.size() > MOST_LINES) {
            lines.add("and " + (children.size() - MOST_LINES) + " more");
        }
        lines.add(all);
        terminal.redraw(lines);
    }

    private String all(List<ChildProcess> children, int waiting, double seconds) {
        double done = ended + children.stream().mapToDouble(ChildProcess::done).sum();
        double doneHere = doneByEnded
                + children.stream().mapToDouble(ChildProcess::doneHere).sum();
        double left = children.stream()
                        .mapToDouble(childProcess -> 1 - childProcess.done())
                        .sum()
                + waiting;
        List<String> pace =
                doneHere < LEAST_DONE ? List.of() : List.of(NumberFormats.clock(seconds * left / doneHere) + " left");
        String position = ended + " of " + count + " " + nouns + " done, " + children.size() + " at once";
        return new ProgressLine("", position, done / count, List.of(), List.of(), pace)
                .text(terminal.lineColumns())
                .strip();
    }

    @Override
    public void close() {
        terminal.erase();
    }
}
