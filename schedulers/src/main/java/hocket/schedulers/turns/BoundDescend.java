package hocket.schedulers.turns;

import hocket.programs.Program;
import hocket.programs.Session.Feeds;
import hocket.programs.Value;
import hocket.programs.checks.Anomaly;
import hocket.programs.execution.BoundProgram;
import hocket.programs.execution.Lowering;
import hocket.schedulers.Event;
import hocket.schedulers.Turn;
import hocket.schedulers.exchange.Consistency;
import hocket.schedulers.exchange.DataParallelSplit;
import hocket.schedulers.exchange.MetricReduction;
import hocket.schedulers.exchange.PeerLostException;
import hocket.schedulers.feeds.FeedChecks;
import hocket.schedulers.feeds.Feeding;
import hocket.schedulers.optimizers.kernels.KernelThreads;
import hocket.schedulers.optimizers.updates.UpdatePlan;
import hocket.schedulers.runs.History;
import hocket.schedulers.runs.History.Series;
import hocket.schedulers.state.Saved;
import hocket.schedulers.state.State;
import hocket.scopes.Declaration;
import hocket.scopes.Device;
import hocket.scopes.ElementType;
import hocket.scopes.Parameters;
import hocket.scopes.Path;
import hocket.scopes.Shape;
import hocket.scopes.SimilarNames;
import hocket.scopes.Tensor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** A descending turn that is bound to the store: its program, and its optimizers with their slots. */
public final class BoundDescend extends BoundTurn {
    /** The number of values that are reported besides metrics: loss and norm. */
    private static final int BESIDE_METRICS = 2;

    private static final String KNOWN = "figures";

    private static final String CARRIED = "carried";

    private final Turn.Descend turn;
    private final Parameters parameters;
    private final KernelThreads kernelThreads;
    private final BoundProgram program;
    private final CarriedStates carried;
    private final @Nullable BoundDescend owner;
    private final BoundOptimizers optimizers;
    private final UpdatePlan updates;
    private final UsedRows usedRows;
    private final List<Parameters.Cell> written;
    private final Runnable update = this::update;
    private final @Nullable BoundProgram after;
    private final List<String> metricNames;
    private final Figure[] figures;
    private final Series loss;
    private final Series gradientNorm;
    private final Series[] metrics;
    private final List<String> watchedNames;
    private final Series[] watched;
    private final int[] claims;

    /** How many sources must feed each input: one, or none that a carried state feeds. */
    private final int[] sources;

    private final boolean batched;
    private final Consistency consistency;
    private final @Nullable MetricReduction metricReduction;
    private final @Nullable StaleTurn served;
    private final List<String> settingNames;
    private Event.Metrics settings;
    private boolean settingsVary = true;
    /** Whether the next run reads the carried states: not where its caller has fed others. */
    private boolean continues = true;

    private double lossNow;
    private double normNow;
    private int rowsNow;
    private long sampleNow;
    private long roundNow;

    /** A metric that is reported besides loss and norm. */
    private interface Figure {
        double now(boolean moved);
    }

    /** @param owner the turn whose optimizers it steps; null if it has its own */
    BoundDescend(
            Turn.Descend turn,
            @Nullable BoundDescend owner,
            Parameters parameters,
            int threads,
            DataParallelSplit dataParallelSplit,
            KernelThreads kernelThreads,
            History history) {
        super(turn);
        this.turn = turn;
        this.owner = owner;
        this.parameters = parameters;
        this.kernelThreads = kernelThreads;
        usedRows = UsedRows.of(turn, parameters.declarations());
        Program wanted = usedRows.handingOut(CarriedStates.handingOut(turn, dataParallelSplit.exchange()));
        SortedSet<Path> selected = Writes.reachedWeights(turn, parameters.declarations());
        consistency = dataParallelSplit.of(turn.name(), wanted, selected);
        if (consistency.isServed() && wanted.floatType() != ElementType.FLOAT32) {
            throw new IllegalArgumentException("turn " + turn.name() + ": servers move " + ElementType.FLOAT32
                    + " weights, and its are " + wanted.floatType());
        }
        if (consistency.movesApart() && !usedRows.isEmpty()) {
            throw new IllegalArgumentException("turn " + turn.name() + ": a lazy optimizer updates the rows that all"
                    + " processes use, and its weights are " + consistency);
        }
        if (owner != null && !(consistency.equals(owner.consistency) && !consistency.isServed())) {
            throw new IllegalArgumentException("turn " + turn.name() + " steps the optimizer of turn "
                    + owner.turn.name()
                    + ", so all processes must update the weights of both in the same way, and not on"
                    + " servers; " + turn.name() + ": " + consistency + ", " + owner.turn.name() + ": "
                    + owner.consistency);
        }
        Lowering lowering = dataParallelSplit.over(Lowering.of(wanted, selected), wanted, consistency);
        program = new BoundProgram(wanted, parameters, lowering, threads, selected, "");
        carried = new CarriedStates(turn, program);
        sources = wanted.inputs().stream()
                .mapToInt(input -> carried.reads(input) ? 0 : 1)
                .toArray();
        lowering.device() // before its optimizers are bound, which allocate slots there
                .ifPresent(
                        device -> selected.forEach(path -> parameters.cell(path).array(device)));
        batched = wanted.batched();
        claims = new int[wanted.inputs().size()];
        optimizers = owner == null ? new BoundOptimizers(turn, parameters, program, usedRows) : owner.optimizers;
        updates = optimizers.plan();
        written = optimizers.weights();
        served = consistency.isServed()
                ? new StaleTurn(
                        turn.name(),
                        dataParallelSplit.exchange(),
                        consistency.mostAhead().getAsInt(),
                        updates,
                        Math.toIntExact(updates.elements()),
                        () -> written.stream().map(Parameters.Cell::array).toList(),
                        optimizers::gradients)
                : null;
        after = turn.measuredAfter()
                ? new BoundProgram(wanted, parameters, lowering, threads, new TreeSet<>(), "")
                : null;
        metricNames = turn.metrics();
        figures = metricNames.stream().map(this::figure).toArray(Figure[]::new);
        metricReduction = consistency.averagedOver().isPresent()
                ? new MetricReduction(dataParallelSplit.exchange(), turn.name(), BESIDE_METRICS + figures.length)
                : null;
        List<Series> series = turn.series().stream().map(history::series).toList();
        loss = series.get(0);
        gradientNorm = series.get(1);
        metrics = series.subList(2, series.size()).toArray(Series[]::new);
        settingNames = List.copyOf(settings().keySet());
        settings = Event.Metrics.none();
        watchedNames = updates.watched();
        watched = watchedNames.stream().map(history::series).toArray(Series[]::new);
    }

    private Figure figure(String name) {
        if (name.equals(Turn.MOVED) && !turn.guards().isEmpty()) {
            return moved -> moved ? 1 : 0;
        }
        BoundProgram later = after;
        if (later != null && name.startsWith(Turn.AFTER)) { // no metric of the program's own is called so
            int target = target(name.substring(Turn.AFTER.length()));
            return moved -> later.number(target);
        }
        int target = target(name);
        return moved -> program.number(target);
    }

    /** The target of a metric, or of the loss. */
    private int target(String metric) {
        Value value = turn.program().metrics().get(metric);
        return value == null ? 0 : program.program().targets().indexOf(value);
    }

    @Override
    public Event take(Taking by) {
        return by.descend(this);
    }

    @Override
    public Optional<BoundDescend> descending() {
        return Optional.of(this);
    }

    /** Returns whether it reads rows. */
    public boolean batched() {
        return batched;
    }

    public BoundProgram program() {
        return program;
    }

    /**
     * Fills the program's inputs.
     *
     * @param given sources that may feed it
     * @param own whether they were given for this turn alone, so that each must feed an input
     * @return the number of rows; 0 where the program reads no input
     * @throws IllegalArgumentException as {@link #check}; no source was drawn from then
     */
    public int feed(List<Feeding> given, boolean own, long round) {
        check(given, own);
        int rows = 0;
        for (int i = 0; i < given.size(); i++) {
            int drawn = given.get(i).feed(this, round);
            if (rows != 0 && drawn != 0 && drawn != rows) {
                throw new IllegalArgumentException(
                        "turn " + turn.name() + ": one source gave " + rows + " rows, another " + drawn);
            }
            rows = drawn == 0 ? rows : drawn;
        }
        continues = true;
        return rows;
    }

    /**
     * Checks that these sources can feed the turn, without drawing from any.
     *
     * @throws IllegalArgumentException if an input is not fed by exactly one of them with its shape and type, or their
     *     batches are of several sizes
     */
    public void check(List<Feeding> given, boolean own) {
        Arrays.fill(claims, 0);
        int batch = 0;
        for (int i = 0; i < given.size(); i++) {
            if (given.get(i).claim(this, claims)) {
                int other = given.get(i).source().batch();
                if (batch != 0 && batch != other) {
                    throw new IllegalArgumentException(
                            "turn " + turn.name() + " reads batches of " + batch + " rows, and of " + other + " from "
                                    + given.get(i).source().name());
                }
                batch = other;
            } else if (own) {
                throw new IllegalArgumentException("turn " + turn.name() + " reads nothing of source "
                        + given.get(i).source().name() + "; it reads " + inputs());
            }
        }
        for (int i = 0; i < claims.length; i++) {
            if (claims[i] != sources[i]) {
                throw new IllegalArgumentException(FeedChecks.notFedOnce(
                        turn.name(),
                        program.program().inputs().get(i).path().text(),
                        given.stream().map(Feeding::source).toList()));
            }
        }
    }

    /**
     * Fills the program's inputs, and noise that is given rather than drawn.
     *
     * @throws IllegalArgumentException if an input is missing, or something is unknown, misshapen or mistyped
     */
    public void feed(Feeds rows) {
        SortedSet<String> missing = inputs();
        missing.removeAll(rows.tensors().keySet());
        continues = carried.continues(missing);
        if (!missing.isEmpty()) {
            throw new IllegalArgumentException("turn " + turn.name() + " reads input " + missing.first()
                    + ", which was not fed; fed: " + rows.tensors().keySet());
        }
        program.feed(rows.tensors());
    }

    private SortedSet<String> inputs() {
        SortedSet<String> inputs = new TreeSet<>();
        program.program().inputs().forEach(input -> inputs.add(input.path().text()));
        return inputs;
    }

    /**
     * Computes loss and gradients; writes nothing.
     *
     * @param sample counter of noise that is sampled each turn
     * @param round counter of noise that is sampled each round
     */
    public void compute(int rows, long sample, long round) {
        rowsNow = rows;
        sampleNow = sample;
        roundNow = round;
        if (continues) {
            carried.feed(rows);
        }
        program.run(rows, sample, round);
        usedRows.read(program);
        lossNow = program.loss();
        optimizers.use(program);
        normNow = updates.gradientNorm(kernelThreads);
    }

    /** @throws DivergedException if loss, gradients or running statistics are not finite */
    public void requireFinite(Event.Position at) {
        if (isDiverged()) {
            throw new DivergedException(message(at, divergence()) + AS_BEFORE, program.given());
        }
        requireFiniteStatistics(at);
    }

    private void requireFiniteStatistics(Event.Position at) {
        Optional<Anomaly> statistic = program.statistic();
        if (statistic.isPresent()) {
            throw new DivergedException(message(at, "a running statistic is not finite") + AS_BEFORE, statistic);
        }
    }

    private boolean isDiverged() {
        return !Double.isFinite(lossNow) || !Double.isFinite(normNow);
    }

    private String divergence() {
        return Double.isFinite(lossNow) ? "the gradient's norm is " + normNow : "the loss is " + lossNow;
    }

    /** @throws DivergedException if any computed value is not finite; the message names the first operator */
    public void requireNoAnomaly(Event.Position at) {
        Optional<Value> other = program.nonFinite();
        if (!isDiverged() && other.isEmpty()) {
            requireFiniteStatistics(at);
            return;
        }
        String reason = isDiverged()
                ? divergence()
                : other.map(value -> value.path() + " is not finite").orElseThrow();
        Optional<Anomaly> anomaly = program.anomaly();
        String unseen = "; the reference, computing it again, finds all finite: it is the rounding of "
                + program.program().name() + " here that makes it";
        throw new DivergedException(message(at, reason) + AS_BEFORE + (anomaly.isEmpty() ? unseen : ""), anomaly);
    }

    /** @throws DivergedException if a weight or statistic that this turn wrote is not finite */
    public void requireFiniteWrites(Event.Position at) {
        List<Path> paths = new ArrayList<>(program.statistics());
        for (Parameters.Cell cell : written) {
            paths.add(cell.declaration().path());
        }
        for (Path path : paths) {
            Parameters.Cell cell = parameters.cell(path);
            if (!Anomaly.isFinite(cell.buffer(), cell.declaration().type())) {
                throw new DivergedException(message(
                        at,
                        "an updated value is not finite, though the gradient's norm is " + normNow + ": the rate is too"
                                + " large, most likely\n  "
                                + Anomaly.Range.of(path.text(), parameters.tensor(path.text()))));
            }
        }
    }

    /**
     * Evaluates the rates of the next update, or lets parameter servers make it; changes no saved state here.
     *
     * @throws hocket.schedulers.exchange.PeerLostException if a process that is needed for it has left
     * @throws IllegalArgumentException if one is negative or not finite
     */
    public void look(Event.Position at) {
        for (int i = 0; i < watched.length; i++) {
            if (watched[i].isBegun()) {
                updates.observe(watchedNames.get(i), watched[i].last(), watched[i].count());
            }
        }
        try {
            updates.look(at.round(), at.epoch());
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(message(at, String.valueOf(e.getMessage())) + AS_BEFORE, e);
        }
        served().ifPresent(elsewhere -> elsewhere.push(count(), at.round(), at.epoch()));
    }

    /** Updates the weights and statistics by the computed gradients, unless a guard forbids it. */
    public Event.Descended apply(Event.Position at) {
        boolean moves = mayMove();
        if (moves) {
            move();
        }
        BoundProgram again = after;
        if (again != null) {
            again.feedAs(program);
            again.run(rowsNow, sampleNow, roundNow);
        }
        taken();
        carried.keep();
        double[] values = new double[figures.length];
        for (int i = 0; i < values.length; i++) {
            values[i] = figures[i].now(moves);
        }
        count(values);
        for (int i = 0; i < values.length; i++) {
            metrics[i].add(values[i]);
        }
        loss.add(lossNow);
        gradientNorm.add(normNow);
        return new Event.Descended(
                at, turn.name(), lossNow, normNow, new Event.Metrics(metricNames, values), reported());
    }

    /** Reports the metrics that all processes know in place of this one's, if they update separately. */
    private void count(double[] values) {
        MetricReduction all = metricReduction;
        if (all != null) {
            double[] own = new double[BESIDE_METRICS + values.length];
            own[0] = lossNow;
            own[1] = normNow;
            System.arraycopy(values, 0, own, BESIDE_METRICS, values.length);
            all.count(own);
            lossNow = own[0];
            normNow = own[1];
            System.arraycopy(own, BESIDE_METRICS, values, 0, values.length);
        }
    }

    /** Sends servers the weights that they are to update, if there are servers. */
    public void begin() {
        served().ifPresent(elsewhere -> elsewhere.begun(count()));
    }

    /** Tells servers that this process takes the turn again, if it had left; returns whether it had. */
    public boolean rejoin() {
        return served != null && served.rejoin(count());
    }

    /** Tells servers that no worker needs to wait for this process. */
    public void leave() {
        served().ifPresent(StaleTurn::leave);
    }

    /** Receives the servers' current weights. */
    public void fetch() {
        parameters.write(written, () -> served().ifPresent(StaleTurn::fetch));
    }

    /** This process's view of weights that servers update. */
    private Optional<StaleTurn> served() {
        return Optional.ofNullable(served);
    }

    /** Returns how much its weights may differ between processes. */
    public Consistency consistency() {
        return consistency;
    }

    /** The metrics of a turn that processes take separately; empty for one that all take together. */
    public Optional<MetricReduction> tally() {
        return Optional.ofNullable(metricReduction);
    }

    private boolean mayMove() {
        List<Turn.Guard> guards = turn.guards();
        for (int i = 0; i < guards.size(); i++) {
            double figure = program.number(target(guards.get(i).metric()));
            if (!(figure <= guards.get(i).most())) { // NaN is not within it
                return false;
            }
        }
        return true;
    }

    /** Updates at the rates that were evaluated. */
    private void move() {
        parameters.enter();
        try {
            parameters.write(written, update);
            program.moveStatistics();
        } finally {
            parameters.leave();
        }
    }

    private void update() {
        StaleTurn elsewhere = served;
        if (elsewhere == null) {
            updates.move(kernelThreads);
        } else {
            elsewhere.take(count() + 1);
        }
    }

    /** The settings of its optimizers; the same object while they do not change. */
    private Event.Metrics reported() {
        if (settingsVary && owner == null) {
            double[] now = new double[settingNames.size()];
            settingsVary = updates.settings(now);
            settings = new Event.Metrics(settingNames, now);
        }
        return settings;
    }

    public Tensor observed(Value value) {
        return program.target(observedTarget(value));
    }

    /** @throws IllegalArgumentException also if it does not compute again after its update */
    public Tensor observedAfter(Value value) {
        int index = observedTarget(value);
        if (after == null) {
            throw new IllegalArgumentException(
                    "turn " + turn.name() + " measures nothing after its update: declare it with .measuresAfter()");
        }
        return after.target(index);
    }

    private int observedTarget(Value value) {
        int index = program.program().targets().indexOf(value);
        if (index < 0) {
            throw new IllegalArgumentException(
                    "turn " + turn.name() + " does not observe " + value.path() + ": declare it with .observes(…)");
        }
        return index;
    }

    public Tensor gradient(String path) {
        List<Path> moved = List.copyOf(program.gradients());
        SimilarNames.require(moved, Path.of(path), "turn " + turn.name() + " does not move ");
        int index = moved.indexOf(Path.of(path));
        Declaration of = parameters.declaration(moved.get(index));
        return Tensor.copyOf(of.shape(), of.type(), program.gradient(index).buffer());
    }

    /** Returns the current settings of its own optimizers by name. */
    SortedMap<String, Double> settings() {
        return owner == null ? updates.settings() : new TreeMap<>();
    }

    /** @throws IllegalArgumentException if the setting is unknown or the value is invalid */
    void set(String setting, double value) {
        if (owner != null) {
            throw new IllegalArgumentException("turn " + turn.name() + " steps the optimizer of turn "
                    + owner.turn.name() + ": set " + owner.turn.name() + "/" + setting);
        }
        if (served != null) {
            throw new IllegalArgumentException(
                    "turn " + turn.name() + ": servers update its weights, and know of no other " + setting);
        }
        try {
            updates.set(setting, value);
            settingsVary = true;
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("turn " + turn.name() + ": " + e.getMessage(), e);
        }
    }

    @Override
    BoundTurn keeper() {
        return owner == null ? this : owner;
    }

    @Override
    public SortedMap<String, Device.Array> arrays() {
        return owner == null ? updates.slots() : super.arrays();
    }

    /** Continues the states that another turn carries, for which it stands. */
    void carriesOn(BoundDescend other) {
        carried.share(other.carried);
    }

    @Override
    State carried() {
        return carried.save();
    }

    @Override
    void carried(State states) {
        carried.restore(states);
    }

    @Override
    long[] counters() {
        return owner == null ? updates.counts() : super.counters();
    }

    @Override
    void counters(long[] counts) {
        if (owner == null) {
            updates.counts(counts);
        }
    }

    @Override
    public State save() {
        try {
            served().ifPresent(StaleTurn::fetchRules);
        } catch (PeerLostException e) {
            // the servers' rules cannot be asked any more: what was fetched last is what is left of them
        }
        State saved = super.save();
        if (owner == null) {
            for (Map.Entry<String, Saved> item : updates.save().items().entrySet()) {
                saved = saved.with(item.getKey(), item.getValue());
            }
        }
        State states = carried.save();
        saved = states.items().isEmpty() ? saved : saved.with(CARRIED, states);
        Optional<double[]> known = tally().flatMap(MetricReduction::known);
        return known.isPresent() ? saved.with(KNOWN, Tensor.of(Shape.of(known.get().length), known.get())) : saved;
    }

    @Override
    public void restore(State state) {
        served().ifPresent(StaleTurn::requireNotBegun);
        state.whole("count"); // first whatever may be refused
        if (owner == null) {
            restoreOptimizers(state);
        }
        carried.restore(state.has(CARRIED) ? state.state(CARRIED) : State.empty());
        super.restore(state);
        tally().ifPresent(all ->
                all.restore(state.has(KNOWN) ? Optional.of(state.tensor(KNOWN).doubles()) : Optional.empty()));
        settingsVary = true;
    }

    private void restoreOptimizers(State state) {
        try {
            updates.restore(state.without("count").without(KNOWN).without(CARRIED));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("turn " + turn.name() + ": " + e.getMessage(), e);
        }
    }

    @Override
    void reset() {
        super.reset();
        carried.reset();
        tally().ifPresent(all -> all.restore(Optional.empty()));
        if (owner == null) {
            updates.reset();
        }
        settingsVary = true;
    }

    @Override
    public void close() {
        program.close();
        if (after != null) {
            after.close();
        }
        if (owner == null) {
            optimizers.release();
        }
    }
}
