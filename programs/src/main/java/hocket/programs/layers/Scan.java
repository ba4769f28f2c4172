package hocket.programs.layers;

import hocket.programs.Operators;
import hocket.programs.Value;
import hocket.programs.execution.RowCost;
import hocket.programs.operators.Arity;
import hocket.programs.operators.Composed;
import hocket.programs.operators.Operator;
import hocket.scopes.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A step that is taken at each index of the first axis of some sequences, with a state from step to step, as {@code
 * jax.lax.scan}: {@code Scan.over(List.of(x), List.of(h), (now, state) -> …)}. It computes what the unrolled steps compute.
 * On the Java kernels its memory, besides sequences and outputs, grows with the square root of the number of steps T: the
 * states of every √T-th step are kept, and gradients compute the others again (Chen et al. 2016, "Training deep nets with
 * sublinear memory cost").
 *
 * <p>Inputs are the sequences, the states before the first step, then other values that the step reads. The result is one
 * axis: the outputs of all steps, the states after the last one, and the states that are kept.
 *
 * @param sequences number of sequences
 * @param states number of states
 * @param reversed whether the first step is at the last index
 * @param body the step: of the slices, the states and the other values, first the next states, then the outputs
 */
public record Scan(int sequences, int states, boolean reversed, ScanBody body) implements Composed {
    /** A step. */
    @FunctionalInterface
    public interface Step {
        /**
         * Takes a step.
         *
         * @param now the slices of the sequences, (…)
         * @param state the states
         */
        Next of(List<Value> now, List<Value> state);
    }

    /**
     * The results of a step.
     *
     * @param state the next states, each of the shape of its state
     * @param outputs values that are collected, perhaps none
     */
    public record Next(List<Value> state, List<Value> outputs) {}

    /**
     * The results of all steps.
     *
     * @param state the states after the last step
     * @param outputs each (T, …)
     */
    public record Steps(List<Value> state, List<Value> outputs) {}

    /**
     * Takes a step at each index of some sequences. The step may declare parameters, once, and read any values of the graph;
     * noise that it reads, as by a dropout, is the same at every step (Gal and Ghahramani 2016).
     *
     * @param sequences one or more, each (T, …), of floating types
     * @param start the states before the first step, one or more
     * @throws IllegalArgumentException if T differs, or a next state has another shape than the state
     */
    public static Steps over(List<Value> sequences, List<Value> start, Step step) {
        return over(false, sequences, start, step);
    }

    /** {@link #over} from the last index to the first; outputs stay at their index. */
    public static Steps backward(List<Value> sequences, List<Value> start, Step step) {
        return over(true, sequences, start, step);
    }

    static Steps over(boolean reversed, List<Value> sequences, List<Value> start, Step step) {
        Operator.require(!sequences.isEmpty() && !start.isEmpty(), "a scan needs at least one sequence and one state");
        boolean batched = Stream.concat(sequences.stream(), start.stream()).anyMatch(Value::batched);
        List<Value> inputs = new ArrayList<>(sequences);
        start.forEach(value -> inputs.add(batched ? Operators.spreadToRows(value) : value));
        ScanBody.Traced traced = ScanBody.traced(inputs, sequences.size(), step);
        inputs.addAll(traced.captured());
        Scan scan = new Scan(sequences.size(), start.size(), reversed, traced.body());
        Value all = scan.of(inputs.toArray(Value[]::new));
        ScanLayout layout = scan.layout(inputs);
        List<Value> outputs = new ArrayList<>();
        for (int i = 0; i < layout.outputs().size(); i++) {
            Result output = layout.outputs().get(i);
            outputs.add(part(all, layout.outputAt(i, 0), output.shape().prepend(layout.steps())));
        }
        List<Value> state = new ArrayList<>();
        for (int i = 0; i < start.size(); i++) {
            state.add(part(all, layout.stateAt(i), layout.states().get(i).shape()));
        }
        return new Steps(state, outputs);
    }

    private static Value part(Value all, int at, Shape shape) {
        return Operators.reshape(Operators.slice(all, 0, at, at + shape.size()), shape.extents());
    }

    /** Returns where the result has what. */
    public ScanLayout layout(List<Value> inputs) {
        List<Result> results = body.results(now(inputs));
        return new ScanLayout(
                inputs.get(0).shape().get(0), results.subList(0, states), results.subList(states, results.size()));
    }

    /** Returns the index of a step. */
    public int place(int step, int steps) {
        return reversed ? steps - 1 - step : step;
    }

    /** Returns what the inputs of the first step are like. */
    public List<Result> now(List<Value> inputs) {
        return IntStream.range(0, inputs.size())
                .mapToObj(i -> {
                    Result all = inputs.get(i).result();
                    return i < sequences ? new Result(element(all.shape()), all.batched(), all.type()) : all;
                })
                .toList();
    }

    static Shape element(Shape sequence) {
        return Shape.of(IntStream.range(1, sequence.rank()).map(sequence::get).toArray());
    }

    /** The parts of the step, for people. */
    @Override
    public String settings() {
        return sequences + " sequences " + states + " states" + (reversed ? " reversed" : "") + ", a step of "
                + body.nodes().size() + " operators";
    }

    @Override
    public Arity arity() {
        return new Arity(body.inputs(), body.inputs());
    }

    @Override
    public Result check(List<Value> inputs) {
        for (int i = 0; i < sequences; i++) {
            Value x = inputs.get(i);
            Operator.require(
                    x.shape().rank() >= 1
                            && x.type().isFloating()
                            && x.shape().get(0) == inputs.get(0).shape().get(0),
                    "needs sequences (T, …) of numbers, all of one T, got " + inputs.subList(0, sequences));
        }
        for (Value read : inputs.subList(sequences + states, inputs.size())) {
            Operator.require(
                    read.type().isFloating() || read.batched(),
                    "integers that a step reads must be of each row, got " + read);
        }
        ScanLayout layout = layout(inputs);
        for (int i = 0; i < states; i++) {
            Value before = inputs.get(sequences + i);
            Operator.require(
                    layout.states().get(i).equals(before.result()),
                    "each next state must be as its state, state " + (i + 1) + " " + before + " becomes "
                            + layout.states().get(i).shape()
                            + (layout.states().get(i).batched() == before.batched() ? "" : " of each row"));
        }
        Result first = Operator.floating(inputs.get(sequences)).result();
        for (int i = 1; i < states + layout.outputs().size(); i++) {
            Result other =
                    i < states ? layout.states().get(i) : layout.outputs().get(i - states);
            Operator.require(
                    other.type() == first.type(),
                    "states and outputs must be of one type: state 1 is " + first.type() + ", "
                            + (i < states ? "state " + (i + 1) : "output " + (i - states + 1)) + " is "
                            + other.type());
            Operator.require(
                    other.batched() == first.batched(),
                    "states and outputs must all be of each row or none: start with states of each row");
        }
        return new Result(Shape.of(layout.size()), first.batched(), first.type());
    }

    @Override
    public int[] indexBounds(int input, List<Value> inputs) {
        int[] bounds = new int[inputs.get(input).shape().size()];
        if (!inputs.get(input).type().isFloating()) {
            int[] ofStep = body.indexBounds(now(inputs), input);
            Arrays.setAll(bounds, i -> ofStep[i % ofStep.length]); // a sequence has all steps, one after the other
        }
        return bounds;
    }

    @Override
    public Map<Integer, Value> gradients(Value result, Value upstream, SortedSet<Integer> wanted) {
        List<Value> inputs = new ArrayList<>(result.inputs());
        inputs.add(result);
        inputs.add(upstream);
        Map<Integer, Value> gradients = new HashMap<>();
        for (int input : wanted) {
            if (result.inputs().get(input).type().isFloating()) {
                gradients.put(input, new ScanGradient(this, input).of(inputs.toArray(Value[]::new)));
            }
        }
        return gradients;
    }

    /** The steps, unrolled. */
    @Override
    public Value composed(List<Value> inputs) {
        ScanLayout layout = layout(inputs);
        Value[] parts = new Value[layout.outputs().size() * layout.steps()];
        List<Value> kept = new ArrayList<>();
        List<Value> state = inputs.subList(sequences, sequences + states);
        for (int step = 0; step < layout.steps(); step++) {
            int t = place(step, layout.steps());
            List<Value> now = new ArrayList<>();
            for (Value x : inputs.subList(0, sequences)) {
                now.add(Operators.reshape(
                        Operators.slice(x, 0, t, t + 1), element(x.shape()).extents()));
            }
            now.addAll(state);
            now.addAll(inputs.subList(sequences + states, inputs.size()));
            List<Value> results = body.of(now);
            state = results.subList(0, states);
            for (int i = states; i < results.size(); i++) {
                parts[(i - states) * layout.steps() + t] = flat(results.get(i));
            }
            if (layout.isKept(step)) {
                state.forEach(value -> kept.add(flat(value)));
            }
        }
        List<Value> all = new ArrayList<>(List.of(parts));
        state.forEach(value -> all.add(flat(value)));
        all.addAll(kept);
        return Operators.concat(0, all.toArray(Value[]::new));
    }

    private static Value flat(Value x) {
        return Operators.reshape(x, x.shape().size());
    }

    @Override
    public RowCost flops(List<Value> inputs, Result result) {
        return times(inputs, body.cost(now(inputs), value -> value.operator().flops(value.inputs(), value.result())));
    }

    @Override
    public RowCost multiplications(List<Value> inputs, Result result) {
        return times(
                inputs,
                body.cost(now(inputs), value -> value.operator().multiplications(value.inputs(), value.result())));
    }

    private static RowCost times(List<Value> inputs, RowCost one) {
        int steps = inputs.get(0).shape().get(0);
        return new RowCost(steps * one.perRow(), steps * one.once());
    }
}
