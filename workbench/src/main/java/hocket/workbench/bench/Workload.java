package hocket.workbench.bench;

import static hocket.programs.Layers.dense;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.square;
import static hocket.programs.Operators.subtract;
import static hocket.programs.Operators.tanh;
import static hocket.schedulers.optimizers.Optimizers.adam;

import hocket.gan.losses.GanLoss;
import hocket.gan.networks.Dcgan;
import hocket.programs.Graph;
import hocket.programs.Leaf.Redraw;
import hocket.programs.Mode;
import hocket.programs.Network;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.schedulers.Columns;
import hocket.schedulers.Networks;
import hocket.schedulers.Rows;
import hocket.schedulers.Source;
import hocket.schedulers.Turn;
import hocket.scopes.Shape;
import hocket.scopes.Streams;
import hocket.scopes.Tensor;
import java.util.List;

/**
 * Turns to be measured, and what feeds them.
 *
 * @param turns a round
 * @param data makes a source for one user
 * @param rows a turn
 */
record Workload(Graph graph, List<Turn.Descend> turns, Rows data, int rows) {
    private static final int BATCHES = 8;

    Source source() {
        return data.batches(rows);
    }

    /** The DCGAN on 28×28 of {@code peers/dcgan_torch.py}: one turn each of discriminator and generator. */
    static Workload dcgan(int width) {
        int rows = 64;
        Rows images = Rows.of("image", uniform("image", rows * BATCHES, 1, 28, 28));
        Networks networks = new Dcgan(100, width, GanLoss.Usual.NON_SATURATING, Redraw.EACH_TURN)
                .build(new Columns(images.columns()));
        Turn.Descend d = Turn.of("d", networks.program("discriminator"))
                .updates("discriminator/**", adam(2e-4).beta1(0.5));
        Turn.Descend g = Turn.of("g", networks.program("generator"))
                .updates("generator/**", adam(2e-4).beta1(0.5));
        return new Workload(networks.graph(), List.of(d, g), images, rows);
    }

    /** A tanh network 4-64-64-2 on rows of 64, mean squared error. */
    static Workload small() {
        int rows = 64;
        Graph graph = new Graph();
        Value x = graph.input("x", Shape.of(4));
        Value y = graph.input("y", Shape.of(2));
        Network<Value, Value> network = graph.module("network", Workload::network);
        Program step = Program.compile("step", Mode.TRAIN, mean(square(subtract(network.apply(x), y))));
        Turn.Descend turn = Turn.of("step", step).updates("network/**", adam(1e-3));
        Rows data = Rows.of("x", uniform("x", rows * BATCHES, 4)).and("y", uniform("y", rows * BATCHES, 2));
        return new Workload(graph, List.of(turn), data, rows);
    }

    /** The same network's answer to 8 rows. */
    static Program inference() {
        Graph graph = new Graph();
        Network<Value, Value> network = graph.module("network", Workload::network);
        return Program.compile("infer", Mode.EVAL, network.apply(graph.input("x", Shape.of(4))));
    }

    private static Value network(Value x) {
        Value h = tanh(dense("hidden1", x, 64));
        return dense("out", tanh(dense("hidden2", h, 64)), 2);
    }

    /** Numbers in -1..1. */
    static Tensor uniform(String name, int... extents) {
        Shape shape = Shape.of(extents);
        double[] drawn = new double[shape.size()];
        Streams.seed(0).at(name).uniform(0, drawn);
        float[] values = new float[drawn.length];
        for (int i = 0; i < values.length; i++) {
            values[i] = (float) (2 * drawn[i] - 1);
        }
        return Tensor.of(shape, values);
    }
}
