package hocket.workbench.command.bench;

import static hocket.programs.Layers.conv;
import static hocket.programs.Layers.dense;
import static hocket.programs.Layers.kernel;
import static hocket.programs.Operators.add;
import static hocket.programs.Operators.flatten;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.multiply;
import static hocket.programs.Operators.relu;
import static hocket.programs.Operators.reshape;
import static hocket.programs.Operators.scale;
import static hocket.programs.Operators.square;
import static hocket.programs.Operators.subtract;
import static hocket.schedulers.optimizers.Optimizers.adam;

import hocket.gan.losses.GanLoss;
import hocket.gan.networks.Gan;
import hocket.gan.networks.SnganDiscriminator;
import hocket.gan.networks.SnganGenerator;
import hocket.programs.Graph;
import hocket.programs.Mode;
import hocket.programs.Operators;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.schedulers.Columns;
import hocket.schedulers.Rows;
import hocket.schedulers.Source;
import hocket.schedulers.Turn;
import hocket.schedulers.settings.Networks;
import hocket.scopes.ElementType;
import hocket.scopes.Initialiser;
import hocket.scopes.Scope;
import hocket.scopes.Shape;
import hocket.scopes.Tensor;
import java.util.List;

/** Workloads of networks for images. */
final class ImageWorkloads {
    private static final int LATENT = 128;
    private static final int BLOCKS = 3;
    private static final Initialiser INITIALISER = Initialiser.xavier();
    private static final int ACTIONS = 6;

    private ImageWorkloads() {}

    /**
     * The residual SN-GAN of {@code benchmarks/sngan_torch.py} on 32×32 (Miyato et al. 2018, table 4, of one width): one turn
     * each of discriminator and generator, with the hinge loss.
     */
    static Workload sngan(int width) {
        int rows = 64;
        Networks networks = Gan.of(
                        new SnganGenerator(width, BLOCKS, INITIALISER),
                        SnganDiscriminator.usual().width(width))
                .latent(LATENT)
                .loss(GanLoss.hinge())
                .build(new Columns(List.of(new Source.Column("image", Shape.of(3, 32, 32), ElementType.FLOAT32))));
        Turn.Descend d = Turn.of("d", networks.program("discriminator"))
                .updates("discriminator/**", adam(2e-4).beta1(0));
        Turn.Descend g = Turn.of("g", networks.program("generator"))
                .updates("generator/**", adam(2e-4).beta1(0));
        Rows data = Rows.of("image", Workload.uniform("image", rows * Workload.BATCHES, 3, 32, 32));
        return new Workload(networks.graph(), List.of(d, g), data, rows);
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
