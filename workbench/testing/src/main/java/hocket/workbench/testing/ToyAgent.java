package hocket.workbench.testing;

import static hocket.programs.Layers.dense;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.square;
import static hocket.programs.Operators.subtract;
import static hocket.schedulers.optimizers.Optimizers.sgd;

import hocket.programs.Graph;
import hocket.programs.Loss;
import hocket.programs.Mode;
import hocket.programs.Network;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.programs.execution.BoundProgram;
import hocket.schedulers.Budget;
import hocket.schedulers.Definition;
import hocket.schedulers.Plan;
import hocket.schedulers.Resample;
import hocket.schedulers.Run;
import hocket.schedulers.Setup;
import hocket.schedulers.Source;
import hocket.schedulers.Turn;
import hocket.schedulers.evaluation.Evaluation;
import hocket.schedulers.evaluation.Film;
import hocket.schedulers.settings.EvaluationDefinition;
import hocket.schedulers.settings.Networks;
import hocket.schedulers.settings.Setting;
import hocket.schedulers.state.State;
import hocket.schedulers.state.Stateful;
import hocket.scopes.ElementType;
import hocket.scopes.Parameters;
import hocket.scopes.Shape;
import hocket.scopes.Streams;
import hocket.scopes.Tensor;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * A whole experiment by one class: a line learns {@code y = 2x + 1} from rows that a turn of Java collects with it. How
 * large the rows were on average is remembered by that turn, and scales the scores.
 *
 * @param rate of learning
 * @param rounds how long
 * @param rows collected in a round
 */
public record ToyAgent(
        @Setting(usually = "0.05", least = 0, most = 1, help = "learning rate")
        double rate,

        @Setting(usually = "40", least = 0, help = "rounds of collecting and fitting")
        long rounds,

        @Setting(usually = "4", least = 1, help = "rows collected in a round")
        int rows)
        implements Definition {
    /** @throws IllegalArgumentException if the rate is too large for the rows */
    public ToyAgent {
        if (rate * rows > 1) {
            throw new IllegalArgumentException("rate must be at most 1/rows, was " + rate + " with " + rows + " rows");
        }
    }

    @Override
    public Setup setup() {
        Graph graph = new Graph();
        Value x = graph.input("x", Shape.of(1));
        Value y = graph.input("y", Shape.of(1));
        Network<Value, Value> line = graph.module("line", in -> dense("fit", in, 1));
        Program fit = Program.compile("fit", Mode.TRAIN, Loss.of(mean(square(subtract(line.apply(x), y)))));
        Program answer = Program.compile("answer", Mode.EVAL, line.apply(x));
        Collector collector = new Collector(answer, rows);
        Turn collect = Turn.act("collect", collector);
        Turn learn = Turn.of("learn", fit).updates("line/**", sgd(rate));
        return Setup.of(Networks.of(graph, fit, answer), Plan.sequence(collect, learn), Budget.rounds(rounds))
                .feed(collector.memory, Resample.EACH_TURN)
                .evaluated(new Returns(collector, 5))
                .filmed(new Dots());
    }

    /** Collects rows. */
    private static final class Collector implements Turn.Action, Stateful {
        private final Program answer;
        private final Memory memory;
        private long steps;
        private double size;

        Collector(Program answer, int rows) {
            this.answer = answer;
            this.memory = new Memory(rows);
        }

        @Override
        public void act(Run run) {
            int rows = memory.x.length;
            double[] drawn = new double[rows];
            run.parameters().streams().at("toy").normal(steps, drawn);
            for (int i = 0; i < rows; i++) {
                memory.x[i] = (float) drawn[i];
                memory.y[i] = (float) (2 * drawn[i] + 1);
                steps++;
                size += (Math.abs(drawn[i]) - size) / steps;
            }
            BoundProgram bound = run.bind(answer);
            bound.feed("x", Tensor.of(Shape.of(rows, 1), memory.x));
            bound.run(rows, run.position().step(), 0);
            double missed = 0;
            for (int i = 0; i < rows; i++) {
                missed += Math.abs(bound.result(0).getFloat(i * Float.BYTES) - memory.y[i]);
            }
            run.report("steps", steps);
            if (run.position().round() % 2 == 1) { // an episode ends every other round
                run.report("episode_return", -missed);
            }
        }

        @Override
        public State save() {
            return State.empty().with("steps", steps).with("size", size);
        }

        @Override
        public void restore(State state) {
            steps = state.whole("steps");
            size = state.real("size");
        }
    }

    /** The rows that were collected last. */
    private static final class Memory implements Source {
        private final float[] x;
        private final float[] y;

        Memory(int rows) {
            x = new float[rows];
            y = new float[rows];
        }

        @Override
        public String name() {
            return "memory";
        }

        @Override
        public List<Column> columns() {
            return List.of(
                    new Column("x", Shape.of(1), ElementType.FLOAT32),
                    new Column("y", Shape.of(1), ElementType.FLOAT32));
        }

        @Override
        public int batch() {
            return x.length;
        }

        @Override
        public int next(Streams streams, Sink sink) {
            copy(x, sink.column(0, x.length));
            copy(y, sink.column(1, x.length));
            return x.length;
        }

        private static void copy(float[] from, @org.jspecify.annotations.Nullable ByteBuffer to) {
            for (int i = 0; i < from.length && to != null; i++) {
                to.putFloat(from[i]);
            }
        }

        @Override
        public double epoch() {
            return 0;
        }

        @Override
        public State save() {
            return State.empty()
                    .with("x", Tensor.of(Shape.of(x.length), x))
                    .with("y", Tensor.of(Shape.of(y.length), y));
        }

        @Override
        public void restore(State state) {
            System.arraycopy(state.tensor("x").floats(), 0, x, 0, x.length);
            System.arraycopy(state.tensor("y").floats(), 0, y, 0, y.length);
        }
    }

    /** How far the line is off over some episodes, each at another place, by the size of what was collected. */
    private record Returns(Collector collector, int episodes) implements Evaluation {
        @Override
        public SortedMap<String, Double> scores(Parameters parameters) {
            double weight = parameters.tensor("line/fit/weight").scalar();
            double bias = parameters.tensor("line/fit/bias").scalar();
            double sum = 0;
            for (int i = 0; i < episodes; i++) {
                sum -= Math.abs(weight * i + bias - (2 * i + 1)) * collector.size;
            }
            SortedMap<String, Double> scores = new TreeMap<>();
            scores.put("mean_return", sum / episodes);
            scores.put("episodes", (double) episodes);
            return scores;
        }

        @Override
        public Optional<Merit> merit() {
            return Optional.of(new Merit("mean_return", true));
        }

        @Override
        public Map<String, Range> ranges() {
            return Map.of("episodes", Range.COUNT);
        }

        @Override
        public Evaluation over(int count) {
            if (count < 1) {
                throw new IllegalArgumentException("episodes must be at least 1, was " + count);
            }
            return new Returns(collector, count);
        }
    }

    /** Four pictures an episode, each in a grey of its own. */
    private record Dots() implements Film {
        private static final int FRAMES = 4;

        @Override
        public void play(Parameters parameters, long seed, int episodes, Consumer<BufferedImage> frames) {
            BufferedImage image = new BufferedImage(12, 8, BufferedImage.TYPE_INT_RGB); // one for all
            Graphics2D graphics = image.createGraphics();
            for (int i = 0; i < FRAMES * episodes; i++) {
                int grey = (int) ((seed + 10 * i) % 256);
                graphics.setPaint(new Color(grey, grey, grey));
                graphics.fillRect(0, 0, 12, 8);
                frames.accept(image);
            }
            graphics.dispose();
        }

        @Override
        public int milliseconds() {
            return 40;
        }
    }

    /**
     * How far the weight is from a value that it passes on its way from 0 to 2: best in the middle of a run.
     *
     * @param weight the value
     */
    public record Passing(
            @Setting(usually = "1", help = "the value") double weight) implements EvaluationDefinition {
        @Override
        public Evaluation build(Networks networks, Map<String, Source> sources) {
            return new Evaluation() {
                @Override
                public SortedMap<String, Double> scores(Parameters parameters) {
                    return new TreeMap<>(Map.of(
                            "distance",
                            Math.abs(parameters.tensor("line/fit/weight").scalar() - weight)));
                }

                @Override
                public Optional<Merit> merit() {
                    return Optional.of(new Merit("distance", false));
                }
            };
        }
    }

    /**
     * A judgement that cannot be made.
     *
     * @param seed of the one run that it cannot be made of; 0 for all
     */
    public record Failing(
            @Setting(usually = "0", least = 0, help = "of the one run that it cannot be made of; 0 for all")
            long seed) implements EvaluationDefinition {
        @Override
        public Evaluation build(Networks networks, Map<String, Source> sources) {
            return parameters -> {
                if (seed == 0 || seed == parameters.streams().seed()) {
                    throw new IllegalStateException("nobody can tell");
                }
                return new Weights().build(networks, sources).scores(parameters);
            };
        }
    }

    /** A judgement that is not made of episodes, and says of no score that it counts. */
    public record Weights() implements EvaluationDefinition {
        @Override
        public Evaluation build(Networks networks, Map<String, Source> sources) {
            return parameters -> new TreeMap<>(Map.of(
                    "weight", (double) parameters.tensor("line/fit/weight").scalar()));
        }
    }
}
