package hocket.schedulers;

import static hocket.programs.Layers.batchNorm;
import static hocket.programs.Layers.dense;
import static hocket.programs.Operators.add;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.multiply;
import static hocket.programs.Operators.negate;
import static hocket.programs.Operators.softplus;
import static hocket.programs.Operators.stopGradient;
import static hocket.programs.Operators.sum;
import static hocket.programs.Operators.tanh;
import static hocket.schedulers.optimizers.Optimizers.adam;

import hocket.programs.Graph;
import hocket.programs.Loss;
import hocket.programs.Mode;
import hocket.programs.Network;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.scopes.Declaration;
import hocket.scopes.Declaration.Fan;
import hocket.scopes.Declaration.Kind;
import hocket.scopes.ElementType;
import hocket.scopes.Initialiser;
import hocket.scopes.Parameters;
import hocket.scopes.Scope;
import hocket.scopes.Shape;
import hocket.scopes.Streams;
import hocket.scopes.Tensor;

/** Small things to train. */
public final class Toy {
    /**
     * A GAN on rows of four numbers, with a batch norm in each network.
     *
     * @param fake what the generator makes
     * @param d a turn of the discriminator by Adam, with a metric called {@code gap}
     * @param g a turn of the generator by Adam
     */
    public record Gan(Graph graph, Value fake, Turn.Descend d, Turn.Descend g) {
        /** The generator's average. */
        public Turn.Follow ema() {
            return Turn.follow("ema", "generator/**", "ema/generator/**", 0.9);
        }

        /** A store of a seed, with the generator's average. */
        public Parameters parameters(long seed) {
            return store(graph, seed).copy("generator/**", "ema/generator/**");
        }
    }

    /** {@code f(x, y) = x·y}: x descends it, y climbs it. */
    public record Game(Graph graph, Value x, Value y, Program forX, Program forY) {}

    private Toy() {}

    public static Gan gan() {
        return gan(5);
    }

    /** @param hidden units of the hidden layers */
    static Gan gan(int hidden) {
        Graph graph = new Graph();
        Value noise = graph.noise("noise", Shape.of(3));
        Value real = graph.input("image", Shape.of(4));
        Value fake;
        try (Scope<Value> generator = graph.module("generator")) {
            fake = graph.name("image", dense("out", tanh(batchNorm("norm", dense("in", noise, hidden))), 4));
        }
        Network<Value, Value> discriminator =
                graph.module("discriminator", x -> dense("logit", tanh(batchNorm("norm", dense("in", x, hidden))), 1));
        Value forReal = discriminator.apply(real);
        Value forFake = discriminator.apply(stopGradient(fake));
        Loss d = Loss.of(add(mean(softplus(negate(forReal))), mean(softplus(forFake))))
                .metric("gap", mean(add(forReal, negate(forFake))));
        Loss g = Loss.of(mean(softplus(negate(discriminator.apply(fake)))));
        return new Gan(
                graph,
                fake,
                Turn.of("d", Program.compile("d_step", Mode.TRAIN, d)).updates("discriminator/**", adam(1e-2)),
                Turn.of("g", Program.compile("g_step", Mode.TRAIN, g)).updates("generator/**", adam(1e-2)));
    }

    /** The sum of the squares of a GAN's discriminator's first weights, which reaches none of the others. */
    static Program decay(Gan gan) {
        Value weight = gan.graph().value("discriminator/in/weight");
        return Program.compile("decay", Mode.TRAIN, sum(multiply(weight, weight)));
    }

    public static Game bilinear() {
        Graph graph = new Graph(ElementType.FLOAT64);
        Value x;
        Value y;
        Value forX;
        Value forY;
        try (Scope<Value> game = graph.module("game")) {
            x = number(graph, "x");
            y = number(graph, "y");
            forX = sum(multiply(x, y));
            forY = negate(forX);
        }
        return new Game(
                graph, x, y, Program.compile("for_x", Mode.TRAIN, forX), Program.compile("for_y", Mode.TRAIN, forY));
    }

    /** A parameter of one element, 1 at the start. */
    public static Value number(Graph graph, String name) {
        return graph.parameter(
                name,
                (path, type) ->
                        new Declaration(path, Shape.of(1), type, Initialiser.constant(1), Fan.NONE, Kind.WEIGHT));
    }

    public static Parameters store(Graph graph, long seed) {
        return Parameters.initialise(graph.declarations(), Streams.seed(seed));
    }

    /** Rows of so many numbers, all different: row r holds r, r + 1/n, r + 2/n, …, scaled to about 1. */
    public static Rows rows(String name, int count, int width) {
        float[] values = new float[count * width];
        for (int i = 0; i < values.length; i++) {
            values[i] = (float) Math.sin(i * 0.7) + i % width;
        }
        return Rows.of(name, Tensor.of(Shape.of(count, width), values));
    }
}
