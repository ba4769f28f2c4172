package hocket.schedulers.trainer;

import hocket.programs.Mode;
import hocket.programs.Program;
import hocket.programs.Session;
import hocket.programs.Session.Feeds;
import hocket.schedulers.Budget;
import hocket.schedulers.Event;
import hocket.schedulers.LiveRun;
import hocket.schedulers.Next;
import hocket.schedulers.Plan;
import hocket.schedulers.Resample;
import hocket.schedulers.Ring;
import hocket.schedulers.Run;
import hocket.schedulers.Setup;
import hocket.schedulers.Source;
import hocket.schedulers.Turn;
import hocket.schedulers.feeds.ForwardingSource;
import hocket.schedulers.inference.SavedModel;
import hocket.schedulers.optimizers.UpdateRule;
import hocket.schedulers.state.State;
import hocket.schedulers.trainer.Outcomes.Outcome;
import hocket.scopes.SimilarNames;
import hocket.scopes.Streams;
import hocket.scopes.Tensor;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Trains a model in a line: {@code Trainer.of(definition).with(adam(1e-3)).train(rows.batches(64), 20)}. A step
 * descends each objective once, each on its own batch if it reads data. It is a shorthand for a plan and its rings,
 * both available by {@link #live}. Used by one thread; close it after use.
 */
public final class Trainer implements AutoCloseable {
    private final Model model;
    private final Map<String, UpdateRule> rules = new HashMap<>();
    private final List<Ring> rings = new ArrayList<>();
    private final List<Consumer<TrainerEvent>> listeners = new ArrayList<>();
    private List<String> feedOrder = List.of();
    private @Nullable UpdateRule rule;
    private long seed = 7;
    private int threads = Runtime.getRuntime().availableProcessors();
    private @Nullable LiveRun live;
    private @Nullable SwitchableSource switchableSource;

    /** The epochs of earlier sources, which are added to those of the current one. */
    private long before;

    private Trainer(Model model) {
        this.model = model;
    }

    /** A trainer of a model; {@link #with(UpdateRule)} sets its optimizer. */
    public static Trainer of(Model.Definition definition) {
        return new Trainer(definition.model());
    }

    /** Sets the optimizer of all objectives that have no other. */
    public Trainer with(UpdateRule optimizer) {
        requireUntrained();
        rule = optimizer;
        return this;
    }

    /**
     * Sets the optimizer of one objective.
     *
     * @throws IllegalArgumentException if the name is unknown, naming similar ones
     */
    public Trainer with(String objective, UpdateRule optimizer) {
        requireUntrained();
        List<String> names =
                model.objectives().stream().map(Model.Objective::name).toList();
        SimilarNames.require(names, objective, "there is no objective ");
        rules.put(objective, optimizer);
        return this;
    }

    /** Sets the inputs that the columns of sources feed, in their order; the default is those of their names. */
    public Trainer feedOrder(String... inputs) {
        requireUntrained();
        feedOrder = List.of(inputs);
        return this;
    }

    /** Sets the seed of weights, noise and the order of the data; the default is 7. */
    public Trainer seed(long value) {
        requireUntrained();
        seed = value;
        return this;
    }

    /** Sets the number of threads, on which results may depend; the default is the number of processors. */
    public Trainer threads(int count) {
        requireUntrained();
        threads = count;
        return this;
    }

    /** Adds a ring around each call of train. */
    public Trainer ring(Ring ring) {
        requireUntrained();
        rings.add(ring);
        return this;
    }

    /** Adds a listener for events of a kind, on the training thread: {@code on(EndEpoch.class, end -> …)}. */
    public <E extends TrainerEvent> Trainer on(Class<E> kind, Consumer<E> listener) {
        listeners.add(event -> {
            if (kind.isInstance(event)) {
                listener.accept(kind.cast(event));
            }
        });
        return this;
    }

    private void requireUntrained() {
        if (live != null) {
            throw new IllegalStateException("this trainer has trained already: configure it before the first train(…)");
        }
    }

    /**
     * Trains for a number of epochs of a source, from its current position: an epoch that was started before counts as
     * one. A new source gives its rows in the same order again; the same source continues.
     *
     * @return this trainer
     * @throws IllegalStateException if an objective has no optimizer: call {@link #with}
     * @throws IllegalArgumentException if the source does not feed the objectives, or gives other columns than one before
     * @throws hocket.schedulers.turns.DivergedException if a loss or gradient is not finite
     */
    public Trainer train(Source source, long epochs) {
        if (epochs < 0) {
            throw new IllegalArgumentException("epochs must be at least 0, was " + epochs);
        }
        LiveRun run = begun(named(source));
        long target = whole(source) + epochs;
        run.scheduler().run(Budget.epochs(source(run).name(), target));
        return this;
    }

    private static long whole(Source source) {
        return (long) Math.floor(source.epoch() + 1e-9); // sums of parts
    }

    private Source named(Source source) {
        return feedOrder.isEmpty() ? source : source.feeding(source.name(), feedOrder);
    }

    private static Source source(LiveRun run) {
        return run.setup().feeds().get(0).source().open();
    }

    private LiveRun begun(Source source) {
        if (live != null && switchableSource != null) {
            before += whole(switchableSource) - whole(source);
            switchableSource.from(source);
            return live;
        }
        SwitchableSource first = new SwitchableSource(source);
        Plan[] turns = model.objectives().stream().map(this::turn).toArray(Plan[]::new);
        LiveRun run = ((hocket.schedulers.Definition) () -> {
                    Setup setup = Setup.of(
                                    model.networks(),
                                    turns.length == 1 ? turns[0] : Plan.sequence(turns),
                                    Budget.epochs(source.name(), 0))
                            .feed(first, Resample.EACH_TURN);
                    for (Ring ring : rings) {
                        setup = setup.ring(ring);
                    }
                    return setup.ring(new Reporting());
                })
                .begin(seed, threads);
        switchableSource = first;
        live = run;
        return run;
    }

    private Turn turn(Model.Objective objective) {
        UpdateRule own = rules.getOrDefault(objective.name(), rule);
        if (own == null) {
            throw new IllegalStateException(
                    "objective " + objective.name() + " has no optimizer: call with(optimizer)");
        }
        return Turn.of(objective.name(), Model.training(objective)).updates(objective.selection(), own);
    }

    /**
     * Returns the current run: its store, its scheduler with saving and restoring, its rings.
     *
     * @throws IllegalStateException before the first train
     */
    public LiveRun live() {
        if (live == null) {
            throw new IllegalStateException("nothing was trained yet: call train(source, epochs) first");
        }
        return live;
    }

    /**
     * Evaluates the objectives over an epoch of a source, without training: dropout is off, and batch norms use their
     * running statistics. The source's cursor does not change.
     *
     * @return means over the rows of an epoch; {@code Rows.batches} leaves out those that do not fill a last batch
     * @throws IllegalStateException before the first train
     */
    public Outcomes test(Source source) {
        Source rows = named(source);
        WeightedMeans weightedMeans = new WeightedMeans();
        for (Model.Objective objective : model.objectives()) {
            Program program = Model.training(objective).in(Mode.EVAL);
            eachBatch(program, rows, (feeds, results) -> {
                SortedMap<String, Double> metrics = new TreeMap<>();
                program.metrics()
                        .forEach((name, value) -> metrics.put(
                                name,
                                results.get(program.targets().indexOf(value)).scalar()));
                weightedMeans.add(new Outcome(objective.name(), results.get(0).scalar(), metrics), feeds.rows());
            });
        }
        return weightedMeans.mean();
    }

    private interface Batch {
        void take(Feeds feeds, List<Tensor> results);
    }

    private void eachBatch(Program program, Source rows, Batch batch) {
        State begin = rows.save();
        double from = rows.epoch();
        double before = from;
        boolean advanced;
        Session session = live().scheduler().now().session();
        try {
            do {
                Feeds feeds = rows.draw(program, Streams.seed(seed));
                batch.take(feeds, session.run(program, feeds));
                advanced = rows.epoch() > before;
                before = rows.epoch();
            } while (advanced && rows.epoch() < from + 1 - 1e-9);
        } finally {
            rows.restore(begin);
        }
    }

    /**
     * Saves the model for inference, for {@link hocket.schedulers.inference.Inferencer#load(Path)}: the program, the
     * parameters that it reads, and no others.
     *
     * @param folder made if missing; an earlier saved model is replaced
     * @throws IllegalStateException before the first train, or if the model has no outputs
     * @throws java.io.UncheckedIOException if writing fails; the former files are unchanged then
     */
    public void saveInferenceModel(Path folder) {
        SavedModel.write(model.inference(), live().parameters(), folder);
    }

    @Override
    public void close() {
        if (live != null) {
            live.close();
        }
    }

    /** Makes a trainer's events from epochs, rounds and turns. */
    private final class Reporting implements Ring {
        private long batch;
        private WeightedMeans epoch = new WeightedMeans();
        private WeightedMeans step = new WeightedMeans();

        private long number() {
            return before + whole(source(live())) + 1;
        }

        @Override
        public void epoch(Run run, Next next) {
            long number = number();
            batch = 0;
            epoch = new WeightedMeans();
            tell(new TrainerEvent.BeginEpoch(number));
            next.proceed();
            if (!epoch.isEmpty() && number() > number) {
                tell(new TrainerEvent.EndEpoch(number, batch, epoch.mean()));
            }
        }

        @Override
        public void round(Run run, Next next) {
            long number = number();
            batch++;
            step = new WeightedMeans();
            tell(new TrainerEvent.BeginStep(number, batch));
            next.proceed();
            if (!step.isEmpty()) {
                tell(new TrainerEvent.EndStep(number, batch, step.mean()));
            }
        }

        @Override
        public void descended(Run run, Event.Descended turn) {
            Outcome outcome =
                    new Outcome(turn.turn(), turn.loss(), turn.metrics().byName());
            step.add(outcome, 1);
            epoch.add(outcome, 1);
        }

        private void tell(TrainerEvent event) {
            listeners.forEach(listener -> listener.accept(event));
        }
    }

    /** The current source of a trainer, which each call of train may replace. */
    private static final class SwitchableSource extends ForwardingSource {
        private final AtomicReference<Source> now;

        SwitchableSource(Source first) {
            this(new AtomicReference<>(first));
        }

        private SwitchableSource(AtomicReference<Source> now) {
            super(now::get);
            this.now = now;
        }

        /** @throws IllegalArgumentException if it gives other columns than the first */
        void from(Source next) {
            if (!next.columns().equals(columns())) {
                throw new IllegalArgumentException("source " + next.name() + " gives " + next.columns()
                        + "; this trainer was trained on " + columns() + " before");
            }
            now.set(next);
        }
    }

    /** Weighted means of the results of objectives. */
    private static final class WeightedMeans {
        private static final class Sum {
            double cost;
            final SortedMap<String, Double> metrics = new TreeMap<>();
            double weight;
        }

        private final Map<String, Sum> sums = new LinkedHashMap<>();

        void add(Outcome outcome, double weight) {
            Sum sum = sums.computeIfAbsent(outcome.objective(), name -> new Sum());
            sum.cost += weight * outcome.cost();
            outcome.metrics().forEach((name, value) -> sum.metrics.merge(name, weight * value, Double::sum));
            sum.weight += weight;
        }

        boolean isEmpty() {
            return sums.isEmpty();
        }

        Outcomes mean() {
            List<Outcome> means = new ArrayList<>();
            sums.forEach((objective, sum) -> {
                SortedMap<String, Double> metrics = new TreeMap<>();
                sum.metrics.forEach((name, value) -> metrics.put(name, value / sum.weight));
                means.add(new Outcome(objective, sum.cost / sum.weight, metrics));
            });
            return new Outcomes(means);
        }
    }
}
