package hocket.schedulers;

import hocket.programs.BoundProgram;
import hocket.programs.Lowering;
import hocket.programs.Program;
import hocket.programs.Session.Feeds;
import hocket.programs.Value;
import hocket.schedulers.History.Series;
import hocket.schedulers.optimizers.Operands;
import hocket.schedulers.optimizers.Reals;
import hocket.schedulers.optimizers.UpdatePlan;
import hocket.schedulers.optimizers.Workers;
import hocket.scopes.Declaration;
import hocket.scopes.ElementType;
import hocket.scopes.Nearest;
import hocket.scopes.Parameters;
import hocket.scopes.Path;
import hocket.scopes.Shape;
import hocket.scopes.Tensor;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** A turn that descends, on the store: its program, and its update rules with their slots. */
final class BoundDescend extends BoundTurn {
    /** One slot of one weight. */
    private record Slot(ByteBuffer buffer, ElementType type) {}

    private final Turn.Descend turn;
    private final Parameters parameters;
    private final Workers workers;
    private final BoundProgram program;
    private final UpdatePlan updates;
    private final List<Parameters.Cell> written = new ArrayList<>();
    private final SortedMap<String, Slot> slots = new TreeMap<>();
    private final List<String> metricNames;
    private final int[] metricTargets;
    private final Series loss;
    private final Series gradientNorm;
    private final Series[] metrics;
    private double lossNow;
    private double normNow;

    BoundDescend(
            Turn.Descend turn,
            Parameters parameters,
            Lowering lowering,
            int threads,
            Workers workers,
            History history) {
        super(turn);
        this.turn = turn;
        this.parameters = parameters;
        this.workers = workers;
        Program wanted = turn.program().with(turn.observed());
        SortedSet<Path> selected = new TreeSet<>();
        turn.updates().forEach(update -> selected.addAll(Writes.weights(turn, update, parameters.declarations())));
        program = new BoundProgram(wanted, parameters, lowering, threads, selected, "");
        List<Path> order = List.copyOf(program.gradients());
        List<UpdatePlan.Group> groups = new ArrayList<>();
        for (Turn.Update update : turn.updates()) {
            List<Operands> operands = new ArrayList<>();
            for (Path path : Writes.weights(turn, update, parameters.declarations())) {
                operands.add(operands(parameters.cell(path), order.indexOf(path), update));
            }
            groups.add(new UpdatePlan.Group(update.rule(), operands));
        }
        updates = UpdatePlan.of(groups);
        metricNames = List.copyOf(wanted.metrics().keySet());
        metricTargets = wanted.metrics().values().stream()
                .mapToInt(wanted.targets()::indexOf)
                .toArray();
        loss = history.series(turn.name() + "/loss");
        gradientNorm = history.series(turn.name() + "/gradient_norm");
        metrics = metricNames.stream()
                .map(name -> history.series(turn.name() + "/" + name))
                .toArray(Series[]::new);
    }

    private Operands operands(Parameters.Cell cell, int gradient, Turn.Update update) {
        written.add(cell);
        ElementType type = cell.declaration().type();
        int bytes = cell.declaration().shape().size() * type.bytes();
        List<Reals> reals = new ArrayList<>();
        for (String name : update.rule().slots()) {
            ByteBuffer buffer = ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
            slots.put(cell.declaration().path() + "/" + name, new Slot(buffer, type));
            reals.add(Reals.of(type, buffer));
        }
        // A program has a gradient buffer only once it is bound for a number of rows, and one for each.
        ByteBuffer none = ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
        return new Operands(
                Reals.of(type, cell::buffer),
                Reals.of(type, () -> program.rows().isPresent() ? program.gradient(gradient) : none),
                reals);
    }

    BoundProgram program() {
        return program;
    }

    @Override
    Event take(Scheduler scheduler, List<Feeding> feeds, Event.Position at) {
        compute(scheduler, feeds, at);
        return apply(at);
    }

    /** Runs the program; writes nothing. */
    void compute(Scheduler scheduler, List<Feeding> feeds, Event.Position at) {
        int rows = 0;
        for (int i = 0; i < feeds.size(); i++) {
            int given = feeds.get(i).feed(this, scheduler);
            if (rows != 0 && given != 0 && given != rows) {
                throw new IllegalArgumentException(
                        "turn " + turn.name() + ": one source gave " + rows + " rows, another " + given);
            }
            rows = given == 0 ? rows : given;
        }
        run(scheduler, rows == 0 ? scheduler.rowsFor(this) : rows, at);
    }

    void compute(Scheduler scheduler, Feeds feeds, Event.Position at) {
        SortedSet<String> missing = new TreeSet<>();
        program.program().inputs().forEach(input -> missing.add(input.path().text()));
        missing.removeAll(feeds.tensors().keySet());
        if (!missing.isEmpty()) {
            throw new IllegalArgumentException("turn " + turn.name() + " reads input " + missing.first()
                    + ", which was not fed; fed: " + feeds.tensors().keySet());
        }
        feeds.tensors().forEach(program::feed);
        run(scheduler, feeds.rows(), at);
    }

    private void run(Scheduler scheduler, int rows, Event.Position at) {
        program.run(rows, at.step(), at.round());
        lossNow = program.loss();
        normNow = updates.gradientNorm(workers);
        if (!scheduler.mayDiverge() && (!Double.isFinite(lossNow) || !Double.isFinite(normNow))) {
            throw new DivergedException("turn " + turn.name() + ", round " + at.round() + " (turn " + at.step()
                    + " of the run): "
                    + (Double.isFinite(lossNow) ? "the gradient's norm is " + normNow : "the loss is " + lossNow)
                    + "; the parameters are as before this turn");
        }
    }

    /** Moves the weights and statistics by what was computed. */
    Event.Descended apply(Event.Position at) {
        updates.run(workers, count());
        for (int i = 0; i < written.size(); i++) {
            written.get(i).written();
        }
        program.moveStatistics();
        double[] values = new double[metricTargets.length];
        for (int i = 0; i < values.length; i++) {
            values[i] = program.number(metricTargets[i]);
            metrics[i].add(values[i]);
        }
        loss.add(lossNow);
        gradientNorm.add(normNow);
        return new Event.Descended(at, turn.name(), lossNow, normNow, new Event.Metrics(metricNames, values));
    }

    Tensor observed(Value value) {
        int index = program.program().targets().indexOf(value);
        if (index < 0) {
            throw new IllegalArgumentException(
                    "turn " + turn.name() + " does not observe " + value.path() + ": declare it with .observes(…)");
        }
        return program.target(index);
    }

    Tensor gradient(String path) {
        List<Path> moved = List.copyOf(program.gradients());
        int index = moved.indexOf(Path.of(path));
        if (index < 0) {
            throw new IllegalArgumentException("turn " + turn.name() + " does not move " + path
                    + Nearest.among(path, moved.stream().map(Path::text).toList()));
        }
        Declaration of = parameters.declaration(moved.get(index));
        return Tensor.copyOf(of.shape(), of.type(), program.gradient(index));
    }

    @Override
    public State save() {
        State saved = super.save();
        for (var entry : slots.entrySet()) {
            Slot slot = entry.getValue();
            Shape shape = Shape.of(slot.buffer().capacity() / slot.type().bytes());
            saved = saved.with(entry.getKey(), Tensor.copyOf(shape, slot.type(), slot.buffer()));
        }
        return saved;
    }

    @Override
    public void restore(State state) {
        slots.forEach((name, slot) -> {
            Tensor tensor = state.tensor(name);
            if (tensor.type() != slot.type()
                    || tensor.buffer().remaining() != slot.buffer().capacity()) {
                throw new IllegalArgumentException(
                        "turn " + turn.name() + ": slot " + name + " was saved as " + tensor + ", here it has "
                                + slot.buffer().capacity() / slot.type().bytes() + " of " + slot.type());
            }
        });
        super.restore(state);
        slots.forEach((name, slot) ->
                slot.buffer().clear().put(state.tensor(name).buffer()).clear());
    }

    @Override
    public void close() {
        program.close();
    }
}
