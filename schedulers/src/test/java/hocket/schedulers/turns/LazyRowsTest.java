package hocket.schedulers.turns;

import static hocket.programs.Layers.dense;
import static hocket.programs.Layers.embedding;
import static hocket.programs.Operators.add;
import static hocket.programs.Operators.multiply;
import static hocket.programs.Operators.reshape;
import static hocket.programs.Operators.slice;
import static hocket.programs.Operators.sum;
import static hocket.programs.Operators.tanh;
import static hocket.schedulers.Plan.trial;
import static hocket.schedulers.optimizers.Optimizers.accumulate;
import static hocket.schedulers.optimizers.Optimizers.adagrad;
import static hocket.schedulers.optimizers.Optimizers.adam;
import static hocket.schedulers.optimizers.Optimizers.chain;
import static hocket.schedulers.optimizers.Optimizers.clipByGlobalNorm;
import static hocket.schedulers.optimizers.Optimizers.clipByNorm;
import static hocket.schedulers.optimizers.Optimizers.decay;
import static hocket.schedulers.optimizers.Optimizers.lamb;
import static hocket.schedulers.optimizers.Optimizers.lazy;
import static hocket.schedulers.optimizers.Optimizers.lookahead;
import static hocket.schedulers.optimizers.Optimizers.sgd;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import hocket.programs.Graph;
import hocket.programs.Loss;
import hocket.programs.Mode;
import hocket.programs.Operators;
import hocket.programs.Program;
import hocket.programs.Session.Feeds;
import hocket.programs.Value;
import hocket.schedulers.Budget;
import hocket.schedulers.Lowered;
import hocket.schedulers.Resample;
import hocket.schedulers.Rows;
import hocket.schedulers.Scheduler;
import hocket.schedulers.Turn;
import hocket.schedulers.exchange.DataParallelSplit;
import hocket.schedulers.optimizers.UpdateRule;
import hocket.schedulers.state.State;
import hocket.scopes.ElementType;
import hocket.scopes.Parameters;
import hocket.scopes.Scope;
import hocket.scopes.Shape;
import hocket.scopes.Streams;
import hocket.scopes.Tensor;
import java.util.Arrays;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Optimizers that update the rows of embedding tables which a step looks up, and no others. */
class LazyRowsTest {
    private static final int ENTRIES = 70;
    private static final int WIDTH = 64; // 70 rows are more than a chunk of elements
    private static final String TABLE = "net/words/table";

    /** A network with a table, whose loss is the sum of its output, weighted by what is fed. */
    private record Net(Graph graph, Turn.Descend turn) {
        static Net of(UpdateRule rule, int steps, UnaryOperator<Value> index) {
            Graph graph = new Graph();
            Value text = graph.input("text", Shape.of(steps), ElementType.INT64);
            Value y;
            try (Scope<Value> net = graph.module("net")) {
                y = tanh(dense("out", embedding("words", index.apply(text), ENTRIES, WIDTH), 1));
            }
            Value loss = sum(multiply(y, graph.input("up", y.shape())));
            Program program = Program.compile("learn", Mode.TRAIN, Loss.of(loss));
            return new Net(graph, Turn.of("learn", program).updates("net/**", rule));
        }
    }

    /** A run of a network. */
    private static final class Process implements AutoCloseable {
        final Net net;
        final Parameters parameters;
        final Scheduler scheduler;

        Process(Net net, DataParallelSplit split) {
            this.net = net;
            parameters = Parameters.initialise(net.graph().declarations(), Streams.seed(7));
            scheduler = Scheduler.over(parameters, 2, split).plan(net.turn());
        }

        Process(UpdateRule rule, int steps) {
            this(Net.of(rule, steps, UnaryOperator.identity()), DataParallelSplit.NONE);
        }

        /** Takes the turn on some rows of a text; returns the gradient's norm. */
        double step(int steps, double scale, int... text) {
            int rows = text.length / steps;
            Shape outputs = net.turn().program().input("up").orElseThrow().shape();
            float[] up = new float[rows * outputs.size()];
            for (int i = 0; i < up.length; i++) {
                up[i] = (float) (scale * (1 + i % 5));
            }
            Feeds feeds = Feeds.of(
                            "text",
                            Tensor.of(
                                    Shape.of(rows, steps),
                                    Arrays.stream(text).asLongStream().toArray()))
                    .and("up", Tensor.of(outputs.prepend(rows), up));
            return scheduler.step(net.turn(), feeds).gradientNorm();
        }

        float[] table() {
            return parameters.tensor(TABLE).floats();
        }

        float[] slot(String name) {
            return scheduler
                    .save()
                    .state("turns")
                    .state("learn")
                    .tensor(TABLE + "/" + name)
                    .floats();
        }

        @Override
        public void close() {
            scheduler.close();
            parameters.close();
        }
    }

    private static float[] row(float[] table, int row) {
        return Arrays.copyOfRange(table, row * WIDTH, (row + 1) * WIDTH);
    }

    private static int[] everyRow(int first) {
        return IntStream.range(0, ENTRIES).map(i -> (i * 3 + first) % ENTRIES).toArray();
    }

    @Test
    void rowsThatAreNotInUseKeepWeightsAndSlotsAndDoNotDecay() {
        UpdateRule rule = chain(clipByGlobalNorm(1), adam(0.01).decoupledWeightDecay(0.1));
        try (Process lazily = new Process(lazy(rule), 2);
                Process densely = new Process(rule, 2)) {
            for (Process each : new Process[] {lazily, densely}) {
                each.step(2, 1, 1, 2, 2, 69);
            }
            assertThat(lazily.table())
                    .as("the first step moves what it uses")
                    .isNotEqualTo(new Process(rule, 2).table());
            float[] table = lazily.table();
            float[] m = lazily.slot("m");
            float[] v = lazily.slot("v");
            float[] dense = densely.table();
            for (Process each : new Process[] {lazily, densely}) {
                each.step(2, 1, 69, 3);
            }
            for (int row = 0; row < ENTRIES; row++) {
                boolean used = row == 3 || row == 69;
                assertThat(Arrays.equals(row(lazily.table(), row), row(table, row)))
                        .as("weights of row " + row)
                        .isEqualTo(!used);
                assertThat(Arrays.equals(row(lazily.slot("m"), row), row(m, row)))
                        .as("m of row " + row)
                        .isEqualTo(!used);
                assertThat(Arrays.equals(row(lazily.slot("v"), row), row(v, row)))
                        .as("v of row " + row)
                        .isEqualTo(!used);
                assertThat(row(densely.table(), row))
                        .as("row " + row + ", dense")
                        .isNotEqualTo(row(dense, row));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"adam", "momentum", "decay", "by links", "by norms"})
    void whereEveryStepUsesEveryRowLazyIsDense(String which) {
        UpdateRule rule = switch (which) {
            case "adam" -> chain(clipByGlobalNorm(0.5), adam(0.01));
            case "momentum" -> sgd(0.1).momentum(0.9).weightDecay(0.01);
            case "decay" -> chain(adam(0.01).weightDecay(0.1), decay(0.1));
            case "by links" -> chain(clipByGlobalNorm(0.5), adagrad(0.01), decay(0.1));
            default -> chain(clipByNorm(0.5), adam(0.01));
        };
        try (Process lazily = new Process(lazy(rule), ENTRIES);
                Process densely = new Process(rule, ENTRIES)) {
            for (int i = 0; i < 4; i++) {
                double norm = lazily.step(ENTRIES, 1, everyRow(i));
                assertThat(norm).isEqualTo(densely.step(ENTRIES, 1, everyRow(i)));
            }
            assertThat(lazily.parameters.digest()).isEqualTo(densely.parameters.digest());
        }
    }

    @Test
    void indicesThatAreComputedCount() {
        Net net = Net.of(lazy(adam(0.01).decoupledWeightDecay(0.1)), 3, text -> slice(text, 0, 0, 2));
        try (Process process = new Process(net, DataParallelSplit.NONE)) {
            float[] before = process.table();
            process.step(3, 1, 4, 5, 6, 7, 8, 9);
            for (int row = 0; row < ENTRIES; row++) {
                assertThat(Arrays.equals(row(process.table(), row), row(before, row)))
                        .as("row " + row)
                        .isEqualTo(row != 4 && row != 5 && row != 7 && row != 8);
            }
        }
    }

    @Test
    void anAccumulatedUpdateTakesTheRowsOfAllItsGradients() {
        try (Process halves = new Process(lazy(chain(accumulate(2), adam(0.01))), 1);
                Process whole = new Process(lazy(adam(0.01)), 1)) {
            float[] before = halves.table();
            halves.step(1, 1, 5);
            assertThat(halves.table()).isEqualTo(before);
            halves.step(1, 1, 9);
            whole.step(1, 0.5, 5);
            for (int row = 0; row < ENTRIES; row++) {
                assertThat(Arrays.equals(row(halves.table(), row), row(before, row)))
                        .as("row " + row)
                        .isEqualTo(row != 5 && row != 9);
            }
            assertThat(row(halves.table(), 5)).containsExactly(row(whole.table(), 5), within(1e-6f));
            float[] after = halves.table();
            halves.step(1, 1, 6);
            halves.step(1, 1, 6);
            assertThat(row(halves.table(), 5)).as("of an earlier update").isEqualTo(row(after, 5));
        }
    }

    @Test
    void aRunThatIsSavedBetweenTheGradientsOfAnUpdateGoesOnWithTheSameBits() {
        UpdateRule rule = lazy(chain(clipByGlobalNorm(1), accumulate(3), adam(0.01), decay(0.1)));
        int[][] texts = {{1, 2}, {3, 3}, {4, 1}, {8, 9}, {9, 2}, {1, 7}};
        try (Process whole = new Process(rule, 2);
                Process first = new Process(rule, 2);
                Process second = new Process(rule, 2)) {
            for (int[] text : texts) {
                whole.step(2, 1, text);
            }
            first.step(2, 1, texts[0]);
            first.step(2, 1, texts[1]);
            State saved = first.scheduler.save();
            second.step(2, 1, 60, 61); // is forgotten
            second.parameters.restore(first.parameters.snapshot());
            second.scheduler.restore(saved);
            for (int i = 2; i < texts.length; i++) {
                second.step(2, 1, texts[i]);
            }
            assertThat(second.parameters.digest()).isEqualTo(whole.parameters.digest());
            for (String slot : new String[] {"m", "v", "sum", "rows_waiting"}) {
                assertThat(second.slot(slot)).as(slot).isEqualTo(whole.slot(slot));
            }
        }
    }

    @Test
    void aTrialGivesBackWhatItTookRowsOf() {
        UpdateRule rule = chain(accumulate(2), adam(0.01));
        try (Process lazily = new Process(lazy(rule), ENTRIES);
                Process densely = new Process(rule, ENTRIES)) {
            long[] text = Arrays.stream(everyRow(0)).asLongStream().toArray();
            float[] up = new float[ENTRIES];
            Arrays.fill(up, 1);
            Rows rows = Rows.of("text", Tensor.of(Shape.of(1, ENTRIES), text))
                    .and("up", Tensor.of(Shape.of(1, ENTRIES, 1), up));
            for (Process each : new Process[] {lazily, densely}) {
                each.scheduler
                        .plan(trial(each.net.turn(), each.net.turn()))
                        .feed(rows.batches("rows", 1), Resample.EACH_TURN)
                        .run(Budget.rounds(3));
            }
            assertThat(lazily.slot("rows_waiting")).containsOnly(1);
            assertThat(lazily.parameters.digest()).isEqualTo(densely.parameters.digest());
        }
    }

    @Test
    void workersUpdateTheRowsOfAllOfThem() {
        UpdateRule rule = lazy(chain(clipByGlobalNorm(1), adam(0.01).decoupledWeightDecay(0.1)));
        try (Process alone = new Process(rule, 1);
                Process shared = new Process(Net.of(rule, 1, UnaryOperator.identity()), DataParallelSplit.among(2))) {
            float[] before = alone.table();
            for (int i = 0; i < 3; i++) {
                alone.step(1, 1, 1 + i, 2, 3, 4);
                shared.step(1, 0.5, 1 + i, 2, 3, 4); // the mean of the two shares' sums, of which each is half
            }
            for (int row = 0; row < ENTRIES; row++) {
                if (row == 0 || row > 4) {
                    assertThat(row(shared.table(), row)).isEqualTo(row(before, row));
                } else {
                    assertThat(row(shared.table(), row)).isNotEqualTo(row(before, row));
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"reference", "jvm"})
    void everyLoweringUpdatesTheSameRows(String lowering) {
        Lowered.by(lowering, () -> {
            Net net = Net.of(lazy(adam(0.01).decoupledWeightDecay(0.1)), 3, text -> slice(text, 0, 1, 3));
            try (Process process = new Process(net, DataParallelSplit.NONE)) {
                float[] before = process.table();
                process.step(3, 1, 4, 5, 6, 7, 8, 9);
                process.step(3, 1, 4, 5, 6);
                for (int row = 0; row < ENTRIES; row++) {
                    assertThat(Arrays.equals(row(process.table(), row), row(before, row)))
                            .as("row " + row)
                            .isEqualTo(row != 5 && row != 6 && row != 8 && row != 9);
                }
            }
        });
    }

    @Test
    @Tag("engine")
    void theEngineUpdatesTheSameRows() {
        everyLoweringUpdatesTheSameRows("mxnet");
    }

    @Test
    void whatCannotBeLazyIsRefused() {
        UpdateRule rule = lazy(adam(0.01));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> lazy(rule))
                .withMessage("lazy: the optimizer is lazy already");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> lazy(chain(adam(0.1), lookahead(5, 0.5))))
                .withMessage("lazy: lookahead needs whole weights, and lazy updates take some of their rows");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> lazy(lamb(0.1)))
                .withMessageStartingWith("lazy: lamb needs whole weights");
        Graph graph = new Graph();
        Value text = graph.input("text", Shape.of(2), ElementType.INT64);
        try (Scope<Value> net = graph.module("net")) {
            Value x = embedding("words", text, ENTRIES, WIDTH);
            Value table = x.inputs().get(1);
            Value tied = Operators.matmul(reshape(x, 2, WIDTH), Operators.transpose(table, 1, 0));
            Value loss = add(sum(dense("out", x, 1)), sum(graph.name("logits", tied)));
            Turn.Descend turn = Turn.of("learn", Program.compile("learn", Mode.TRAIN, Loss.of(loss)));
            assertRefused(graph, turn.updates("net/**", rule), TABLE + " that embeddings look up, but");
            assertRefused(
                    graph,
                    turn.updates("net/out/**", rule),
                    "turn learn: a lazy optimizer updates the rows of tables that embeddings look up, and net/out/**"
                            + " holds no such table");
        }
    }

    private static void assertRefused(Graph graph, Turn.Descend turn, String why) {
        try (Parameters parameters = Parameters.initialise(graph.declarations(), Streams.seed(7));
                Scheduler scheduler = Scheduler.over(parameters)) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> scheduler.plan(turn))
                    .withMessageContaining(why);
        }
    }
}
