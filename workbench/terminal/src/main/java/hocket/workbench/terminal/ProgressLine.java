package hocket.workbench.terminal;

import java.util.ArrayList;
import java.util.List;

/**
 * The progress of a run in a line: {@code digits-gan epoch 123/500 [####......] d 0.91 g 1.24 142 it/s 1:23 left}.
 *
 * @param name the name of the run
 * @param position epochs, rounds or turns, and their total
 * @param done the completed fraction, from 0 to 1
 * @param losses the losses of the turns
 * @param metrics further metrics
 * @param pace iterations a second, and the remaining time
 */
public record ProgressLine(
        String name, String position, double done, List<String> losses, List<String> metrics, List<String> pace) {
    private static final String GAP = "  ";
    private static final int SHORTEST_BAR = 8;
    private static final int LONGEST_BAR = 20;

    /** Returns as much of it as fits: first the name is omitted, then metrics, the bar, losses. */
    public String text(int columns) {
        boolean withLosses = width(losses) + width(pace) + position.length() <= columns;
        List<String> shownLosses = withLosses ? losses : List.of();
        int used = position.length() + width(shownLosses) + width(pace);
        int bar = GAP.length() + SHORTEST_BAR;
        boolean withBar = used + bar <= columns;
        used += withBar ? bar : 0;
        boolean withMetrics = withBar && used + width(metrics) <= columns;
        used += withMetrics ? width(metrics) : 0;
        boolean withName = withBar && used + name.length() + GAP.length() <= columns;
        used += withName ? name.length() + GAP.length() : 0;

        List<String> parts = new ArrayList<>();
        if (withName) {
            parts.add(name);
        }
        parts.add(position);
        if (withBar) {
            parts.add(bar(Math.min(LONGEST_BAR, SHORTEST_BAR + columns - used)));
        }
        parts.addAll(shownLosses);
        if (withMetrics) {
            parts.addAll(metrics);
        }
        parts.addAll(pace);
        String line = String.join(GAP, parts);
        return line.length() <= columns ? line : line.substring(0, columns);
    }

    private String bar(int width) {
        int inside = width - 2;
        int full = (int) (done * inside);
        return "[" + "#".repeat(full) + ".".repeat(inside - full) + "]";
    }

    /** Returns the width of parts with the gaps before them. */
    private static int width(List<String> parts) {
        return parts.stream().mapToInt(part -> part.length() + GAP.length()).sum();
    }
}
