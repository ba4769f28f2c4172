package hocket.workbench.command.bench;

import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.square;
import static hocket.programs.Operators.subtract;
import static hocket.programs.Operators.tanh;
import static hocket.schedulers.optimizers.Optimizers.adam;

import hocket.gan.networks.Dcgan;
import hocket.programs.Graph;
import hocket.programs.Layers;
import hocket.programs.Mode;
import hocket.programs.Network;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.schedulers.Columns;
import hocket.schedulers.Rows;
import hocket.schedulers.Source;
import hocket.schedulers.Turn;
import hocket.schedulers.settings.Networks;
import hocket.scopes.Shape;
import hocket.scopes.Streams;
import hocket.scopes.Tensor;
import java.util.List;

/**
 * Turns to be measured, and their data.
 *
 * @param turns the turns of a round
 * @param data creates a source
 * @param rows rows of a turn
 */
record Workload(Graph graph, List<Turn.Descend> turns, Rows data, int rows) {
    static final int BATCHES = 8;

    Source source() {
        return data.batches(rows);
    }

    /** The DCGAN on 28×28 of {@code benchmarks/dcgan_torch.py}: one turn each of discriminator and generator. */
    static Workload dcgan(int width) {
        int rows = 64;
        Rows images = Rows.of("image", uniform("image", rows * BATCHES, 1, 28, 28));
        Networks networks = Dcgan.usual().latent(100).width(width).build(new Columns(images.columns()));
        Turn.Descend d = Turn.of("d", networks.program("discriminator"))
                .updates("discriminator/**", adam(2e-4).beta1(0.5));
        Turn.Descend g = Turn.of("g", networks.program("generator"))
                .updates("generator/**", adam(2e-4).beta1(0.5));
        return new Workload(networks.graph(), List.of(d, g), images, rows);
    }

    /** Returns a tanh network of these widths, from inputs to outputs, with mean squared error. */
    static Workload dense(List<Integer> widths, int rows) {
        Graph graph = new Graph();
        Value x = graph.input("x", Shape.of(widths.get(0)));
        Value y = graph.input("y", Shape.of(last(widths)));
        Network<Value, Value> network = graph.module("network", input -> network(input, widths));
        Program step = Program.compile("step", Mode.TRAIN, mean(square(subtract(network.apply(x), y))));
        Turn.Descend turn = Turn.of("step", step).updates("network/**", adam(1e-3));
        Rows data = Rows.of("x", uniform("x", rows * BATCHES, widths.get(0)))
                .and("y", uniform("y", rows * BATCHES, last(widths)));
        return new Workload(graph, List.of(turn), data, rows);
    }

    /** Returns the inference program of a dense network of these widths. */
    static Program inference(List<Integer> widths) {
        Graph graph = new Graph();
        Network<Value, Value> network = graph.module("network", input -> network(input, widths));
        return Program.compile("infer", Mode.EVAL, network.apply(graph.input("x", Shape.of(widths.get(0)))));
    }

    private static Value network(Value x, List<Integer> widths) {
        Value h = x;
        for (int i = 1; i < widths.size() - 1; i++) {
            h = tanh(Layers.dense("hidden" + i, h, widths.get(i)));
        }
        return Layers.dense("out", h, last(widths));
    }

    private static int last(List<Integer> widths) {
        return widths.get(widths.size() - 1);
    }

    /** Returns numbers in -1..1. */
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
