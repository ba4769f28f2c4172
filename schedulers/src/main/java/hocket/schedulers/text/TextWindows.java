package hocket.schedulers.text;

import hocket.schedulers.Source;
import hocket.schedulers.state.State;
import hocket.scopes.Streams;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.commons.rng.UniformRandomProvider;
import org.jspecify.annotations.Nullable;

/**
 * Windows of a text at places that are uniform and independent: a column {@code text}, INT64 (steps + 1). The places
 * depend on seed, name and the number of the draw, so the number of draws is its only state. An epoch is as many draws as
 * predict about as many characters as the text has.
 */
public final class TextWindows implements Source {
    private final String name;
    private final Text text;
    private final int steps;
    private final int batch;
    private long draws;

    TextWindows(String name, Text text, int steps, int batch) {
        text.requireWindow("source " + name, steps);
        if (batch < 1) {
            throw new IllegalArgumentException("source " + name + ": a batch must be at least 1, was " + batch);
        }
        this.name = name;
        this.text = text;
        this.steps = steps;
        this.batch = batch;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public List<Column> columns() {
        return List.of(Text.column(steps));
    }

    @Override
    public int batch() {
        return batch;
    }

    @Override
    public int next(Streams streams, Sink sink) {
        @Nullable ByteBuffer out = sink.column(0, batch);
        if (out != null) {
            UniformRandomProvider places = streams.at("source/" + name).generator(draws);
            for (int row = 0; row < batch; row++) {
                int first = places.nextInt(text.length() - steps);
                for (int i = 0; i <= steps; i++) {
                    out.putLong((row * (steps + 1) + i) * Long.BYTES, text.number(first + i));
                }
            }
        }
        draws++;
        return batch;
    }

    @Override
    public Optional<Source> fresh() {
        return Optional.of(new TextWindows(name, text, steps, batch));
    }

    @Override
    public boolean rowsContinue() {
        return false;
    }

    @Override
    public long bytes() {
        return (long) text.length() * Integer.BYTES;
    }

    @Override
    public double epoch() {
        return (double) draws / perEpoch();
    }

    @Override
    public OptionalLong drawsAnEpoch() {
        return OptionalLong.of(perEpoch());
    }

    private long perEpoch() {
        return Math.max(1, text.length() / ((long) steps * batch));
    }

    @Override
    public State save() {
        return State.empty()
                .with("draws", draws)
                .with("characters", text.length())
                .with("steps", steps)
                .with("batch", batch);
    }

    @Override
    public void restore(State state) {
        long characters = state.whole("characters");
        if (characters != text.length() || state.whole("steps") != steps || state.whole("batch") != batch) {
            throw new IllegalArgumentException("source " + name + " was saved with batches of " + state.whole("batch")
                    + " windows of " + state.whole("steps") + " steps from " + characters
                    + " characters, here it has batches of " + batch + " windows of " + steps + " steps from "
                    + text.length());
        }
        long saved = state.whole("draws");
        if (saved < 0) {
            throw new IllegalArgumentException("source " + name + ": the saved number of draws is " + saved);
        }
        draws = saved;
    }
}
