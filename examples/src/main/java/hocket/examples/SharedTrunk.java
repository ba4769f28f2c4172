package hocket.examples;

import static hocket.programs.Layers.dense;
import static hocket.programs.Mode.TRAIN;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.square;
import static hocket.programs.Operators.stopGradient;
import static hocket.programs.Operators.subtract;
import static hocket.programs.Operators.tanh;
import static hocket.schedulers.Budget.rounds;
import static hocket.schedulers.Plan.sequence;
import static hocket.schedulers.Resample.EACH_ROUND;
import static hocket.schedulers.optimizers.Optimizers.adam;
import static hocket.scopes.Streams.seed;

import hocket.programs.Graph;
import hocket.programs.Loss;
import hocket.programs.Network;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.schedulers.Rows;
import hocket.schedulers.Scheduler;
import hocket.schedulers.Turn;
import hocket.scopes.Parameters;
import hocket.scopes.Selection;
import hocket.scopes.Shape;
import hocket.scopes.Streams;
import hocket.scopes.Tensor;

/**
 * Two heads on one trunk, one for the sum of two numbers, the other for their product. With {@code shares} both turns
 * update the trunk; with {@code stopGradient} only the first one does.
 *
 * <p>{@code examples/run SharedTrunk}: both losses fall below 0.01 in two seconds; the second falls more slowly if its
 * turn does not update the trunk.
 */
public final class SharedTrunk {
    private SharedTrunk() {}

    /** The result: losses at the end, and the trunk's digest. */
    record Result(double sum, double product, String trunk) {}

    public static void main(String[] args) {
        int rounds = args.length > 0 ? Integer.parseInt(args[0]) : 2000;
        System.out.println("both move the trunk:      " + run(rounds, false));
        System.out.println("the second stops before:  " + run(rounds, true));
    }

    static Result run(int rounds, boolean detached) {
        Graph graph = new Graph();
        Value x = graph.input("x", Shape.of(2));
        Network<Value, Value> trunk = graph.module("trunk", in -> tanh(dense("b", tanh(dense("a", in, 32)), 32)));
        Network<Value, Value> sum = graph.module("sum", in -> dense("out", trunk.apply(in), 1));
        Network<Value, Value> product = graph.module("product", in -> {
            Value h = trunk.apply(in);
            return dense("out", detached ? stopGradient(h) : h, 1);
        });
        Turn.Descend learnSum = Turn.of("sum", squaredError(graph, "sum", sum.apply(x)))
                .updates("sum/**", adam(1e-3))
                .shares("trunk/**", adam(1e-3));
        Turn.Descend learnProduct = Turn.of("product", squaredError(graph, "product", product.apply(x)))
                .updates("product/**", adam(1e-3));
        if (!detached) {
            // Without stopGradient both turns must share the trunk; with .updates alone the plan would be rejected.
            learnProduct = learnProduct.shares("trunk/**", adam(1e-3));
        }
        try (Parameters parameters = Parameters.initialise(graph.declarations(), seed(7));
                Scheduler scheduler = Scheduler.over(parameters)) {
            scheduler
                    .plan(sequence(learnSum, learnProduct))
                    .feed(pairs(1024).batches("pairs", 64), EACH_ROUND)
                    .run(rounds(rounds));
            return new Result(
                    scheduler.average("sum/loss", 50).orElseThrow(),
                    scheduler.average("product/loss", 50).orElseThrow(),
                    parameters.digest(Selection.of("trunk/**")));
        }
    }

    private static Program squaredError(Graph graph, String target, Value predicted) {
        Value wanted = graph.input("wanted_" + target, Shape.of(1));
        return Program.compile("learn_" + target, TRAIN, Loss.of(mean(square(subtract(predicted, wanted)))));
    }

    private static Rows pairs(int count) {
        double[] draws = new double[2 * count];
        Streams.seed(1).at("pairs").uniform(0, draws);
        float[] x = new float[2 * count];
        float[] sums = new float[count];
        float[] products = new float[count];
        for (int i = 0; i < count; i++) {
            x[2 * i] = (float) (2 * draws[2 * i] - 1);
            x[2 * i + 1] = (float) (2 * draws[2 * i + 1] - 1);
            sums[i] = x[2 * i] + x[2 * i + 1];
            products[i] = x[2 * i] * x[2 * i + 1];
        }
        return Rows.of("x", Tensor.of(Shape.of(count, 2), x))
                .and("wanted_sum", Tensor.of(Shape.of(count, 1), sums))
                .and("wanted_product", Tensor.of(Shape.of(count, 1), products));
    }
}
