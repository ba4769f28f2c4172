package hocket.examples;

import static hocket.programs.Layers.dense;
import static hocket.programs.Mode.TRAIN;
import static hocket.programs.Operators.leakyRelu;
import static hocket.programs.Operators.relu;
import static hocket.schedulers.Budget.rounds;
import static hocket.schedulers.Plan.choose;
import static hocket.schedulers.Resample.EACH_TURN;
import static hocket.schedulers.optimizers.Optimizers.adam;
import static hocket.scopes.Streams.seed;

import hocket.gan.losses.GanLoss;
import hocket.programs.Graph;
import hocket.programs.Network;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.schedulers.Event;
import hocket.schedulers.Rows;
import hocket.schedulers.Schedule;
import hocket.schedulers.ScheduleView;
import hocket.schedulers.Scheduler;
import hocket.schedulers.Source;
import hocket.schedulers.Turn;
import hocket.scopes.Parameters;
import hocket.scopes.Shape;
import hocket.scopes.Streams;
import hocket.scopes.Tensor;

/**
 * A custom schedule: a small GAN on a ring of points that trains the side that loses.
 *
 * <p>{@code examples/run CustomSchedule}: prints the number of turns of each side, in two seconds.
 */
public final class CustomSchedule {
    private CustomSchedule() {}

    /** Trains the side that loses, at most {@code patience} turns in a row. */
    record Balance(double band, int patience) implements Schedule<Balance.Streak> {
        /** The last turn and its number of repetitions. */
        record Streak(String turn, int length) {}

        @Override
        public Streak start() {
            return new Streak("d", 0);
        }

        @Override
        public Choice<Streak> next(Streak s, ScheduleView view) {
            String want = view.average("d/loss", 50).orElse(Double.POSITIVE_INFINITY) < band ? "g" : "d";
            if (want.equals(s.turn()) && s.length() >= patience) {
                want = want.equals("g") ? "d" : "g";
            }
            return new Choice<>(want, want.equals(s.turn()) ? new Streak(want, s.length() + 1) : new Streak(want, 1));
        }
    }

    /** The number of turns of each side, and of changes between them. */
    record Result(long discriminator, long generator, long changes) {}

    public static void main(String[] args) {
        System.out.println(run(args.length > 0 ? Integer.parseInt(args[0]) : 2000));
    }

    static Result run(int rounds) {
        Graph graph = new Graph();
        Value noise = graph.noise("noise", Shape.of(8));
        Value real = graph.input("point", Shape.of(2));
        Value fake;
        try (var generator = graph.module("generator")) {
            fake = graph.name("point", dense("out", relu(dense("h", noise, 64)), 2));
        }
        Network<Value, Value> discriminator =
                graph.module("discriminator", x -> dense("logit", leakyRelu(dense("h", x, 64), 0.2), 1));
        GanLoss loss = GanLoss.nonSaturating();
        var d = Turn.of("d", Program.compile("d_step", TRAIN, loss.discriminator(discriminator, real, fake)))
                .updates("discriminator/**", adam(1e-3).beta1(0.5));
        var g = Turn.of("g", Program.compile("g_step", TRAIN, loss.generator(discriminator, fake)))
                .updates("generator/**", adam(1e-3).beta1(0.5));
        long[] counts = new long[3];
        String[] last = {""};
        try (Parameters parameters = Parameters.initialise(graph.declarations(), seed(7));
                Scheduler scheduler = Scheduler.over(parameters)) {
            scheduler
                    .plan(choose(new Balance(1.2, 10), d, g))
                    .feed(ring(1024), EACH_TURN)
                    .listen(Event.Descended.class, turn -> {
                        counts[turn.turn().equals("d") ? 0 : 1]++;
                        counts[2] += turn.turn().equals(last[0]) ? 0 : 1;
                        last[0] = turn.turn();
                    })
                    .run(rounds(rounds));
        }
        return new Result(counts[0], counts[1], counts[2]);
    }

    private static Source ring(int count) {
        double[] angles = new double[count];
        Streams.seed(1).at("ring").uniform(0, angles);
        float[] points = new float[2 * count];
        for (int i = 0; i < count; i++) {
            points[2 * i] = (float) StrictMath.cos(2 * Math.PI * angles[i]);
            points[2 * i + 1] = (float) StrictMath.sin(2 * Math.PI * angles[i]);
        }
        return Rows.of("point", Tensor.of(Shape.of(count, 2), points)).batches(64);
    }
}
