package hocket.rl.text;

import hocket.schedulers.Source;
import hocket.schedulers.state.State;
import hocket.schedulers.state.Stateful;
import hocket.schedulers.text.Text;
import hocket.scopes.Stream;
import hocket.scopes.Streams;

/** Prompts from a text, and continuations of them by a writer: the same numbers for the same seed and state. */
final class Prompts implements Stateful {
    private final String name;
    private final Source windows;
    private final ContinuationWriter writer;
    private long times;

    /**
     * @param name of its random streams
     * @param count prompts of a draw
     */
    Prompts(String name, Text text, int length, int count, ContinuationWriter writer) {
        this.name = name;
        this.windows = text.batches(name, length - 1, count);
        this.writer = writer;
    }

    /** Draws prompts, as rows of characters. */
    long[] next(Streams streams) {
        return windows.draw(column -> true, streams)
                .tensors()
                .values()
                .iterator()
                .next()
                .longs();
    }

    /** Writes a continuation of each, another one each time. */
    long[] continued(Forward forward, Streams streams, long[] prompts) {
        Stream stream = streams.at(name + "/write");
        return writer.write(forward, prompts, stream, times++);
    }

    @Override
    public State save() {
        return State.empty().with("windows", windows.save()).with("times", times);
    }

    @Override
    public void restore(State state) {
        windows.restore(state.state("windows"));
        times = state.whole("times");
    }
}
