package hocket.programs.layers;

import static hocket.programs.Operators.add;
import static hocket.programs.Operators.concat;
import static hocket.programs.Operators.multiply;
import static hocket.programs.Operators.relu;
import static hocket.programs.Operators.reshape;
import static hocket.programs.Operators.sigmoid;
import static hocket.programs.Operators.slice;
import static hocket.programs.Operators.spread;
import static hocket.programs.Operators.spreadToRows;
import static hocket.programs.Operators.subtract;
import static hocket.programs.Operators.tanh;
import static hocket.programs.Operators.where;

import hocket.programs.Graph;
import hocket.programs.Layers;
import hocket.programs.Value;
import hocket.programs.layers.Scan.Steps;
import hocket.programs.operators.Elementwise;
import hocket.programs.operators.Leaf;
import hocket.programs.operators.Operator;
import hocket.programs.operators.Products;
import hocket.scopes.Declaration.Fan;
import hocket.scopes.Declaration.Kind;
import hocket.scopes.Initialiser;
import hocket.scopes.Scope;
import hocket.scopes.Shape;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Recurrent layers over a sequence (T, features), one step after the other: {@code Recurrence.lstm(128).apply("memory",
 * x).outputs()} is (T, 128). The equations and the order of gates are PyTorch's.
 *
 * <p>A layer's parameters are {@code input/weight (gates·units, features)}, {@code hidden/weight (gates·units, units)}
 * and their {@code bias (gates·units)} under the name and {@code layer1}, {@code layer2} and so on.
 *
 * @param cell the step
 * @param units number of numbers in each part of a layer's state
 * @param layers number of layers, each of which reads the outputs of the one before
 * @param reversed whether time runs from the end to the beginning; each output stays at its place
 * @param biased whether there are biases
 * @param maskedZeros whether outputs of steps that a mask hides are zeros; else they are the state that is held
 * @param scan whether the steps are a {@link Scan}, which takes little memory for many steps; else they are unrolled,
 *     which is faster
 * @param dropout rate at which numbers of the state are dropped where cells multiply it by a weight: the same ones at all
 *     steps of a row (Gal and Ghahramani 2016)
 */
public record Recurrence(
        Cell cell,
        int units,
        int layers,
        boolean reversed,
        boolean biased,
        boolean maskedZeros,
        boolean scan,
        double dropout) {
    /** A step from one state to the next. */
    public enum Cell {
        /** {@code h' = tanh(W·x + U·h + b)} (Elman 1990). */
        TANH(1, 1),
        /** {@code h' = relu(W·x + U·h + b)}. */
        RELU(1, 1),
        /**
         * Cho et al. 2014, with the reset gate after the product: {@code n = tanh(W·x + b + r·(U·h + b)), h' = (1-z)·n +
         * z·h}. The gates are r, z, n.
         */
        GRU(3, 1),
        /** Hochreiter and Schmidhuber 1997, with a forget gate. The gates are i, f, g, o; the state has h and c. */
        LSTM(4, 2);

        private final int gates;
        private final int parts;

        Cell(int gates, int parts) {
            this.gates = gates;
            this.parts = parts;
        }
    }

    /**
     * The results of a sequence.
     *
     * @param outputs of the last layer, (T, units)
     * @param state after the last step, (layers, parts, units): h, of an LSTM then c
     */
    public record Unrolled(Value outputs, Value state) {}

    /** @throws IllegalArgumentException if there is no unit or layer, or the rate of a dropout is not in [0, 1) */
    public Recurrence {
        Operator.require(dropout >= 0 && dropout < 1, "a rate of dropout must be in [0, 1), was " + dropout);
        if (units < 1 || layers < 1) {
            throw new IllegalArgumentException(
                    "a recurrence needs at least one unit and one layer, got " + units + " and " + layers);
        }
    }

    /** One layer of LSTM cells, forward in time. */
    public static Recurrence lstm(int units) {
        return of(Cell.LSTM, units);
    }

    /** One layer of GRU cells, forward in time. */
    public static Recurrence gru(int units) {
        return of(Cell.GRU, units);
    }

    /** One layer of tanh cells, forward in time. */
    public static Recurrence rnn(int units) {
        return of(Cell.TANH, units);
    }

    /** One layer of cells, forward in time. */
    public static Recurrence of(Cell cell, int units) {
        return new Recurrence(cell, units, 1, false, true, false, false, 0);
    }

    /** Returns this with another number of layers. */
    public Recurrence layers(int number) {
        return new Recurrence(cell, units, number, reversed, biased, maskedZeros, scan, dropout);
    }

    /** Returns this backward in time. */
    public Recurrence backward() {
        return new Recurrence(cell, units, layers, true, biased, maskedZeros, scan, dropout);
    }

    /** Returns this without biases. */
    public Recurrence withoutBias() {
        return new Recurrence(cell, units, layers, reversed, false, maskedZeros, scan, dropout);
    }

    /** Returns this with zeros as outputs of steps that a mask hides. */
    public Recurrence maskedAsZeros() {
        return new Recurrence(cell, units, layers, reversed, biased, true, scan, dropout);
    }

    /** Returns this with steps as a {@link Scan}: memory grows with the root of the number of steps. */
    public Recurrence scanned() {
        return new Recurrence(cell, units, layers, reversed, biased, maskedZeros, true, dropout);
    }

    /** Returns this with dropout of the state within cells, the same at all steps. */
    public Recurrence dropout(double rate) {
        return new Recurrence(cell, units, layers, reversed, biased, maskedZeros, scan, rate);
    }

    /** The shape of a state, (layers, parts, units). */
    public Shape stateShape() {
        return Shape.of(layers, cell.parts, units);
    }

    /** Runs over a sequence x (T, features) from a state of zeros. */
    public Unrolled apply(String name, Value x) {
        return apply(name, x, null, null);
    }

    /**
     * Runs over a sequence.
     *
     * @param x (T, features)
     * @param start the state before the first step, of {@link #stateShape}; null for zeros
     * @param mask (T), not 0 at steps that are taken; the others hold the state, and nothing flows from their x. Null
     *     takes all
     * @throws IllegalArgumentException if the inputs do not fit
     */
    public Unrolled apply(String name, Value x, @Nullable Value start, @Nullable Value mask) {
        Operator.require(x.shape().rank() == 2, name + ": needs a sequence (T, features), got " + x);
        int steps = x.shape().get(0);
        require(name, "mask of " + steps + " steps", mask, Shape.of(steps), x);
        require(name, "state " + stateShape(), start, stateShape(), x);
        List<Value> states = new ArrayList<>();
        Value y = x;
        try (Scope<Value> scope = x.graph().scope(name)) {
            for (int layer = 0; layer < layers; layer++) {
                Layer weights = new Layer("layer" + (layer + 1), y);
                Steps run = scan ? scanned(weights, y, start, layer, mask) : unrolled(weights, y, start, layer, mask);
                y = run.outputs().get(0);
                run.state().forEach(part -> states.add(reshape(part, 1, units)));
            }
        }
        Value last =
                reshape(concat(0, states.toArray(Value[]::new)), stateShape().extents());
        return new Unrolled(x.graph().name(name, y), last);
    }

    private static void require(String name, String what, @Nullable Value got, Shape shape, Value x) {
        if (got != null) {
            Operator.require(
                    got.shape().equals(shape) && got.type() == x.type(),
                    name + ": needs a " + what + " of " + x.type() + ", got " + got + " of " + got.type());
        }
    }

    private Steps unrolled(Layer weights, Value x, @Nullable Value start, int layer, @Nullable Value mask) {
        int steps = x.shape().get(0);
        List<Value> state = weights.start(start, layer);
        Value[] outputs = new Value[steps];
        Value inputs = weights.fromInputs(x);
        for (int i = 0; i < steps; i++) {
            int t = reversed ? steps - 1 - i : i;
            Value taken = mask == null ? null : reshape(slice(mask, 0, t, t + 1));
            List<Value> next = weights.next(reshape(slice(inputs, 0, t, t + 1), gates()), state);
            state = taken == null ? next : chosen(taken, next, state);
            outputs[t] = reshape(output(taken, state), 1, units);
        }
        return new Steps(state, List.of(concat(0, outputs)));
    }

    private Steps scanned(Layer weights, Value x, @Nullable Value start, int layer, @Nullable Value mask) {
        List<Value> sequences = new ArrayList<>(List.of(x));
        if (mask != null) {
            sequences.add(mask);
        }
        return Scan.over(reversed, sequences, weights.start(start, layer), (now, state) -> {
            Value taken = mask == null ? null : now.get(1);
            List<Value> next = weights.next(weights.fromInputs(now.get(0)), state);
            List<Value> last = taken == null ? next : chosen(taken, next, state);
            return new Scan.Next(last, List.of(output(taken, last)));
        });
    }

    private Value output(@Nullable Value taken, List<Value> state) {
        return taken != null && maskedZeros
                ? where(taken, state.get(0), taken.graph().constant(0))
                : state.get(0);
    }

    /**
     * Takes one step of all layers: x (features) and a state of {@link #stateShape} give the next state. The parameters
     * are those of {@link #apply}.
     */
    public Value step(String name, Value x, Value state) {
        return apply(name, reshape(x, 1, x.shape().size()), state, null).state();
    }

    private int gates() {
        return cell.gates * units;
    }

    private static List<Value> chosen(Value taken, List<Value> next, List<Value> before) {
        List<Value> chosen = new ArrayList<>();
        for (int i = 0; i < next.size(); i++) {
            chosen.add(where(taken, next.get(i), before.get(i)));
        }
        return chosen;
    }

    /** The parameters of a layer. */
    private final class Layer {
        private final Graph graph;
        private final Value[] input;
        private final Value[] hidden;
        private final @Nullable Value kept;

        Layer(String name, Value x) {
            graph = x.graph();
            input = product(name + "/input", x.shape().get(1));
            hidden = product(name + "/hidden", units);
            kept = dropout == 0 ? null : mask(name + "/kept");
        }

        private Value mask(String name) {
            Value mask = graph.noise(name, Shape.of(units), new Leaf.Distribution.Mask(dropout), Leaf.Redraw.EACH_TURN);
            if (!scan) {
                return mask;
            }
            // a scan reads its mask in EVAL programs too, which must draw nothing
            Value ones = spread(reshape(graph.constant(1), 1), units);
            return graph.numbered(new Elementwise.ByMode(), mask, spreadToRows(ones));
        }

        /** Declares a product's weight and bias, uniform within the root of the number of units, as PyTorch does. */
        private Value[] product(String name, int width) {
            double most = 1 / Math.sqrt(units);
            Initialiser initialiser = new Initialiser.Uniform(-most, most);
            Shape shape = Shape.of(gates(), width);
            Fan fan = new Fan(width, gates());
            Value weight = Layers.declare(graph, name + "/weight", shape, fan, initialiser, Kind.WEIGHT);
            return biased
                    ? new Value[] {
                        weight,
                        Layers.declare(graph, name + "/bias", Shape.of(gates()), Fan.NONE, initialiser, Kind.WEIGHT)
                    }
                    : new Value[] {weight};
        }

        private Value dense(Value x, Value[] weights) {
            return weights.length == 1
                    ? graph.numbered(new Products.Dense(), x, weights[0])
                    : graph.numbered(new Products.Dense(), x, weights[0], weights[1]);
        }

        /** The products of all steps' inputs. */
        Value fromInputs(Value x) {
            return dense(x, input);
        }

        List<Value> start(@Nullable Value start, int layer) {
            List<Value> parts = new ArrayList<>();
            for (int part = 0; part < cell.parts; part++) {
                Value zeros = spread(reshape(graph.constant(0), 1), units);
                parts.add(
                        start == null
                                ? zeros
                                : reshape(slice(slice(start, 0, layer, layer + 1), 1, part, part + 1), units));
            }
            return parts;
        }

        /** Takes a step, given the product of its input. */
        List<Value> next(Value fromInput, List<Value> state) {
            Value h = state.get(0);
            Value fromState = dense(kept == null ? h : dropped(h, kept), hidden);
            return switch (cell) {
                case TANH -> List.of(tanh(add(fromInput, fromState)));
                case RELU -> List.of(relu(add(fromInput, fromState)));
                case GRU -> {
                    Value reset = sigmoid(add(gate(fromInput, 0), gate(fromState, 0)));
                    Value update = sigmoid(add(gate(fromInput, 1), gate(fromState, 1)));
                    Value candidate = tanh(add(gate(fromInput, 2), multiply(reset, gate(fromState, 2))));
                    yield List.of(add(candidate, multiply(update, subtract(h, candidate))));
                }
                case LSTM -> {
                    Value gates = add(fromInput, fromState);
                    Value kept = multiply(sigmoid(gate(gates, 1)), state.get(1));
                    Value memory = add(kept, multiply(sigmoid(gate(gates, 0)), tanh(gate(gates, 2))));
                    yield List.of(multiply(sigmoid(gate(gates, 3)), tanh(memory)), memory);
                }
            };
        }

        private Value dropped(Value h, Value mask) {
            return graph.numbered(new Elementwise.Dropout(dropout), spreadToRows(h), mask);
        }

        private Value gate(Value all, int index) {
            return slice(all, 0, index * units, (index + 1) * units);
        }
    }
}
