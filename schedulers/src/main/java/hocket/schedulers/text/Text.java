package hocket.schedulers.text;

import hocket.schedulers.Rows;
import hocket.schedulers.Source;
import hocket.schedulers.feeds.DataFingerprint;
import hocket.schedulers.feeds.ForwardingSource;
import hocket.scopes.ElementType;
import hocket.scopes.Shape;
import hocket.scopes.Tensor;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A text as numbers of a vocabulary: {@code Text.of(characters).part(TRAIN).batches("text", 64, 32)}. A window of it is
 * a row of a column {@code text}, INT64 (steps + 1): a model that reads all but the last character predicts all but the
 * first.
 */
public final class Text {
    /** A part of a text: the held-out part is its last tenth. */
    public enum Part {
        /** The whole text. */
        ALL,
        /** The first nine tenths. */
        TRAIN,
        /** The last tenth. */
        HELD_OUT
    }

    private final Vocabulary vocabulary;
    private final int[] numbers;

    private Text(Vocabulary vocabulary, int[] numbers) {
        this.vocabulary = vocabulary;
        this.numbers = numbers;
    }

    /**
     * A text in a vocabulary of its own characters.
     *
     * @throws IllegalArgumentException if it is empty
     */
    public static Text of(String characters) {
        return of(Vocabulary.of(characters), characters);
    }

    /**
     * A text in a given vocabulary.
     *
     * @throws IllegalArgumentException as {@link Vocabulary#encode}
     */
    public static Text of(Vocabulary vocabulary, String characters) {
        return new Text(vocabulary, vocabulary.encode(characters));
    }

    /** Returns its vocabulary. */
    public Vocabulary vocabulary() {
        return vocabulary;
    }

    /** Returns the number of its characters. */
    public int length() {
        return numbers.length;
    }

    /** Returns the number of the character at a place from 0. */
    public int number(int place) {
        return numbers[place];
    }

    /** Returns a part, in the vocabulary of the whole. */
    public Text part(Part part) {
        int split = (int) (length() * 9L / 10);
        return switch (part) {
            case ALL -> this;
            case TRAIN -> new Text(vocabulary, Arrays.copyOfRange(numbers, 0, split));
            case HELD_OUT -> new Text(vocabulary, Arrays.copyOfRange(numbers, split, length()));
        };
    }

    /**
     * Returns the text in windows, one after the other: each begins with the last character of the one before, so that
     * every character but the first is predicted once. The characters that do not fill a last window are left out.
     *
     * @param steps characters that a window predicts, one fewer than it has
     * @throws IllegalArgumentException if steps is below 1 or the text is shorter than a window
     */
    public Rows windows(int steps) {
        requireWindow("windows of a text", steps);
        int count = (length() - 1) / steps;
        long[] rows = new long[Math.multiplyExact(count, steps + 1)];
        Arrays.setAll(rows, i -> numbers[i / (steps + 1) * steps + i % (steps + 1)]);
        return Rows.of(column(steps).name(), Tensor.of(Shape.of(count, steps + 1), rows));
    }

    /**
     * Returns a source of windows in lanes: the text is divided into {@code batch} equal parts, and each row continues the
     * row of the draw before, as a carried state wants. After the end it begins again, and the state at the end is carried to
     * the beginning.
     *
     * @throws IllegalArgumentException if steps or batch is below 1, or a part is shorter than a window
     */
    public Source lanes(String name, int steps, int batch) {
        requireWindow("source " + name, steps);
        int each = batch < 1 ? 0 : (length() - 1) / steps / batch;
        if (each < 1) {
            throw new IllegalArgumentException("source " + name + ": a text of " + length() + " characters has no "
                    + batch + " lanes of windows of " + steps + " steps");
        }
        long[] rows = new long[Math.multiplyExact(each * batch, steps + 1)];
        Arrays.setAll(rows, i -> {
            int row = i / (steps + 1);
            int window = row % batch * each + row / batch;
            return numbers[window * steps + i % (steps + 1)];
        });
        return Rows.of(column(steps).name(), Tensor.of(Shape.of(each * batch, steps + 1), rows))
                .batchesInOrder(name, batch);
    }

    /**
     * Returns a source of windows at random places.
     *
     * @param name of the source
     * @param steps characters that a window predicts, one fewer than it has
     * @param batch windows a draw
     * @throws IllegalArgumentException if steps or batch is below 1 or the text is shorter than a window
     */
    public TextWindows batches(String name, int steps, int batch) {
        return new TextWindows(name, this, steps, batch);
    }

    /** Returns the source of an experiment file: windows in lanes, at random places, or all in order. */
    Source source(
            String name,
            int steps,
            int batch,
            boolean shuffled,
            boolean lanes,
            Supplier<List<DataFingerprint>> origins) {
        Source batches = lanes
                ? lanes(name, steps, batch)
                : shuffled ? batches(name, steps, batch) : windows(steps).batchesInOrder(name, batch);
        return new ForwardingSource(batches) {
            @Override
            public Optional<Source> fresh() {
                return Optional.of(source(name, steps, batch, shuffled, lanes, origins));
            }

            @Override
            public List<DataFingerprint> origins() {
                return origins.get();
            }

            @Override
            public boolean rowsContinue() {
                return lanes || !shuffled && batch == 1;
            }

            @Override
            public List<String> notes() {
                return List.of(Text.this.toString());
            }
        };
    }

    static Source.Column column(int steps) {
        return new Source.Column("text", Shape.of(steps + 1), ElementType.INT64);
    }

    void requireWindow(String of, int steps) {
        if (length() < 2) {
            throw new IllegalArgumentException(of + ": a text of " + length() + " characters has no window of 2");
        }
        if (steps < 1 || steps >= length()) {
            throw new IllegalArgumentException(of + ": steps must be 1 to " + (length() - 1) + " in a text of "
                    + length() + " characters, was " + steps);
        }
    }

    @Override
    public String toString() {
        return length() + " characters, " + vocabulary.size() + " different ones";
    }
}
