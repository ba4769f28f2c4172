package hocket.rl.replay;

import hocket.programs.Value;
import hocket.rl.actors.NumpySeed;
import hocket.rl.actors.TrainingEnvironments;
import hocket.rl.envs.wrappers.VectorNormalisation;
import hocket.rl.random.Pcg64;
import hocket.rl.random.SeedSequence;
import hocket.rl.sampling.Sampler;
import hocket.rl.sampling.Sampling;
import hocket.rl.spaces.Space;
import hocket.schedulers.Next;
import hocket.schedulers.Resample;
import hocket.schedulers.Ring;
import hocket.schedulers.Run;
import hocket.schedulers.Setup;
import hocket.schedulers.Source;
import hocket.schedulers.Turn;
import hocket.schedulers.settings.Keys;
import hocket.schedulers.state.State;
import hocket.scopes.ElementType;
import hocket.scopes.Heap;
import hocket.scopes.Shape;
import hocket.scopes.Streams;
import hocket.scopes.Tensor;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A replay buffer: the most recent transitions of an agent, drawn by a {@link Sampler}. Columns {@code observation} (w),
 * {@code action} (() of INT64, an index from 0, where actions are discrete, else (a)), {@code reward} (), {@code
 * next_observation} (w) and {@code discount} (), the factor of the next observation's value: 0 where the episode
 * terminated. With n-step returns the reward is the discounted sum of up to n steps, and the next observation the one
 * after them. A masked one has {@code next_mask} (n) too, and one with priorities {@code weight} (), the factor of a
 * row's loss. Observations of bytes are kept as bytes, other numbers as floats.
 */
public final class Replay implements Source {
    private static final int ACTION = 1;
    private static final int REWARD = 2;
    private static final int NEXT = 3;
    private static final int DISCOUNT = 4;
    private static final int MASK = 5;

    /** The columns that are kept; a further one has the weights. */
    private final List<Column> kept;

    private final List<Column> columns;
    private final RowLog log;
    private final Sampling sampling;

    /** The sampler's key, or its class. */
    private final String sampler;

    private final boolean isMasked;
    private final int capacity;
    private final Pcg64 random = Pcg64.of(0);
    private final int[] places;
    private final float[] weights;

    /** The numbers of a row in a column. */
    private final float[] numbers;

    private @Nullable TrainingEnvironments environments;
    private boolean begun;
    private boolean isFed;
    private long rowsDrawn;
    private long expected;

    /**
     * Makes an empty replay whose rows are drawn uniformly.
     *
     * @param capacity the number of transitions that are kept, at least 1
     * @param batch the rows of a sample, at least 1
     */
    public Replay(Space observations, Space actions, int capacity, int batch) {
        this(observations, actions, capacity, batch, false, Sampler.uniform());
    }

    /**
     * Makes an empty replay.
     *
     * @param isMasked whether a row also has {@code next_mask} (n), the actions that are allowed at the next observation
     * @param sampler draws the rows
     */
    public Replay(Space observations, Space actions, int capacity, int batch, boolean isMasked, Sampler sampler) {
        if (capacity < 1 || batch < 1) {
            throw new IllegalArgumentException(
                    "replay: capacity and batch must be at least 1, were " + capacity + " and " + batch);
        }
        this.capacity = capacity;
        this.isMasked = isMasked;
        Shape number = Shape.of();
        Column observation = SpaceColumns.observation(observations);
        List<Column> all = new ArrayList<>(List.of(
                observation,
                SpaceColumns.action(actions),
                new Column("reward", number, ElementType.FLOAT32),
                observation.with("next_observation", observation.shape()),
                new Column("discount", number, ElementType.FLOAT32)));
        if (isMasked) {
            Column mask = SpaceColumns.mask(actions);
            all.add(mask.with("next_mask", mask.shape()));
        }
        kept = List.copyOf(all);
        if (sampler.isPrioritised()) {
            all.add(new Column("weight", number, ElementType.FLOAT32));
        }
        columns = List.copyOf(all);
        log = new RowLog(
                kept,
                capacity,
                column -> observations.isBytes() && column.name().endsWith(observation.name())
                        || column.name().equals("next_mask"));
        sampling = sampler.of(capacity);
        this.sampler = Keys.of(sampler.getClass(), Sampler.class);
        places = new int[batch];
        weights = new float[batch];
        numbers = new float[log.mostNumbers()];
    }

    /**
     * Sets the number of transitions that a run will add; a {@link ReplayCollector} checks at its start that they fit
     * in memory. A replay of a run that is only evaluated is never filled and needs none.
     *
     * @param transitions the number that will be added in all; only the newest are held if it exceeds the capacity
     */
    public void expect(long transitions) {
        expected = transitions;
    }

    /** Sets the environments whose statistics normalise samples; the buffer holds the original numbers. */
    void collectedFrom(TrainingEnvironments collected) {
        environments = collected;
    }

    @Override
    public List<String> notes() {
        return environments == null ? List.of() : environments.notes();
    }

    /**
     * Checks that the expected transitions fit into the free Java heap.
     *
     * @throws IllegalArgumentException if they need more memory than Java has left, naming both
     */
    void requireRoom() {
        long more = Math.min(capacity, expected) - size();
        Heap.require(
                String.format(Locale.ROOT, "replay: %,d transitions of %,d bytes each", more, bytesOfRow()),
                (double) more * bytesOfRow());
    }

    /** The bytes of all expected transitions. */
    @Override
    public long bytes() {
        return Math.min(capacity, expected) * bytesOfRow();
    }

    private int bytesOfRow() {
        return log.width() + sampling.bytesOfRow();
    }

    /** The number of transitions held. */
    public int size() {
        return log.size();
    }

    /**
     * Adds a transition and drops the oldest one if the buffer is full. Each array holds rows one after the other.
     *
     * @param observation the row's index in observations
     * @param action the row's index in actions
     * @param reward of the step, or of n steps
     * @param nextRow the row's index in nextObservations and nextMasks
     * @param nextMasks the actions that are allowed at the next observation; not read without such a column
     * @param discount the factor of the next observation's value; 0 where the episode terminated
     */
    public void add(
            float[] observations,
            int observation,
            float[] actions,
            int action,
            float reward,
            float[] nextObservations,
            int nextRow,
            float[] nextMasks,
            float discount) {
        log.set(0, observations, observation);
        log.set(ACTION, actions, action);
        numbers[0] = reward;
        log.set(REWARD, numbers, 0);
        log.set(NEXT, nextObservations, nextRow);
        numbers[0] = discount;
        log.set(DISCOUNT, numbers, 0);
        if (isMasked) {
            log.set(MASK, nextMasks, nextRow);
        }
        sampling.added((int) (log.added() % capacity));
        log.add();
    }

    @Override
    public String name() {
        return "replay";
    }

    @Override
    public List<Column> columns() {
        return columns;
    }

    @Override
    public int batch() {
        return places.length;
    }

    @Override
    public int next(Streams streams, Sink sink) {
        if (size() == 0) {
            throw new IllegalStateException("the replay is empty: put the collecting turn first in the plan");
        }
        if (isPrioritised() && !isFed) {
            throw new IllegalStateException(
                    "the replay has priorities: Replay.feed must feed it, which gives them to rows by a turn's errors");
        }
        if (!begun) {
            random.restore(
                    Pcg64.of(SeedSequence.of(NumpySeed.of(streams)).child(3)).save());
            begun = true;
        }
        double progress = expected == 0 ? 1 : (double) log.added() / expected;
        sampling.draw(places, weights, size(), progress, random);
        for (int i = 0; i < places.length; i++) {
            if (places[i] < 0 || places[i] >= size() || !Float.isFinite(weights[i])) {
                throw new IllegalStateException("sampler " + sampler + ": must draw places of the " + size()
                        + " rows with finite weights, drew place " + places[i] + " with weight " + weights[i]);
            }
        }
        Optional<VectorNormalisation> by = environments == null ? Optional.empty() : environments.normalisation();
        for (int column = 0; column < columns.size(); column++) {
            @Nullable ByteBuffer out = sink.column(column, places.length);
            if (out != null && column < kept.size()) {
                gather(column, by, out);
            } else if (out != null) {
                RowBuffers.put(weights, 0, weights.length, ElementType.FLOAT32, out, 0);
            }
        }
        rowsDrawn += places.length;
        return places.length;
    }

    private void gather(int column, Optional<VectorNormalisation> by, ByteBuffer out) {
        Column of = kept.get(column);
        int width = of.shape().size();
        for (int i = 0; i < places.length; i++) {
            log.read(places[i], column, numbers);
            if (by.isPresent()) {
                normalise(by.get(), column);
            }
            RowBuffers.put(numbers, 0, width, of.type(), out, i * width);
        }
    }

    private void normalise(VectorNormalisation by, int column) {
        if (column == REWARD) {
            numbers[0] = (float) by.normalise((double) numbers[0]);
        } else if (column == 0 || column == NEXT) {
            by.normalise(numbers);
        }
    }

    /** Returns whether rows have priorities. */
    private boolean isPrioritised() {
        return columns.size() > kept.size();
    }

    /**
     * Returns a turn that learns from the rows of a draw, and observes their errors if rows have priorities.
     *
     * @param error of each row, () of the turn's program
     */
    public Turn.Descend learning(Turn.Descend turn, Value error) {
        return isPrioritised() ? turn.observes(error) : turn;
    }

    /**
     * Feeds a setup. If rows have priorities, each learning turn gives them to the rows of its draw by their errors.
     *
     * @param turn of {@link #learning}
     * @param error of each row
     */
    public Setup feed(Setup setup, Turn.Descend turn, Value error) {
        isFed = true;
        Setup fed = setup.feed(this, Resample.EACH_TURN);
        return isPrioritised() ? fed.ring(new Priorities(this, turn, error)) : fed;
    }

    /**
     * Gives priorities inside of the turn that observes errors, so that a state between two turns has them.
     *
     * @param of the replay of the rows
     */
    private record Priorities(Replay of, Turn.Descend turn, Value error) implements Ring {
        @Override
        public void turn(Run run, List<Turn> turns, Next next) {
            next.proceed();
            if (turns.stream().anyMatch(each -> each.name().equals(turn.name()))) {
                if (turns.size() > 1) {
                    throw new IllegalStateException("turn " + turn.name() + ": priorities need it to be taken alone");
                }
                of.sampling.learnt(
                        of.places, run.scheduler().observed(turn, error).floats());
            }
        }

        @Override
        public String toString() {
            return "turn " + turn.name() + " gives rows priorities by their errors";
        }
    }

    @Override
    public double epoch() {
        return (double) rowsDrawn / capacity;
    }

    @Override
    public State save() {
        State state = State.empty()
                .with("begun", begun ? 1 : 0)
                .with("random", random.save())
                .with("rows_drawn", rowsDrawn)
                .with("sampler", sampler)
                .with("sampling", sampling.save());
        if (isPrioritised()) { // of rows that a turn has drawn and not learnt
            state = state.with("places", Tensor.of(Shape.of(places.length), drawn()));
        }
        return log.save(state);
    }

    private long[] drawn() {
        return IntStream.of(places).asLongStream().toArray();
    }

    @Override
    public void restore(State state) {
        String saved = state.has("sampler") ? state.text("sampler") : "uniform"; // of an earlier version
        if (!saved.equals(sampler)) {
            throw new IllegalArgumentException(
                    "source replay: was saved with sampler " + saved + ", here it is " + sampler);
        }
        Runnable restoring = log.restoring("source replay", state);
        State ofRandom = state.state("random");
        long savedRows = state.whole("rows_drawn");
        boolean hasBegun = state.whole("begun") == 1;
        if (isPrioritised()) {
            Tensor savedPlaces = state.tensor("places");
            if (savedPlaces.shape().size() != places.length) {
                throw new IllegalArgumentException("source replay: was saved with draws of "
                        + savedPlaces.shape().size() + " rows, here they have " + places.length);
            }
            sampling.restore(state.state("sampling"));
            Arrays.setAll(places, i -> (int) savedPlaces.get(i));
        } else if (state.has("sampling")) {
            sampling.restore(state.state("sampling"));
        }
        restoring.run();
        random.restore(ofRandom);
        rowsDrawn = savedRows;
        begun = hasBegun;
    }
}
