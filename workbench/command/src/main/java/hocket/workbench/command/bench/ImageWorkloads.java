package hocket.workbench.command.bench;

import static hocket.programs.Layers.batchNorm;
import static hocket.programs.Layers.conv;
import static hocket.programs.Layers.dense;
import static hocket.programs.Layers.kernel;
import static hocket.programs.Operators.add;
import static hocket.programs.Operators.averagePool;
import static hocket.programs.Operators.flatten;
import static hocket.programs.Operators.globalAveragePool;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.multiply;
import static hocket.programs.Operators.negate;
import static hocket.programs.Operators.relu;
import static hocket.programs.Operators.reshape;
import static hocket.programs.Operators.scale;
import static hocket.programs.Operators.shift;
import static hocket.programs.Operators.square;
import static hocket.programs.Operators.stopGradient;
import static hocket.programs.Operators.subtract;
import static hocket.programs.Operators.tanh;
import static hocket.programs.Operators.upsampleNearest;
import static hocket.schedulers.optimizers.Optimizers.adam;

import hocket.programs.Graph;
import hocket.programs.Mode;
import hocket.programs.Network;
import hocket.programs.Operators;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.programs.layers.Weights;
import hocket.programs.layers.Window;
import hocket.schedulers.Rows;
import hocket.schedulers.Turn;
import hocket.scopes.ElementType;
import hocket.scopes.Scope;
import hocket.scopes.Shape;
import hocket.scopes.Tensor;
import java.util.List;

/** Workloads of networks for images. */
final class ImageWorkloads {
    private static final Weights SPECTRAL = Weights.standard().spectralNorm();
    private static final int LATENT = 128;
    private static final int ACTIONS = 6;

    private ImageWorkloads() {}

    /**
     * The residual SN-GAN of {@code benchmarks/sngan_torch.py} on 32×32 (Miyato et al. 2018, table 4, of one width): one turn
     * each of discriminator and generator, with the hinge loss.
     */
    static Workload sngan(int width) {
        int rows = 64;
        Graph graph = new Graph();
        Value z = graph.noise("noise", Shape.of(LATENT));
        Value real = graph.input("image", Shape.of(3, 32, 32));
        Value fake;
        try (Scope<Value> scope = graph.module("generator")) {
            Value h = reshape(dense("project", z, width * 16), width, 4, 4);
            for (int i = 1; i <= 3; i++) {
                h = larger("block" + i, h, width);
            }
            fake = tanh(conv("out", relu(batchNorm("bn", h)), 3, kernel(3).pad(1)));
        }
        Network<Value, Value> discriminator = graph.module("discriminator", x -> {
            Value h = smaller("block1", x, width, false, true);
            h = smaller("block2", h, width, true, true);
            h = smaller("block3", h, width, true, false);
            h = smaller("block4", h, width, true, false);
            return dense("logit", globalAveragePool(relu(h)), 1, SPECTRAL);
        });
        Value hinge = add(
                mean(relu(shift(negate(discriminator.apply(real)), 1))),
                mean(relu(shift(discriminator.apply(stopGradient(fake)), 1))));
        Turn.Descend d = Turn.of("d", Program.compile("discriminator", Mode.TRAIN, hinge))
                .updates("discriminator/**", adam(2e-4).beta1(0));
        Turn.Descend g = Turn.of("g", Program.compile("generator", Mode.TRAIN, negate(mean(discriminator.apply(fake)))))
                .updates("generator/**", adam(2e-4).beta1(0));
        Rows data = Rows.of("image", Workload.uniform("image", rows * Workload.BATCHES, 3, 32, 32));
        return new Workload(graph, List.of(d, g), data, rows);
    }

    private static Value larger(String name, Value x, int width) {
        try (Scope<Value> scope = x.graph().scope(name)) {
            Value h = conv("conv1", upsampleNearest(relu(batchNorm("bn1", x)), 2), width, same());
            h = conv("conv2", relu(batchNorm("bn2", h)), width, same());
            return add(h, conv("shortcut", upsampleNearest(x, 2), width, kernel(1)));
        }
    }

    private static Value smaller(String name, Value x, int width, boolean activated, boolean halved) {
        try (Scope<Value> scope = x.graph().scope(name)) {
            Value h = conv("conv1", activated ? relu(x) : x, width, same().weights(SPECTRAL));
            h = conv("conv2", relu(h), width, same().weights(SPECTRAL));
            Value shortcut = x.shape().get(0) == width
                    ? x
                    : conv("shortcut", x, width, kernel(1).weights(SPECTRAL));
            Value sum = add(h, shortcut);
            return halved ? averagePool(sum, kernel(2).stride(2), true) : sum;
        }
    }

    private static Window same() {
        return kernel(3).pad(1);
    }

    /** The policy that papers use on MinAtar (Young and Tian 2019), on 10×10 images of 4 channels, for inference. */
    static Program minatar() {
        Graph graph = new Graph();
        Value x = graph.input("x", Shape.of(4, 10, 10));
        try (Scope<Value> scope = graph.module("policy")) {
            return Program.compile("infer", Mode.EVAL, dense("logits", features(x), ACTIONS));
        }
    }

    private static Value features(Value x) {
        return relu(dense("hidden", flatten(relu(conv("conv", x, 16, kernel(3)))), 128));
    }

    /** A training step of that policy, with a value, on some rows. */
    static Workload minatar(int rows) {
        Graph graph = new Graph();
        Value x = graph.input("x", Shape.of(4, 10, 10));
        Value action = graph.input("action", Shape.scalar(), ElementType.INT64);
        Value advantage = graph.input("advantage", Shape.scalar());
        Value goal = graph.input("return", Shape.scalar());
        Value loss;
        try (Scope<Value> scope = graph.module("policy")) {
            Value features = features(x);
            Value error = Operators.softmaxCrossEntropy(dense("logits", features, ACTIONS), action);
            Value value = reshape(dense("value", features, 1));
            loss = add(mean(multiply(advantage, error)), scale(mean(square(subtract(value, goal))), 0.5));
        }
        Turn.Descend turn =
                Turn.of("step", Program.compile("step", Mode.TRAIN, loss)).updates("policy/**", adam(1e-3));
        int all = rows * Workload.BATCHES;
        long[] actions = new long[all];
        for (int i = 0; i < all; i++) {
            actions[i] = i % ACTIONS;
        }
        Rows data = Rows.of("x", Workload.uniform("x", all, 4, 10, 10))
                .and("action", Tensor.of(Shape.of(all), actions))
                .and("advantage", Workload.uniform("advantage", all))
                .and("return", Workload.uniform("return", all));
        return new Workload(graph, List.of(turn), data, rows);
    }
}
