package hocket.workbench.testing;

import static hocket.programs.Layers.batchNorm;
import static hocket.programs.Layers.dense;
import static hocket.programs.Operators.add;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.negate;
import static hocket.programs.Operators.softplus;
import static hocket.programs.Operators.stopGradient;
import static hocket.programs.Operators.tanh;
import static hocket.schedulers.optimizers.Optimizers.adam;

import hocket.programs.Graph;
import hocket.programs.Layers;
import hocket.programs.Loss;
import hocket.programs.Mode;
import hocket.programs.Network;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.schedulers.Rows;
import hocket.schedulers.Schedule;
import hocket.schedulers.ScheduleView;
import hocket.schedulers.Source;
import hocket.schedulers.Turn;
import hocket.scopes.Scope;
import hocket.scopes.Shape;
import hocket.scopes.Tensor;

/**
 * A GAN on rows of four numbers, with a batch norm in each network, for tests that plan and train nothing.
 *
 * @param fake rows that the generator draws
 * @param discriminator gives a logit
 * @param dStep the discriminator's loss, with a metric called {@code gap}
 * @param gStep the generator's
 */
public record SmallGan(Graph graph, Value fake, Network<Value, Value> discriminator, Program dStep, Program gStep) {
    /** Always chooses one turn. */
    public record Always(String turn) implements Schedule<Always.Nothing> {
        record Nothing() {}

        @Override
        public Nothing start() {
            return new Nothing();
        }

        @Override
        public Choice<Nothing> next(Nothing state, ScheduleView view) {
            return new Choice<>(turn, state);
        }
    }

    /** Always chooses one turn, after reading a metric. */
    public record Looking(String turn, String series) implements Schedule<Always.Nothing> {
        @Override
        public Always.Nothing start() {
            return new Always.Nothing();
        }

        @Override
        public Choice<Always.Nothing> next(Always.Nothing state, ScheduleView view) {
            return new Choice<>(view.last(series).isEmpty() ? turn : "", state);
        }
    }

    public static SmallGan of() {
        return of(Layers.normalisation(), Layers.normalisation());
    }

    /**
     * @param first the normalisation of the discriminator where it is called on real rows
     * @param further its normalisation where it is called later
     */
    public static SmallGan of(Layers.Normalisation first, Layers.Normalisation further) {
        Graph graph = new Graph();
        Value noise = graph.noise("noise", Shape.of(3));
        Value real = graph.input("image", Shape.of(4));
        Value fake;
        try (Scope<Value> generator = graph.module("generator")) {
            fake = graph.name("image", dense("out", tanh(batchNorm("norm", dense("in", noise, 5))), 4));
        }
        boolean[] called = {false};
        Network<Value, Value> discriminator = graph.module("discriminator", x -> {
            Layers.Normalisation settings = called[0] ? further : first;
            called[0] = true;
            return dense("logit", tanh(batchNorm("norm", dense("in", x, 5), settings)), 1);
        });
        Value forReal = discriminator.apply(real);
        Value forFake = discriminator.apply(stopGradient(fake));
        Loss d = Loss.of(add(mean(softplus(negate(forReal))), mean(softplus(forFake))))
                .metric("gap", mean(add(forReal, negate(forFake))));
        Loss g = Loss.of(mean(softplus(negate(discriminator.apply(fake)))));
        return new SmallGan(
                graph,
                fake,
                discriminator,
                Program.compile("d_step", Mode.TRAIN, d),
                Program.compile("g_step", Mode.TRAIN, g));
    }

    public Turn.Descend d() {
        return Turn.of("d", dStep).updates("discriminator/**", adam(1e-3));
    }

    public Turn.Descend g() {
        return Turn.of("g", gStep).updates("generator/**", adam(1e-3));
    }

    /** The generator's average. */
    public Turn.Follow ema() {
        return Turn.average("ema", "generator/**", "ema/generator/**", 0.9);
    }

    /** Returns the program that draws samples with the averaged weights. */
    public Program draw() {
        return Program.compile("draw", Mode.EVAL, fake).reading("generator", "ema/generator");
    }

    public static Schedule<?> always(String turn) {
        return new Always(turn);
    }

    /** Returns rows of zeros for the discriminator. */
    public static Source images(int rows, int batch) {
        return rows("image", rows).batches(batch);
    }

    /** Returns rows of four zeros. */
    public static Rows rows(String name, int rows) {
        return Rows.of(name, Tensor.of(Shape.of(rows, 4), new float[4 * rows]));
    }
}
