package hocket.schedulers.exchange;

import static hocket.programs.Layers.batchNorm;
import static hocket.programs.Layers.conv;
import static hocket.programs.Layers.dense;
import static hocket.programs.Layers.kernel;
import static hocket.programs.Operators.add;
import static hocket.programs.Operators.flatten;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.negate;
import static hocket.programs.Operators.reshape;
import static hocket.programs.Operators.softplus;
import static hocket.programs.Operators.stopGradient;
import static hocket.programs.Operators.tanh;
import static hocket.schedulers.Plan.sequence;
import static hocket.schedulers.optimizers.Optimizers.sgd;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import hocket.programs.Graph;
import hocket.programs.Loss;
import hocket.programs.Mode;
import hocket.programs.Network;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.schedulers.Budget;
import hocket.schedulers.Resample;
import hocket.schedulers.Rows;
import hocket.schedulers.Scheduler;
import hocket.schedulers.Turn;
import hocket.scopes.Declaration;
import hocket.scopes.ElementType;
import hocket.scopes.Parameters;
import hocket.scopes.Scope;
import hocket.scopes.Shape;
import hocket.scopes.Streams;
import hocket.scopes.Tensor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("engine")
class DividedTest {
    /** A GAN on images of one channel, with noise of its own, and one number for each fake that is looked at. */
    record Gan(Graph graph, Turn.Descend d, Turn.Descend g, Value score) {}

    static Gan gan(ElementType type, boolean convolves, boolean normalises) {
        Graph graph = new Graph(type);
        Value noise = graph.noise("noise", Shape.of(3));
        Value real = graph.input("image", Shape.of(1, 4, 4));
        Value fake;
        try (Scope<Value> generator = graph.module("generator")) {
            fake = graph.name("image", reshape(dense("out", tanh(dense("in", noise, 5)), 16), 1, 4, 4));
        }
        Network<Value, Value> discriminator = graph.module("discriminator", x -> {
            Value h = convolves ? conv("conv", x, 6, kernel(3).pad(1)) : dense("in", flatten(x), 7);
            h = tanh(normalises ? batchNorm("norm", h) : h);
            return dense("logit", flatten(h), 1);
        });
        Value score = discriminator.apply(fake);
        Loss d = Loss.of(add(
                        mean(softplus(negate(discriminator.apply(real)))),
                        mean(softplus(discriminator.apply(stopGradient(fake))))))
                .metric("score", mean(score));
        return new Gan(
                graph,
                Turn.of("d", Program.compile("d_step", Mode.TRAIN, d))
                        .updates("discriminator/**", sgd(0.1))
                        .observes(score),
                Turn.of("g", Program.compile("g_step", Mode.TRAIN, Loss.of(mean(softplus(negate(score))))))
                        .updates("generator/**", sgd(0.1)),
                score);
    }

    static Rows images(ElementType type) {
        double[] values = new double[50 * 16];
        float[] rounded = new float[values.length];
        for (int i = 0; i < values.length; i++) {
            values[i] = Math.sin(i * 0.7) + i % 5;
            rounded[i] = (float) values[i];
        }
        Shape shape = Shape.of(50, 1, 4, 4);
        return Rows.of("image", type == ElementType.FLOAT32 ? Tensor.of(shape, rounded) : Tensor.of(shape, values));
    }

    /** What a run came to: all parameters, the last loss and metric of d, and the scores of the last fakes. */
    private static List<double[]> trained(Gan gan, DataParallelSplit dataParallelSplit, int batch, int rounds) {
        try (Parameters parameters = Parameters.initialise(gan.graph().declarations(), Streams.seed(7));
                Scheduler scheduler = Scheduler.over(parameters, 2, dataParallelSplit)) {
            scheduler
                    .plan(sequence(gan.d().times(2), gan.g()))
                    .feed(images(gan.graph().floatType()).batches("image", batch), Resample.EACH_TURN)
                    .run(Budget.rounds(rounds));
            List<double[]> all = new ArrayList<>();
            for (Declaration declaration : parameters.declarations()) {
                all.add(parameters.tensor(declaration.path().text()).doubles());
            }
            all.add(new double[] {
                scheduler.average("d/loss", 1).getAsDouble(),
                scheduler.average("d/score", 1).getAsDouble()
            });
            all.add(scheduler.observed(gan.d(), gan.score()).doubles());
            return all;
        }
    }

    private static void assertAlike(List<double[]> some, List<double[]> others, double relative) {
        assertThat(some).hasSameSizeAs(others);
        for (int i = 0; i < some.size(); i++) {
            double largest = Arrays.stream(others.get(i)).map(Math::abs).max().orElse(0);
            assertThat(some.get(i)).containsExactly(others.get(i), within(relative * largest));
        }
    }

    /**
     * Of the largest number of an array. Thirty turns, each of which rounds sums of some hundred products by a few units in the
     * last place (6e-8 and 1.1e-16), and the next turns carry that on: a hundred such units.
     */
    private static double rounding(ElementType type) {
        return type == ElementType.FLOAT32 ? 1e-5 : 2e-14;
    }

    @ParameterizedTest
    @CsvSource({
        "FLOAT32, false, 2, 12",
        "FLOAT32, false, 3, 11",
        "FLOAT32, false, 4, 5",
        "FLOAT32, true, 2, 12",
        "FLOAT32, true, 3, 8",
        "FLOAT64, false, 3, 11",
        "FLOAT64, true, 2, 7"
    })
    void workersTrainAsOneDoes(ElementType type, boolean convolves, int workers, int batch) {
        Gan gan = gan(type, convolves, false);
        List<double[]> one = trained(gan, DataParallelSplit.NONE, batch, 10);
        List<double[]> several = trained(gan, DataParallelSplit.among(workers), batch, 10);
        assertAlike(several, one, rounding(type));
        assertAlike(trained(gan, DataParallelSplit.among(workers), batch, 10), several, 0);
    }

    @ParameterizedTest
    @CsvSource({"FLOAT32, false, 1", "FLOAT32, true, 1", "FLOAT32, false, 2", "FLOAT64, false, 1"})
    void processesTrainAsOneDoesAndAllAlike(ElementType type, boolean convolves, int workers) throws Exception {
        Gan gan = gan(type, convolves, false);
        List<double[]> one = trained(gan, DataParallelSplit.NONE, 13, 10);
        List<List<double[]>> several = together(3, workers, exchange -> trained(gan, exchange, 13, 10));
        assertAlike(several.get(0), one, rounding(type));
        assertAlike(several.get(1), several.get(0), 0);
        assertAlike(several.get(2), several.get(0), 0);
    }

    interface Process<T> {
        T run(DataParallelSplit dataParallelSplit);
    }

    static <T> List<T> together(int processes, int workers, Process<T> process)
            throws InterruptedException, ExecutionException {
        return together(new Meeting(processes), processes, workers, process);
    }

    static <T> List<T> together(Meeting meeting, int processes, int workers, Process<T> process)
            throws InterruptedException, ExecutionException {
        ExecutorService threads = Executors.newFixedThreadPool(processes);
        try {
            List<Future<T>> futures = new ArrayList<>();
            for (int rank = 0; rank < processes; rank++) {
                DataParallelSplit dataParallelSplit = new DataParallelSplit(workers, meeting.of(rank));
                futures.add(threads.submit(() -> process.run(dataParallelSplit)));
            }
            List<T> results = new ArrayList<>();
            for (Future<T> future : futures) {
                results.add(future.get());
            }
            return results;
        } finally {
            threads.shutdownNow();
        }
    }

    /** The moments of the first layer's batch norm do not depend on who computes them: one turn, before weights part. */
    @ParameterizedTest
    @CsvSource({"1, 2", "2, 1", "3, 1", "2, 2"})
    void runningStatisticsAreThoseOfAllRows(int processes, int workers) throws Exception {
        Gan gan = gan(ElementType.FLOAT32, true, true);
        double[] alone = once(gan, DataParallelSplit.NONE);
        if (processes == 1) {
            assertThat(once(gan, DataParallelSplit.among(workers))).containsExactly(alone, within(1e-6));
        } else {
            together(processes, workers, dataParallelSplit -> List.of(once(gan, dataParallelSplit)))
                    .forEach(each -> assertThat(each.get(0)).containsExactly(alone, within(1e-6)));
        }
    }

    /** Running mean and variance after a turn. */
    private static double[] once(Gan gan, DataParallelSplit dataParallelSplit) {
        try (Parameters parameters = Parameters.initialise(gan.graph().declarations(), Streams.seed(7));
                Scheduler scheduler = Scheduler.over(parameters, 2, dataParallelSplit)) {
            scheduler
                    .plan(gan.d())
                    .feed(images(ElementType.FLOAT32).batches("image", 13), Resample.EACH_TURN)
                    .run(Budget.rounds(1));
            double[] mean = parameters.tensor("discriminator/norm/mean").doubles();
            double[] variance = parameters.tensor("discriminator/norm/variance").doubles();
            double[] both = Arrays.copyOf(mean, mean.length + variance.length);
            System.arraycopy(variance, 0, both, mean.length, variance.length);
            return both;
        }
    }

    @Test
    void lessRowsThanWorkersAreRefused() {
        assertThatThrownBy(() -> trained(gan(ElementType.FLOAT32, false, false), DataParallelSplit.among(4), 3, 1))
                .hasMessageContaining("program d_step: 3 rows cannot be divided among 4 workers");
        assertThatThrownBy(() -> DataParallelSplit.among(0)).hasMessage("workers: must be from 1 to 32, was 0");
    }

    @Test
    void processesThatCameToSomethingElseAreToldSo() throws Exception {
        assertThat(together(3, 1, dataParallelSplit -> required(dataParallelSplit, "0123456789abcdef")))
                .hasSize(3);
        assertThatThrownBy(() -> together(
                        3,
                        1,
                        dataParallelSplit -> required(
                                dataParallelSplit,
                                "0" + (1 + dataParallelSplit.exchange().rank()) + "ff")))
                .hasRootCauseMessage("the processes have different parameters: the digest is 01ff in process 0,"
                        + " and another elsewhere. Their machines compute differently; what optimizers, averages and"
                        + " turns of Java do must give the same bits on all");
    }

    private static List<double[]> required(DataParallelSplit dataParallelSplit, String digest) {
        Agreement.require(dataParallelSplit.exchange(), "parameters", digest);
        return List.of();
    }
}
