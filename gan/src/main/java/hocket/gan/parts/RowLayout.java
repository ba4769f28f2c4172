package hocket.gan.parts;

import java.util.List;
import java.util.stream.IntStream;

/**
 * The parts of a row that encodes a row of a table.
 *
 * @param spans in their order
 */
public record RowLayout(List<Span> spans) {
    /** The meaning of a span. */
    public enum Kind {
        /** One number in -1..1. */
        NUMBER,
        /** One-hot: the mode that the number before it is relative to. */
        MODE,
        /** One-hot: a category, which a condition may ask for. */
        CATEGORY
    }

    /**
     * A span.
     *
     * @param size how many numbers it has
     */
    public record Span(Kind kind, int size) {}

    public RowLayout {
        spans = List.copyOf(spans);
    }

    /** Returns how many numbers a row has. */
    public int size() {
        return spans.stream().mapToInt(Span::size).sum();
    }

    /** Returns where a span begins. */
    public int begin(int span) {
        return spans.subList(0, span).stream().mapToInt(Span::size).sum();
    }

    /** Returns the spans of a kind, by their places. */
    public int[] places(Kind kind) {
        return IntStream.range(0, spans.size())
                .filter(i -> spans.get(i).kind() == kind)
                .toArray();
    }

    /** Returns how many categories a condition may ask for, of all columns. */
    public int choices() {
        return spans.stream()
                .filter(span -> span.kind() == Kind.CATEGORY)
                .mapToInt(Span::size)
                .sum();
    }
}
