package hocket.workbench.testing;

import static hocket.programs.Layers.dense;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.relu;
import static hocket.programs.Operators.scale;
import static hocket.programs.Operators.square;

import hocket.gan.losses.GanLoss;
import hocket.programs.Graph;
import hocket.programs.Loss;
import hocket.programs.Mode;
import hocket.programs.Network;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.schedulers.Columns;
import hocket.schedulers.Rows;
import hocket.schedulers.Run;
import hocket.schedulers.Schedule;
import hocket.schedulers.ScheduleView;
import hocket.schedulers.Source;
import hocket.schedulers.Turn;
import hocket.schedulers.feeds.ForwardingSource;
import hocket.schedulers.flow.FlowContext;
import hocket.schedulers.flow.Startup;
import hocket.schedulers.flow.Step;
import hocket.schedulers.flow.StepResult;
import hocket.schedulers.settings.NetworkDefinition;
import hocket.schedulers.settings.Networks;
import hocket.schedulers.settings.Setting;
import hocket.schedulers.settings.SourceDefinition;
import hocket.schedulers.state.State;
import hocket.scopes.ElementType;
import hocket.scopes.Shape;
import hocket.scopes.Streams;
import hocket.scopes.Tensor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** Small classes for experiment files to name. */
public final class Toys {
    private Toys() {}

    /** A {@link PointGan} whose setting has no help. */
    public record BarePointGan(
            @Setting(usually = "6", least = 1) int width) implements NetworkDefinition {
        @Override
        public Networks build(Columns columns) {
            return new PointGan(width).build(columns);
        }
    }

    /** A {@link PointGan} whose setting is required. */
    public record NeedyPointGan(@Setting int width) implements NetworkDefinition {
        @Override
        public Networks build(Columns columns) {
            return new PointGan(width).build(columns);
        }
    }

    /** A GAN on points in the plane, with a program that measures how far points are from the origin. */
    public record PointGan(
            @Setting(usually = "8", least = 1, help = "units of the hidden layers")
            int width) implements NetworkDefinition {
        @Override
        public Networks build(Columns columns) {
            Graph graph = new Graph();
            Value real = graph.input("point", columns.shape("point"));
            Value noise = graph.noise("noise", Shape.of(3));
            Value fake;
            try (var generator = graph.module("generator")) {
                fake = dense("point", relu(dense("hidden", noise, width)), 2);
            }
            Network<Value, Value> discriminator =
                    graph.module("discriminator", x -> dense("logit", relu(dense("hidden", x, width)), 1));
            GanLoss loss = GanLoss.nonSaturating();
            return Networks.of(
                    graph,
                    Program.compile("discriminator", Mode.TRAIN, loss.discriminator(discriminator, real, fake)),
                    Program.compile("generator", Mode.TRAIN, loss.generator(discriminator, fake)),
                    Program.compile("draw", Mode.EVAL, fake),
                    Program.compile(
                            "distance", Mode.EVAL, Loss.of(mean(square(real))).metric("square", mean(square(real)))));
        }
    }

    /** A loss that is infinite at once. */
    public record Exploding() implements NetworkDefinition {
        @Override
        public Networks build(Columns columns) {
            Graph graph = new Graph();
            Value real = graph.input("point", columns.shape("point"));
            Network<Value, Value> line = graph.module("line", x -> dense("fit", x, 1));
            Value far = scale(line.apply(real), 1e30);
            return Networks.of(graph, Program.compile("fit", Mode.TRAIN, Loss.of(mean(square(far)))));
        }
    }

    /** Networks whose class is wrong. */
    public record Broken(
            @Setting(help = "whether its constructor succeeds, so that only building it fails")
            boolean made) implements NetworkDefinition {
        public Broken {
            if (!made) {
                throw new NullPointerException("nobody at home");
            }
        }

        @Override
        public Networks build(Columns columns) {
            throw new IllegalStateException("no graph today");
        }
    }

    /** Points on a spiral. */
    public record Points(
            @Setting(usually = "96", least = 1, help = "the number of trials")
            int rows) implements SourceDefinition {
        @Override
        public Source open(String name, int batch, boolean shuffled) {
            Rows table = Rows.of("point", Tensor.of(Shape.of(rows, 2), values(rows)));
            return shuffled ? table.batches(name, batch) : table.batchesInOrder(name, batch);
        }

        static float[] values(int rows) {
            float[] values = new float[2 * rows];
            for (int i = 0; i < values.length; i++) {
                values[i] = (i % 7 - 3) / 3f + i / (float) values.length;
            }
            return values;
        }
    }

    /** A source of its own kind, whose column has no name that an input has. */
    public static final class Counting implements Source {
        private final int batch;
        private long next;

        /** @param batch rows a draw */
        public Counting(@Setting(usually = "4", help = "rows of a batch") int batch) {
            this.batch = batch;
        }

        @Override
        public String name() {
            return "counting";
        }

        @Override
        public List<Column> columns() {
            return List.of(new Column("column0", Shape.of(2), ElementType.FLOAT32));
        }

        @Override
        public int batch() {
            return batch;
        }

        @Override
        public int next(Streams streams, Sink sink) {
            ByteBuffer out = sink.column(0, batch);
            for (int i = 0; i < batch && out != null; i++) {
                out.putFloat(next % 5).putFloat(next % 3);
                next++;
            }
            return batch;
        }

        @Override
        public double epoch() {
            return next / 40.0;
        }

        @Override
        public State save() {
            return State.empty().with("next", next);
        }

        @Override
        public void restore(State state) {
            next = state.whole("next");
        }
    }

    /** A source of points of which one draw fails. */
    public record Shaky() implements SourceDefinition {
        /** The number of draws that succeed before the one that fails; none fails if it is negative. */
        public static final AtomicInteger GOOD = new AtomicInteger(-1);

        @Override
        public Source open(String name, int batch, boolean shuffled) {
            return new ForwardingSource(new Points(96).open(name, batch, shuffled)) {
                @Override
                public int next(Streams streams, Sink sink) {
                    if (GOOD.getAndDecrement() == 0) {
                        throw new IllegalStateException("the plug was pulled");
                    }
                    return super.next(streams, sink);
                }
            };
        }
    }

    /** Fails in its third turn. */
    public static final class ThirdTime implements Turn.Action {
        private int times;

        @Override
        public void act(Run run) {
            times++;
            if (times == 3) {
                throw new IllegalStateException("third time unlucky");
            }
        }
    }

    /** Takes several turns of the discriminator, then one of the generator. */
    public record Ratio(
            @Setting(least = 1, help = "turns of the discriminator")
            int turns) implements Schedule<Ratio.Count> {
        /** The number of turns taken so far. */
        public record Count(int count) {}

        @Override
        public Count start() {
            return new Count(0);
        }

        @Override
        public Choice<Count> next(Count state, ScheduleView view) {
            return new Choice<>(state.count() % (turns + 1) < turns ? "d" : "g", new Count(state.count() + 1));
        }
    }

    /** A step that replaces the seed of the run. */
    public record OtherSeed(@Setting(help = "the seed") long seed) implements Step {
        @Override
        public void take(FlowContext context) {
            context.instance(context.instance().seed(seed));
        }
    }

    /** A step that sets every bias of the generator to a number. */
    public record Biased(
            @Setting(usually = "0.25", help = "the number") double bias) implements Step {
        @Override
        public void take(FlowContext context) {
            new Startup(Optional.empty(), Map.of(), true).take(context);
            context.parameters().set("generator/point/bias", bias, bias);
        }
    }

    /** A startup that finds nothing to train. */
    public static final class NothingToDo implements Step {
        @Override
        public void take(FlowContext context) {
            new Startup(Optional.empty(), Map.of(), true).take(context);
            context.status(StepResult.TERMINAL);
        }
    }

    /** A startup that ends the run. */
    public static final class Ending implements Step {
        @Override
        public void take(FlowContext context) {
            new Startup(Optional.empty(), Map.of(), true).take(context);
            context.status(StepResult.END);
        }
    }

    /** Takes turns by hand, in three parts. */
    public static final class ThreeParts implements Step {
        private int part;

        @Override
        public void take(FlowContext context) {
            for (int i = 0; i < 5; i++) {
                context.scheduler().step(context.turn("d"));
            }
            part++;
            context.say("part " + part);
            context.status(part < 3 ? StepResult.AGAIN : StepResult.NEXT);
        }
    }

    /** A step that records a verdict. */
    public static final class Verdict implements Step {
        @Override
        public void take(FlowContext context) {
            try {
                Files.writeString(
                        context.instance().folder().resolve("verdict.txt"),
                        "d took " + context.scheduler().count("d"));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** An action that records the rounds in which it runs. */
    public static final class Noting implements Consumer<Run> {
        /** Rounds that were noted. */
        public static final List<Long> ROUNDS = new java.util.concurrent.CopyOnWriteArrayList<>();

        @Override
        public void accept(Run run) {
            ROUNDS.add(run.position().round());
        }
    }

    /** An action without effect. */
    public static final class Idle implements Turn.Action {
        @Override
        public void act(Run run) {}
    }
}
