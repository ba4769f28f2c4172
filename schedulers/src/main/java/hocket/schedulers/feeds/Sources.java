package hocket.schedulers.feeds;

import hocket.programs.Program;
import hocket.programs.Session.Feeds;
import hocket.programs.Value;
import hocket.schedulers.Resample;
import hocket.schedulers.Source;
import hocket.schedulers.SourceDescription;
import hocket.schedulers.settings.NonNull;
import hocket.schedulers.state.State;
import hocket.scopes.SimilarNames;
import hocket.scopes.Streams;
import hocket.scopes.Tensor;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The sources of a scheduler, each under its name: those that feed the plan, and those given to single turns. */
public final class Sources {
    /** A source, and the step at which it was added. */
    private record Known(Feeding feeding, State begin, long since) {}

    private final Streams streams;
    private final Consumer<Source> epochEnded;
    private final List<Known> known = new ArrayList<>();
    private final List<Feeding> fed = new ArrayList<>();
    private State waiting = State.empty();
    private State waitingDrawn = State.empty();
    private long waitingRound;
    private boolean holding;

    public Sources(Streams streams, Consumer<Source> epochEnded) {
        this.streams = streams;
        this.epochEnded = epochEnded;
    }

    /** Adds a source that feeds the plan. */
    public Feeding feed(Source source, Resample resample, long step) {
        Feeding feeding = add(source, resample, step);
        fed.add(feeding);
        return feeding;
    }

    /** Frees the kept batches. */
    public void release() {
        known.forEach(each -> each.feeding().release());
    }

    /** Returns the sources that feed the plan. */
    public List<Feeding> fed() {
        return fed;
    }

    /** Returns the feeding of a known source; null for an unknown one. */
    @SuppressWarnings("ReferenceEquality") // another object has another cursor
    @Nullable
    public Feeding find(Source source) {
        for (int i = 0; i < known.size(); i++) {
            if (known.get(i).feeding().source() == source) {
                return known.get(i).feeding();
            }
        }
        return null;
    }

    /** Returns a feeding for one turn, to be checked before {@link #add} registers the source. */
    public Feeding unknown(Source source) {
        return new Feeding(source, Resample.EACH_TURN, streams, epochEnded);
    }

    /**
     * Adds a source, at its saved position.
     *
     * @throws IllegalArgumentException if another one has its name, or its saved state is of another kind
     */
    public Feeding add(Source source, Resample resample, long step) {
        String name = NonNull.by(source, "name()", source.name());
        if (known.stream().anyMatch(other -> other.feeding().source().name().equals(name))) {
            throw new IllegalArgumentException(
                    "two sources are called " + name + ": make a source once and keep it, or give one another name");
        }
        Feeding feeding = new Feeding(source, resample, streams, epochEnded);
        feeding.hold(holding);
        State begin = NonNull.saved(source);
        if (waiting.has(name)) {
            NonNull.back("source " + source.name(), source, waiting.state(name));
            waiting = waiting.without(name);
        }
        if (waitingDrawn.has(name)) {
            feeding.restore(waitingDrawn.state(name), waitingRound);
            waitingDrawn = waitingDrawn.without(name);
        }
        known.add(new Known(feeding, begin, step));
        return feeding;
    }

    /** Returns the source of that name or with a column of that name. */
    public Optional<Source> called(String name) {
        for (int i = 0; i < known.size(); i++) {
            if (known.get(i).feeding().isCalled(name)) {
                return Optional.of(known.get(i).feeding().source());
            }
        }
        return Optional.empty();
    }

    /** @throws IllegalArgumentException if there is none; the message lists similar names */
    Source named(String name) {
        return called(name).orElseThrow(() -> {
            List<String> names =
                    known.stream().map(other -> other.feeding().source().name()).toList();
            return new IllegalArgumentException(
                    "no source is called " + name + " or has a column that is" + SimilarNames.among(name, names));
        });
    }

    /**
     * Returns the source of that name, which must have epochs.
     *
     * @throws IllegalArgumentException as {@link #named}, or if it has none
     */
    public Source withEpochs(String name) {
        Source source = named(name);
        requireEpochs(source);
        return source;
    }

    /** @throws IllegalArgumentException if it has no epochs to count */
    public static void requireEpochs(SourceDescription source) {
        if (!source.hasEpochs()) {
            throw new IllegalArgumentException(
                    "source " + source.name() + " has no epochs, as its rows come from outside: count rounds or turns");
        }
    }

    /** Returns batches of a program's inputs, by separate cursors from the beginning on; empty where there are none. */
    public Optional<Supplier<Feeds>> batches(Program program) {
        Set<Source> needed = new LinkedHashSet<>();
        for (Value input : program.inputs()) {
            Optional<Source> source = known.stream()
                    .map(one -> one.feeding().source())
                    .filter(each -> each.hasColumn(input.path().text()))
                    .findFirst();
            if (source.isEmpty()) {
                return Optional.empty();
            }
            needed.add(source.get());
        }
        List<Source> fresh = new ArrayList<>();
        needed.forEach(source -> source.fresh().ifPresent(fresh::add));
        return fresh.size() < needed.size() ? Optional.empty() : Optional.of(() -> next(fresh, program));
    }

    private Feeds next(List<Source> from, Program program) {
        Feeds all = from.get(0).draw(program, streams);
        for (Source more : from.subList(1, from.size())) {
            for (Map.Entry<String, Tensor> each :
                    more.draw(program, streams).tensors().entrySet()) {
                all = all.and(each.getKey(), each.getValue());
            }
        }
        return all;
    }

    /** Returns the epochs of the first source; 0 without one. */
    public double epoch() {
        return known.isEmpty() ? 0 : known.get(0).feeding().epoch();
    }

    /**
     * Returns the epochs of the source of that name or with a column of that name.
     *
     * @throws IllegalArgumentException as {@link #named}
     */
    public double epoch(String name) {
        return Objects.requireNonNull(find(named(name))).epoch();
    }

    /** Returns the batch size of the first source that feeds the plan; 0 without one. */
    public int batch() {
        return fed.isEmpty() ? 0 : fed.get(0).source().batch();
    }

    /** Begins a turn, whose draws are recorded from now on. */
    public void begin() {
        for (int i = 0; i < known.size(); i++) {
            known.get(i).feeding().begin();
        }
    }

    /**
     * Keeps what was drawn since {@link #begin} for turns that failed, which read it again.
     *
     * @return whether they then read what they would have read
     */
    public boolean keepDrawn(long round) {
        boolean isWhole = true;
        for (Known one : known) {
            isWhole &= one.feeding().keepDrawn(round);
        }
        return isWhole;
    }

    /** Sets whether each turn reads the same rows again from now on. */
    public void hold(boolean same) {
        holding = same;
        known.forEach(one -> one.feeding().hold(same));
    }

    /** Returns the batches to be read again in this round, by source. */
    public State drawn(long round) {
        State state = waitingDrawn;
        for (Known one : known) {
            State drawn = one.feeding().save(round);
            if (!drawn.items().isEmpty()) {
                state = state.with(one.feeding().source().name(), drawn);
            }
        }
        return state;
    }

    public State save() {
        State state = waiting;
        for (Known one : known) {
            state = state.with(
                    one.feeding().source().name(), NonNull.saved(one.feeding().source()));
        }
        return state;
    }

    /**
     * Restores the state saved at a step. A source that was added after that step is reset to its beginning; the state
     * of sources that are added later is kept for them.
     *
     * @param drawn batches of this round, to be read again
     */
    public void restore(State state, State drawn, long step, long round) {
        State rest = state;
        waitingDrawn = drawn;
        waitingRound = round;
        for (Known one : known) {
            Source source = one.feeding().source();
            if (state.has(source.name())) {
                NonNull.back("source " + source.name(), source, state.state(source.name()));
                rest = rest.without(source.name());
            } else if (step > one.since()) {
                throw new IllegalArgumentException("the saved state has no source " + source.name()
                        + SimilarNames.among(source.name(), state.items().keySet()));
            } else {
                NonNull.back("source " + source.name(), source, one.begin());
            }
            one.feeding().forget();
            if (drawn.has(source.name())) {
                one.feeding().restore(drawn.state(source.name()), round);
                waitingDrawn = waitingDrawn.without(source.name());
            }
        }
        waiting = rest;
    }
}
