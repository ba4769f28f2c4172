package hocket.schedulers;

import static hocket.programs.Layers.dense;
import static hocket.programs.Operators.add;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.multiply;
import static hocket.programs.Operators.softplus;
import static hocket.schedulers.Budget.rounds;
import static hocket.schedulers.Plan.choose;
import static hocket.schedulers.Plan.sequence;
import static hocket.schedulers.Plan.simultaneous;
import static hocket.schedulers.Plan.trial;
import static hocket.schedulers.Plan.until;
import static hocket.schedulers.Plan.when;
import static hocket.schedulers.Resample.EACH_ROUND;
import static hocket.schedulers.Resample.EACH_TURN;
import static hocket.schedulers.Trigger.everyEpochOf;
import static hocket.schedulers.Trigger.everyRounds;
import static hocket.schedulers.optimizers.Optimizers.accumulate;
import static hocket.schedulers.optimizers.Optimizers.adam;
import static hocket.schedulers.optimizers.Optimizers.chain;
import static hocket.schedulers.optimizers.Optimizers.clipByGlobalNorm;
import static hocket.schedulers.optimizers.Optimizers.decay;
import static hocket.schedulers.optimizers.Optimizers.rmsProp;
import static hocket.schedulers.optimizers.Optimizers.sgd;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hocket.programs.Graph;
import hocket.programs.Mode;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.programs.operators.Leaf.Distribution;
import hocket.programs.operators.Leaf.Redraw;
import hocket.schedulers.checkpoint.Checkpoints;
import hocket.schedulers.optimizers.rates.OnPlateauRate;
import hocket.schedulers.optimizers.rates.Rate;
import hocket.schedulers.plans.RandomChoice;
import hocket.schedulers.plans.Trial;
import hocket.schedulers.state.State;
import hocket.schedulers.triggers.After;
import hocket.schedulers.triggers.Any;
import hocket.schedulers.triggers.EveryTurns;
import hocket.schedulers.triggers.Improves;
import hocket.schedulers.triggers.Once;
import hocket.schedulers.triggers.Plateau;
import hocket.scopes.Parameters;
import hocket.scopes.Scope;
import hocket.scopes.Shape;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A run that is stopped at a round's end and goes on in another process is the run that was not. */
@Tag("engine")
class ResumeTest {
    private static final int STOP = 7;
    private static final int END = 20;

    /** What makes a scheduler: graph, plan and sources, built anew for each process. */
    private record Case(String name, Function<Case, Process> process) {
        Process start() {
            return process.apply(this);
        }

        @Override
        public String toString() {
            return name;
        }
    }

    /** Everything of one process. */
    private record Process(Parameters parameters, Scheduler scheduler, List<String> losses) implements AutoCloseable {
        static Process of(Parameters parameters, int threads) {
            Scheduler scheduler = Scheduler.over(parameters, threads);
            List<String> losses = new ArrayList<>();
            scheduler.listen(event -> {
                if (event instanceof Event.Descended turn) {
                    losses.add(turn.at() + " " + turn.turn() + " " + turn.loss() + " " + turn.gradientNorm() + " "
                            + turn.metrics());
                }
            });
            return new Process(parameters, scheduler, losses);
        }

        @Override
        public void close() {
            scheduler.close();
            parameters.close();
        }
    }

    /** Takes turns, and remembers what it saw. */
    private record LookingBack() implements Schedule<LookingBack.Seen> {
        record Seen(double average, double drawn) {}

        @Override
        public Seen start() {
            return new Seen(0, 0);
        }

        @Override
        public Choice<Seen> next(Seen seen, ScheduleView view) {
            double[] drawn = new double[1];
            view.random().uniform(view.step(), drawn);
            Seen now = new Seen(view.average("d/loss", 1000).orElse(seen.drawn()), drawn[0]);
            return new Choice<>(view.step() % 2 == 0 ? "d" : "g", now);
        }
    }

    private static Source images() {
        return Toy.rows("image", 42, 4).batches(8);
    }

    private static Process gan(long seed, int threads, Function<Toy.Gan, Plan> plan, Resample resample) {
        Toy.Gan gan = Toy.gan();
        Process process = Process.of(gan.parameters(seed), threads);
        process.scheduler.plan(plan.apply(gan)).feed(images(), resample);
        return process;
    }

    static Stream<Case> cases() {
        return Stream.of(
                new Case("an average", c -> gan(7, 1, gan -> sequence(gan.d(), gan.g(), gan.ema()), EACH_TURN)),
                new Case("a schedule", c -> gan(7, 1, gan -> choose(new Balance(1.3, 3), gan.d(), gan.g()), EACH_TURN)),
                new Case(
                        "a schedule that looks back",
                        c -> gan(7, 1, gan -> choose(new LookingBack(), gan.d(), gan.g()), EACH_TURN)),
                new Case("repeats", c -> gan(7, 1, gan -> sequence(gan.d().times(5), gan.g()), EACH_TURN)),
                new Case(
                        "rows of a round",
                        c -> gan(7, 1, gan -> sequence(gan.d().times(5), gan.g()), EACH_ROUND)),
                new Case(
                        "a trial whose gradients move from its start",
                        c -> gan(
                                7,
                                1,
                                gan -> sequence(trial(simultaneous(gan.d(), gan.g()), gan.d(), gan.g()), gan.ema()),
                                EACH_TURN)),
                new Case(
                        "a trial of one sample",
                        c -> gan(
                                7,
                                1,
                                gan -> new Trial(
                                        simultaneous(gan.d(), gan.g()), List.of(gan.d(), gan.g()), 2, 0, true, false),
                                EACH_TURN)),
                new Case(
                        "a trial whose slots stay",
                        c -> gan(
                                7,
                                1,
                                gan -> new Trial(
                                        simultaneous(gan.d(), gan.g()), List.of(gan.d(), gan.g()), 1, 0, false, true),
                                EACH_TURN)),
                new Case(
                        "part of a trial's way",
                        c -> gan(7, 1, gan -> trial(sequence(gan.d(), gan.g()).times(3), 0.5), EACH_TURN)),
                new Case(
                        "a trial in a trial that goes back",
                        c -> gan(
                                7,
                                1,
                                gan -> sequence(
                                        trial(sequence(gan.g(), trial(gan.d().times(2), 0.3), gan.g()), 0), gan.d()),
                                EACH_ROUND)),
                new Case(
                        "conditions",
                        c -> gan(
                                7,
                                1,
                                gan -> sequence(
                                        until(new Plateau("d/loss", Improves.Better.LEAST, 1, 0, 3), gan.d(), 4),
                                        when(new Any(List.of(new EveryTurns(7), new Once(new After(5)))), gan.g())),
                                EACH_TURN)),
                new Case(
                        "chance",
                        c -> gan(
                                7, 1, gan -> new RandomChoice(Map.of("d", 2.0), List.of(gan.d(), gan.g())), EACH_TURN)),
                new Case("an accumulation window, clipped, with decay and a rate that waits", c -> accumulated()),
                new Case("turns together", c -> gan(7, 1, gan -> simultaneous(gan.d(), gan.g()), EACH_TURN)),
                new Case("two threads", c -> gan(7, 2, gan -> sequence(gan.d(), gan.g(), gan.ema()), EACH_TURN)),
                new Case("a carried state", c -> carried(turn -> turn)),
                new Case(
                        "a carried state in a trial that goes part of its way",
                        c -> carried(turn -> trial(turn.times(2), 0.5))),
                new Case(
                        "a penalty by the optimizer of another turn",
                        c -> penalty(turns ->
                                sequence(turns.get(0), when(new Trigger.EveryRounds(2), turns.get(1)), turns.get(2)))),
                new Case(
                        "a penalty by the optimizer of another turn in a trial of its own",
                        c -> penalty(turns ->
                                sequence(turns.get(0), trial(turns.get(1).times(2), 0.5), turns.get(2)))),
                new Case("a schedule that sets what a program reads", c -> set()),
                new Case("two sources and every rule", c -> twoSources()));
    }

    /** A discriminator, a penalty by its optimizer that does not reach its last bias, and a generator. */
    private static Process penalty(Function<List<Turn.Descend>, Plan> plan) {
        Toy.Gan gan = Toy.gan();
        Turn.Descend penalty = Turn.of("penalty", Toy.decay(gan)).withOptimizerOf(gan.d());
        Process process = Process.of(gan.parameters(7), 1);
        process.scheduler
                .plan(plan.apply(List.of(gan.d(), penalty, gan.g())))
                .feed(Toy.rows("image", 42, 4).batches(8), EACH_TURN);
        return process;
    }

    private static Process set() {
        StoredSettingsTest.Line line = new StoredSettingsTest.Line();
        Process process = Process.of(Toy.store(line.graph(), 7), 1);
        process.scheduler
                .plan(choose(new StoredSettingsTest.Halving(), line.fit()))
                .feed(line.rows(), EACH_TURN);
        return process;
    }

    private static Process carried(Function<Turn.Descend, Plan> plan) {
        CarriedStatesTest.Memory memory = new CarriedStatesTest.Memory();
        Process process = Process.of(Toy.store(memory.graph(), 7), 1);
        process.scheduler.plan(plan.apply(memory.turn())).feed(memory.rows(), EACH_TURN);
        return process;
    }

    private static Process accumulated() {
        Toy.Gan gan = Toy.gan();
        Turn.Descend d = Turn.of("d", gan.d().program())
                .updates(
                        "discriminator/**",
                        chain(
                                accumulate(3),
                                clipByGlobalNorm(0.1),
                                adam(1e-2).rate(new OnPlateauRate(Rate.constant(1e-2), "d/loss", 2, 1, 0.5, 0, 0)),
                                decay(1e-2)));
        Process process = Process.of(gan.parameters(7), 1);
        process.scheduler.plan(sequence(d, gan.g())).feed(images(), EACH_TURN);
        return process;
    }

    /** Two turns, each with a source of its own, noise of the round, and rules with none, one and two slots. */
    private static Process twoSources() {
        Graph graph = new Graph();
        Value a = graph.input("a", Shape.of(3));
        Value b = graph.input("b", Shape.of(2));
        Value noise = graph.noise("noise", Shape.of(4), new Distribution.Uniform(-1, 1), Redraw.EACH_ROUND);
        Value left;
        Value right;
        try (Scope<Value> net = graph.module("net")) {
            left = dense("a", a, 4);
            right = dense("b", b, 4);
        }
        Turn.Descend first = Turn.of(
                        "first", Program.compile("first", Mode.TRAIN, mean(softplus(multiply(left, noise)))))
                .updates("net/a/weight", sgd(0.1).momentum(0.9))
                .updates("net/a/bias", sgd(0.1));
        Turn.Descend second = Turn.of(
                        "second", Program.compile("second", Mode.TRAIN, mean(softplus(add(right, noise)))))
                .updates("net/b/weight", rmsProp(1e-2))
                .updates("net/b/bias", chain(clipByGlobalNorm(0.01), adam(1e-2)));
        Process process = Process.of(Toy.store(graph, 7), 1);
        process.scheduler
                .plan(sequence(first, second.times(2)))
                .feed(Toy.rows("a", 30, 3).batches(4), EACH_ROUND)
                .feed(Toy.rows("b", 50, 2).batches(6), EACH_TURN);
        return process;
    }

    @ParameterizedTest
    @MethodSource("cases")
    void aResumedRunIsTheWholeRunToTheBit(Case run, @TempDir Path folder) throws IOException {
        try (Process whole = run.start();
                Process begun = run.start();
                Process resumed = run.start()) {
            whole.scheduler.run(rounds(END));

            begun.scheduler.saveTo(folder).on(everyRounds(STOP), Run::save);
            begun.scheduler.run(rounds(STOP));
            resumed.scheduler.resumeFrom(folder);
            assertThat(resumed.scheduler.save()).isEqualTo(begun.scheduler.save());
            resumed.scheduler.run(rounds(END));

            assertThat(resumed.parameters.digest()).isEqualTo(whole.parameters.digest());
            assertThat(resumed.scheduler.save()).isEqualTo(whole.scheduler.save());
            List<String> both = new ArrayList<>(begun.losses);
            both.addAll(resumed.losses);
            assertThat(both).isEqualTo(whole.losses);
        }
    }

    @ParameterizedTest
    @MethodSource("cases")
    void aRunGoesOnFromBetweenAnyTwoTurns(Case run) {
        try (Process whole = run.start();
                Process resumed = run.start()) {
            for (int turn = 0; turn < 30; turn++) {
                State saved = whole.scheduler.save();
                resumed.scheduler.restore(saved);
                assertThat(resumed.scheduler.save()).isEqualTo(saved);
                assertThat(resumed.scheduler.place()).isEqualTo(whole.scheduler.place());
                whole.scheduler.proceed();
                resumed.scheduler.proceed();
                assertThat(resumed.scheduler.save()).isEqualTo(whole.scheduler.save());
            }
            try (Process fresh = run.start()) {
                fresh.scheduler.restore(whole.scheduler.save());
                fresh.scheduler.run(rounds(END));
                whole.scheduler.run(rounds(END));
                assertThat(fresh.scheduler.save()).isEqualTo(whole.scheduler.save());
            }
        }
    }

    @ParameterizedTest
    @MethodSource("cases")
    void aRunGoesBackInItsOwnProcessAndComesOutTheSame(Case run) {
        try (Process one = run.start()) {
            one.scheduler.run(rounds(STOP));
            State saved = one.scheduler.save();
            one.scheduler.run(rounds(END));
            State end = one.scheduler.save();
            for (int goneOn : new int[] {END, STOP + 1}) {
                one.scheduler.restore(saved);
                one.scheduler.run(rounds(goneOn));
                one.scheduler.restore(saved);
                assertThat(one.scheduler.save()).isEqualTo(saved);
                one.scheduler.run(rounds(END));
                assertThat(one.scheduler.save()).isEqualTo(end);
            }
        }
    }

    @Test
    void triggersOfAResumedRunFireAsInTheWholeRun(@TempDir Path folder) throws IOException {
        try (Process whole = gan(7, 1, Toy.Gan::d, EACH_TURN);
                Process resumed = gan(7, 1, Toy.Gan::d, EACH_TURN)) {
            List<Long> fired = new ArrayList<>();
            List<Long> after = new ArrayList<>();
            whole.scheduler
                    .saveTo(folder)
                    .on(everyEpochOf("image"), run -> fired.add(run.position().round()))
                    .on(everyRounds(STOP), run -> {
                        if (run.position().round() == STOP) {
                            run.save();
                        }
                    });
            whole.scheduler.run(rounds(END));
            resumed.scheduler.on(
                    everyEpochOf("image"), run -> after.add(run.position().round()));
            resumed.scheduler.resumeFrom(folder);
            resumed.scheduler.run(rounds(END));
            assertThat(fired).containsExactly(5L, 10L, 15L, 20L);
            assertThat(after).containsExactly(10L, 15L, 20L);
        }
    }

    @Test
    void theSameSeedTwiceIsTheSameAfter200RoundsAndAnotherIsNot() {
        String[] digests = new String[3];
        for (int i = 0; i < 3; i++) {
            try (Process process = gan(i == 2 ? 8 : 7, 2, gan -> sequence(gan.d(), gan.g(), gan.ema()), EACH_TURN)) {
                process.scheduler.run(rounds(200));
                digests[i] = process.parameters.digest();
            }
        }
        assertThat(digests[1]).isEqualTo(digests[0]);
        assertThat(digests[2]).isNotEqualTo(digests[0]);
    }

    @Test
    void whatIsSavedWaitsForThePlanAndTheSourcesThatComeLater() {
        Function<Toy.Gan, Plan> plan = gan -> choose(new Balance(1.3, 3), gan.d(), gan.g());
        try (Process whole = gan(7, 1, plan, EACH_TURN)) {
            whole.scheduler.run(rounds(STOP));
            State saved = whole.scheduler.save();
            whole.scheduler.run(rounds(END));
            Toy.Gan gan = Toy.gan();
            try (Parameters parameters = gan.parameters(7);
                    Scheduler later = Scheduler.over(parameters, 1)) {
                later.restore(saved);
                assertThat(later.save()).isEqualTo(saved);
                later.plan(plan.apply(gan)).feed(images(), EACH_TURN);
                assertThat(later.save()).isEqualTo(saved);
                later.run(rounds(END));
                assertThat(later.save()).isEqualTo(whole.scheduler.save());
            }
        }
    }

    @Test
    void aLoopOfOnesOwnGoesOnToo() {
        Toy.Gan gan = Toy.gan();
        try (Parameters one = gan.parameters(7);
                Parameters two = gan.parameters(7);
                Scheduler whole = Scheduler.over(one, 1);
                Scheduler resumed = Scheduler.over(two, 1)) {
            Source images = images();
            for (int i = 0; i < 4; i++) {
                whole.step(gan.d(), images);
                whole.step(gan.g());
            }
            State saved = whole.save();
            whole.step(gan.d(), images);
            whole.step(gan.g());
            resumed.restore(saved);
            resumed.step(gan.d(), images());
            resumed.step(gan.g());
            assertThat(resumed.save()).isEqualTo(whole.save());
        }
    }

    @Test
    void goingBackToBeforeATurnAndASourceCameStartsThemAnew() {
        Toy.Gan gan = Toy.gan();
        try (Parameters parameters = gan.parameters(7);
                Scheduler scheduler = Scheduler.over(parameters, 1)) {
            State nothing = scheduler.save();
            Source images = images();
            scheduler.step(gan.d(), images);
            scheduler.step(gan.d(), images);
            State twice = scheduler.save();
            scheduler.restore(nothing);
            assertThat(scheduler.average("d/loss", 5)).isEmpty();
            assertThat(images.epoch()).isZero();
            scheduler.step(gan.d(), images);
            scheduler.step(gan.d(), images);
            assertThat(scheduler.save()).isEqualTo(twice);
        }
    }

    @Test
    void aTurnThatFailedIsNotSaved() {
        try (Process process = gan(
                7,
                1,
                gan -> sequence(gan.d(), Turn.act("fail", run -> {
                    throw new IllegalStateException("as told");
                })),
                EACH_TURN)) {
            assertThatThrownBy(() -> process.scheduler.run(rounds(1))).hasMessage("as told");
            assertThatThrownBy(process.scheduler::save)
                    .hasMessage("a turn of round 0 was left unfinished by an error, and a run is saved between turns");
            assertThatThrownBy(() -> process.scheduler.run(rounds(1)))
                    .hasMessage("an error left the last turn half done: call restore(…) first");
        }
    }

    @Test
    void aRunNeedsAFolderToSaveIn() {
        try (Process process = gan(7, 1, Toy.Gan::d, EACH_TURN)) {
            process.scheduler.on(everyRounds(1), Run::save);
            assertThatThrownBy(() -> process.scheduler.run(rounds(1)))
                    .hasMessage("no folder is set: call scheduler.saveTo(folder) first");
        }
    }

    private static void assertRefused(Process process, State state, String message) {
        State before = process.scheduler.save();
        assertThatThrownBy(() -> process.scheduler.restore(state))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
        assertThat(process.scheduler.save()).isEqualTo(before);
    }

    @Test
    void aStateOfAnotherRunIsRefusedAndChangesNothing() {
        Function<Toy.Gan, Plan> plan = gan -> sequence(gan.d(), gan.g());
        try (Process here = gan(7, 1, plan, EACH_TURN);
                Process otherSeed = gan(8, 1, plan, EACH_TURN);
                Process otherPlan = gan(7, 1, gan -> sequence(gan.d().times(2), gan.g()), EACH_TURN);
                Process otherSource = gan(7, 1, plan, EACH_TURN)) {
            here.scheduler.run(rounds(2));
            otherSeed.scheduler.run(rounds(3));
            otherPlan.scheduler.run(rounds(3));
            otherSource.scheduler.run(rounds(3));
            assertRefused(here, otherSeed.scheduler.save(), "the saved state is of seed 8, this run has seed 7");
            assertRefused(
                    here,
                    otherPlan.scheduler.save(),
                    "the saved state is of plan sequence(d × 2, g), this run has plan sequence(d, g)");
            State good = otherSource.scheduler.save();
            assertRefused(here, good.with("format", 1), "the saved state has format 1, this version reads 4");
            assertRefused(
                    here,
                    good.with(
                            "sources",
                            State.empty().with("pictures", good.state("sources").state("image"))),
                    "the saved state has no source image; there is: pictures");
            assertRefused(
                    here,
                    good.without("history"),
                    "the saved state lacks history; there is: cursor, step, phase, rings, rows, seed, triggers and 8 more");
            State cursor = good.state("sources").state("image");
            assertRefused(
                    here,
                    good.with("sources", State.empty().with("image", cursor.with("batch", 4))),
                    "source image was saved with batches of 4 from 42 rows, here it has batches of 8 from 42");
            assertRefused(
                    here,
                    good.with("sources", State.empty().with("image", cursor.with("cursor", 41))),
                    "source image: the saved cursor is row 41 of 42 in epoch 0");
            assertRefused(
                    here,
                    good.with("parameters", good.state("parameters").without("generator/in/bias")),
                    "the saved state lacks generator/in/bias; did you mean generator/out/bias?");
            State d = good.state("turns").state("d");
            assertRefused(
                    here,
                    good.with("turns", good.state("turns").with("d", d.with("discriminator/in/bias/velocity", 1.0))),
                    "turn d: slot discriminator/in/bias/velocity was saved, which its rules do not keep here");
        }
    }

    @Test
    void aStateOfAnotherArchitectureIsRefusedAndChangesNothing() {
        Toy.Gan wide = Toy.gan(6);
        try (Process here = gan(7, 1, gan -> sequence(gan.d(), gan.g()), EACH_TURN);
                Parameters parameters = wide.parameters(7);
                Scheduler other = Scheduler.over(parameters, 1)) {
            here.scheduler.run(rounds(2));
            other.plan(sequence(wide.d(), wide.g())).feed(images(), EACH_TURN).run(rounds(1));
            State state = other.save();
            State before = here.scheduler.save();
            assertThatThrownBy(() -> here.scheduler.restore(state))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("discriminator/in/bias")
                    .hasMessageContaining("(5)")
                    .hasMessageContaining("(6)");
            assertThat(here.scheduler.save()).isEqualTo(before);
        }
    }

    @Test
    void aCheckpointOfAnotherRunIsRefusedNamingTheFolder(@TempDir Path folder) {
        try (Process here = gan(7, 1, Toy.Gan::d, EACH_TURN);
                Process other = gan(8, 1, Toy.Gan::d, EACH_TURN)) {
            Checkpoints.write(folder, 1, other.scheduler.save());
            assertThatThrownBy(() -> here.scheduler.resumeFrom(folder))
                    .hasMessage(folder + " cannot be resumed here: the saved state is of seed 8, this run has seed 7");
        }
    }
}
