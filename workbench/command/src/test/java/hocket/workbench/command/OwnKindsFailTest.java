package hocket.workbench.command;

import static hocket.workbench.command.OwnClasses.RING;
import static hocket.workbench.command.OwnClasses.ringWith;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is said where a class of the user's own fails, gives null or does not fit: which class, and where. */
@Tag("engine")
class OwnKindsFailTest {
    @TempDir
    Path here = Path.of("");

    private Path jar(String... sources) throws IOException {
        return OwnClasses.jar(here, sources);
    }

    private Ran hocket(String... arguments) {
        return Ran.hocket(here, arguments);
    }

    /** Kinds of one's own whose memory is not sure to come back: a name, its source, where it goes, what is said. */
    private enum Forgetful {
        OPTIONAL("""
                import hocket.schedulers.*;
                import java.util.Optional;

                public record Forgetful() implements Schedule<Forgetful.Seen> {
                    public record Seen(Optional<Double> last) {}
                    public Seen start() { return new Seen(Optional.empty()); }
                    public Choice<Seen> next(Seen seen, ScheduleView view) { return new Choice<>("d", seen); }
                }
                """, "plan: {choose: {class: Forgetful}, of: [d, g]}", "Seen.last is a java.util.Optional"),
        SEALED("""
                import hocket.schedulers.*;

                public record Forgetful() implements Condition<Forgetful.Seen> {
                    public sealed interface Side permits Left, Right {}
                    public record Left(int count) implements Side {}
                    public record Right() implements Side {}
                    public record Seen(Side side) {}
                    public Seen start() { return new Seen(new Left(0)); }
                    public Look<Seen> look(Seen seen, ScheduleView view) { return new Look<>(true, new Seen(new Right())); }
                }
                """, "plan: {when: {class: Forgetful}, of: {sequence: [d, g]}}", "Seen.side is a Forgetful$Side"),
        TRIGGER("""
                import hocket.schedulers.*;

                public record Forgetful() implements Condition<Forgetful.Seen> {
                    public record Seen(java.util.Random random) {}
                    public Seen start() { return new Seen(new java.util.Random(7)); }
                    public Look<Seen> look(Seen seen, ScheduleView view) { return new Look<>(seen.random().nextBoolean(), seen); }
                }
                """, "on: [{every: {class: Forgetful}, do: [save]}]", "Seen.random is a java.util.Random"),
        OBJECT("""
                import hocket.schedulers.*;
                import hocket.schedulers.settings.Setting;
                import java.util.List;

                public record Forgetful(@Setting(help = "the parts") List<Plan> of) implements Node<Forgetful.At> {
                    public record At(Object share) {}
                    public List<Plan> parts() { return of; }
                    public Plan with(List<Plan> parts) { return new Forgetful(parts); }
                    public At start() { return new At(0.5f); }
                    public Move<At> next(At at, ScheduleView view) { return Move.end(at); }
                    public String at(At at) { return "forgetful"; }
                }
                """, "plan: {class: Forgetful, of: [d, g]}", "At.share is a java.lang.Object"),
        GETTER(
                """
                import hocket.schedulers.optimizers.*;
                import hocket.schedulers.optimizers.rates.MetricRate;
                import hocket.schedulers.optimizers.rates.TrainingProgress;

                public record Forgetful() implements MetricRate<Forgetful.Seen> {
                    public static final class Counter { public int getCount() { return 1; } }
                    public record Seen(Counter counter) {}
                    public String watches() { return "d/loss"; }
                    public Seen start() { return new Seen(new Counter()); }
                    public Seen next(Seen seen, double value) { return seen; }
                    public double at(Seen seen, TrainingProgress progress) { return 1e-3; }
                }
                """,
                "turns: {d: {updates: {\"discriminator/**\": {adam: {rate: {class: Forgetful}}}}}}",
                "Seen.counter is a Forgetful$Counter");

        private final String source;
        private final String use;
        private final String said;

        Forgetful(String source, String use, String said) {
            this.source = source;
            this.use = use;
            this.said = said;
        }
    }

    @ParameterizedTest
    @EnumSource
    void whatCannotBeSavedIsRefusedByNameBeforeTheFirstTurn(Forgetful kind) throws IOException {
        String jar = jar(kind.source).toString();
        Files.writeString(here.resolve("own.yaml"), ringWith(kind.use));
        for (String command : List.of("plan", "run")) {
            Ran ran = hocket(command, "own.yaml", "--classpath", jar);
            assertThat(ran.status()).as(ran.err()).isEqualTo(2);
            assertThat(ran.errLines().get(0)).matches(".*own.yaml:[0-9]+:.*").contains("Forgetful", "cannot be saved");
            assertThat(ran.err()).contains(kind.said).doesNotContain("\tat ");
        }
        assertThat(here.resolve("runs")).doesNotExist();
    }

    /** Kinds of one's own that give null, or throw: source, where it goes, whether before the first turn, what is said. */
    private enum Bad {
        NEXT(
                """
                public record Bad() implements Schedule<Bad.Seen> {
                    public record Seen() {}
                    public Seen start() { return new Seen(); }
                    public Choice<Seen> next(Seen seen, ScheduleView view) { return null; }
                }
                """,
                "plan: {choose: {class: Bad}, of: [d, g]}",
                true,
                "plan: phase train fails in round 0: class Bad: next() gave null"),
        NEXT_LATER(
                """
                public record Bad() implements Schedule<Bad.Seen> {
                    public record Seen() {}
                    public Seen start() { return new Seen(); }
                    public Choice<Seen> next(Seen seen, ScheduleView view) {
                        view.average("d/loss", 1);
                        return view.round() == 2 ? null : new Choice<>("d", seen);
                    }
                }
                """,
                "plan: {sequence: [{choose: {class: Bad}, of: [d, g]}, g]}",
                false,
                "round 2: class Bad: next() gave null"),
        START("""
                public record Bad() implements Schedule<Bad.Seen> {
                    public record Seen() {}
                    public Seen start() { return null; }
                    public Choice<Seen> next(Seen seen, ScheduleView view) { return new Choice<>("d", seen); }
                }
                """, "plan: {choose: {class: Bad}, of: [d, g]}", true, "class Bad: start() gave null"),
        MEMORY("""
                public record Bad() implements Schedule<Bad.Seen> {
                    public record Seen() {}
                    public Seen start() { return new Seen(); }
                    public Choice<Seen> next(Seen seen, ScheduleView view) { return new Choice<>("d", null); }
                }
                """, "plan: {choose: {class: Bad}, of: [d, g]}", true, "class Bad: next() returned null as its memory"),
        LOOK("""
                public record Bad() implements Condition<Bad.Seen> {
                    public record Seen() {}
                    public Seen start() { return new Seen(); }
                    public Look<Seen> look(Seen seen, ScheduleView view) { return null; }
                }
                """, "plan: {sequence: [d, {when: {class: Bad}, of: g}]}", true, "class Bad: look() gave null"),
        LOOK_BESIDE("""
                public record Bad() implements Condition<Bad.Seen> {
                    public record Seen() {}
                    public Seen start() { return new Seen(); }
                    public Look<Seen> look(Seen seen, ScheduleView view) {
                        view.average("d/loss", 1);
                        return view.round() == 3 ? null : new Look<>(false, seen);
                    }
                }
                """, "on: [{every: {class: Bad}, do: [save]}]", false, "round 3: class Bad: look() gave null"),
        MOVE("""
                public record Bad(@Setting(help = "the parts") java.util.List<Plan> of) implements Node<Bad.At> {
                    public record At() {}
                    public java.util.List<Plan> parts() { return of; }
                    public Plan with(java.util.List<Plan> parts) { return new Bad(parts); }
                    public At start() { return new At(); }
                    public Move<At> next(At at, ScheduleView view) { return null; }
                }
                """, "plan: {class: Bad, of: [d, g]}", true, "class Bad: next() gave null"),
        SLOTS("""
                public record Bad() implements hocket.schedulers.optimizers.GradientTransformation {
                    public java.util.List<hocket.schedulers.optimizers.Slot> slots() { return null; }
                    public void update(hocket.schedulers.optimizers.kernels.Chunk chunk) {}
                }
                """, "turns: {d: {updates: {\"discriminator/**\": {class: Bad}}}}", true, "class Bad: slots() gave null"),
        WATCHED(
                """
                public record Bad() implements hocket.schedulers.optimizers.rates.MetricRate<Bad.Seen> {
                    public record Seen() {}
                    public String watches() { return "d/loss"; }
                    public Seen start() { return null; }
                    public Seen next(Seen seen, double value) { return seen; }
                    public double at(Seen seen, hocket.schedulers.optimizers.rates.TrainingProgress progress) { return 1e-3; }
                }
                """,
                "turns: {d: {updates: {\"discriminator/**\": {adam: {rate: {class: Bad}}}}}}",
                true,
                "class Bad: start() gave null"),
        ACTION(
                """
                public class Bad implements Turn.Action, Stateful {
                    private boolean acted;
                    public void act(Run run) { acted = true; }
                    public State save() { return acted ? null : State.empty(); }
                    public void restore(State state) {}
                }
                """,
                "turns: {act: {act: {class: Bad}}}\nplan: {sequence: [d, g, act]}",
                false,
                "class Bad: save() gave null"),
        EVALUATION("""
                public record Bad() implements EvaluationDefinition {
                    public Evaluation build(Networks networks, java.util.Map<String, Source> sources) { return null; }
                }
                """, "evaluation: {class: Bad}", true, "evaluation: class Bad: build() gave null"),
        REFUSAL(
                """
                public record Bad() implements Schedule<Bad.Seen> {
                    public record Seen() {}
                    public Seen start() { return new Seen(); }
                    public Choice<Seen> next(Seen seen, ScheduleView view) { throw new IllegalStateException("boo"); }
                }
                """,
                "plan: {choose: {class: Bad}, of: [d, g]}",
                true,
                "plan: phase train fails in round 0: class Bad failed: java.lang.IllegalStateException: boo"),
        ASSERTION(
                """
                public record Bad() implements Schedule<Bad.Seen> {
                    public record Seen() {}
                    public Seen start() { return new Seen(); }
                    public Choice<Seen> next(Seen seen, ScheduleView view) { throw new AssertionError("boo"); }
                }
                """,
                "plan: {choose: {class: Bad}, of: [d, g]}",
                true,
                "plan: phase train fails in round 0: class Bad failed: java.lang.AssertionError: boo"),
        RING("""
                public record Bad() implements Ring {
                    public void round(Run run, Next next) {
                        next.proceed();
                        if (run.position().round() == 4) {
                            throw new AssertionError("boo");
                        }
                    }
                }
                """, "rings: [{class: Bad}]", false, "round 4: class Bad failed: java.lang.AssertionError: boo"),
        UNCHECKED(
                """
                public record Bad() implements Ring {
                    public void due(Run run) {
                        throw new java.io.UncheckedIOException(new java.io.IOException("boo"));
                    }
                    public java.util.Optional<Trigger> trigger() {
                        return java.util.Optional.of(Trigger.everyRounds(4));
                    }
                }
                """,
                "rings: [{class: Bad}]",
                false,
                "round 4: class Bad failed: java.io.UncheckedIOException: java.io.IOException: boo"),
        HIDDEN("""
                public record Bad() implements Ring {
                    public void heard(Run run, Event event) {
                        if (event instanceof Event.RoundEnded) {
                            Bad.<RuntimeException>hidden(new Exception("boo"));
                        }
                    }
                    @SuppressWarnings("unchecked")
                    private static <T extends Throwable> void hidden(Throwable e) throws T {
                        throw (T) e;
                    }
                }
                """, "rings: [{class: Bad}]", false, "round 1: class Bad failed: java.lang.Exception: boo"),
        USUAL(
                """
                public record Bad(@Setting(usually = "abc", help = "a number") double wrong) implements Ring {}
                """,
                "rings: [{class: Bad}]",
                true,
                "rings/0: class Bad: the usual value of wrong must be a finite number, was abc");

        private final String source;
        private final String use;
        private final boolean isRefused;
        private final String said;

        Bad(String source, String use, boolean isRefused, String said) {
            this.source =
                    "import hocket.schedulers.*;\nimport hocket.schedulers.settings.*;\nimport hocket.schedulers.state.*;\nimport hocket.schedulers.evaluation.*;\n"
                            + source;
            this.use = use;
            this.isRefused = isRefused;
            this.said = said;
        }
    }

    @ParameterizedTest
    @EnumSource
    void aClassThatGivesNullOrThrowsIsNamedWithWhatItDid(Bad bad) throws IOException {
        String jar = jar(bad.source).toString();
        Files.writeString(here.resolve("own.yaml"), ringWith(bad.use));
        if (bad.isRefused) {
            Ran plan = hocket("plan", "own.yaml", "--classpath", jar);
            assertThat(plan.err()).contains(bad.said).doesNotContain("\tat ");
            assertThat(plan.err()).contains(bad == Bad.EVALUATION ? "own.yaml:6:" : "own.yaml:7:");
            assertThat(plan.status()).isEqualTo(2);
        }
        Ran run = hocket("run", "own.yaml", "--classpath", jar, "--out", "run");
        assertThat(run.err()).contains(bad.said).doesNotContain("\tat ");
        assertThat(run.status()).isEqualTo(bad.isRefused ? 2 : 1);
    }

    @Test
    void scoresThatAreNullAreMissedByName() throws IOException {
        String jar = jar("""
                import hocket.schedulers.*;
                import hocket.schedulers.evaluation.Evaluation;
                import hocket.schedulers.settings.EvaluationDefinition;
                import hocket.schedulers.settings.Networks;

                public record Judge() implements EvaluationDefinition {
                    public Evaluation build(Networks networks, java.util.Map<String, Source> sources) {
                        return parameters -> null;
                    }
                }
                """).toString();
        Files.writeString(here.resolve("own.yaml"), ringWith("evaluation: {class: Judge}"));
        Ran run = hocket("run", "own.yaml", "--classpath", jar, "--out", "run");
        assertThat(run.status()).as(run.err()).isEqualTo(1);
        assertThat(run.err()).contains("hocket: no scores: class Judge: scores() gave null; log.txt says where");
        Ran eval = hocket("eval", "run");
        assertThat(eval.status()).isEqualTo(1);
        assertThat(eval.err()).contains("hocket: class Judge: scores() gave null");
    }

    @Test
    void aRingThatCannotGoBackIsNamed() throws IOException {
        String ring = """
                import hocket.schedulers.*;
                import hocket.schedulers.state.State;
                import hocket.schedulers.state.Stateful;

                public class Going implements Ring, Stateful {
                    public State save() { return State.empty().with("at", 1); }
                    public void restore(State state) { state.whole("at"); }
                }
                """;
        Files.writeString(here.resolve("own.yaml"), RING + "rings: [{class: Going}]\n");
        Ran run = hocket("run", "own.yaml", "--classpath", jar(ring).toString(), "--out", "run");
        assertThat(run.status()).as(run.err()).isZero();
        for (String[] bad : new String[][] {
            {"throw new UnsupportedOperationException();", "java.lang.UnsupportedOperationException", "1"},
            {"state.whole(\"nowhere\");", "", "2"}
        }) {
            String jar = jar(ring.replace("state.whole(\"at\");", bad[0])).toString();
            Ran again = hocket("run", "own.yaml", "--classpath", jar, "--resume", "--out", "run");
            assertThat(again.err())
                    .contains("ring going: class Going could not be restored: " + bad[1])
                    .doesNotContain("\tat ", "IllegalArgumentException");
            assertThat(again.status()).isEqualTo(Integer.parseInt(bad[2]));
        }
    }

    @Test
    void aRateOfOnesOwnThatBecomesNegativeLaterIsRefusedBeforeTheFirstTurn() throws IOException {
        Path jar = jar("""
                import hocket.schedulers.settings.Setting;
                import hocket.schedulers.optimizers.*;
                import hocket.schedulers.optimizers.rates.Rate;
                import hocket.schedulers.optimizers.rates.TrainingProgress;

                public record Sinking(@Setting(help = "updates") int length) implements Rate {
                    public double at(TrainingProgress progress) { return 1e-3 * (1 - (double) progress.update() / length); }
                }
                """);
        String use = """
                turns:
                  d: {updates: {"discriminator/**": {adam: {rate: {class: Sinking, length: %d}}}}}
                """;
        Files.writeString(here.resolve("own.yaml"), RING + use.formatted(20));
        Ran fits = hocket("plan", "own.yaml", "--classpath", jar.toString());
        assertThat(fits.status()).as(fits.err()).isZero();
        Files.writeString(here.resolve("own.yaml"), RING + use.formatted(19));
        Ran sinks = hocket("run", "own.yaml", "--classpath", jar.toString());
        assertThat(sinks.status()).isEqualTo(2);
        assertThat(sinks.err()).contains("own.yaml:8:3: turns/d: adam: the rate at update 20 must be");
    }

    @Test
    void aRingThatFitsNowhereIsRefusedAtItsLine() throws IOException {
        Path jar = jar("""
                import hocket.schedulers.*;
                import hocket.schedulers.settings.Setting;
                import java.util.Optional;

                public record Late(@Setting(help = "of what") String feed) implements Ring {
                    @Override
                    public Optional<Trigger> trigger() {
                        return Optional.of(Trigger.everyEpochOf(feed));
                    }
                }
                """);
        Files.writeString(here.resolve("own.yaml"), RING + "rings:\n- {class: Late, feed: rung}\n");
        Ran plan = hocket("plan", "own.yaml", "--classpath", jar.toString());
        assertThat(plan.status()).isEqualTo(2);
        assertThat(plan.err()).contains("own.yaml:8:").contains("rings/0").contains("there is no feed rung");
        Files.writeString(here.resolve("own.yaml"), RING + "rings:\n- {class: Lat, feed: ring}\n");
        assertThat(hocket("plan", "own.yaml", "--classpath", jar.toString()).err())
                .contains("own.yaml:8:11: rings/0/class: there is no class Lat");
    }

    @Test
    void aScheduleThatThrowsIsNamedWithRoundAndCause() throws IOException {
        String jar = jar("""
                import hocket.schedulers.*;

                public record Failing() implements Schedule<Failing.Taken> {
                    public record Taken(int turns) {}
                    public Taken start() { return new Taken(0); }
                    public Choice<Taken> next(Taken taken, ScheduleView view) {
                        double gap = view.average("d/loss", 1).orElse(1);
                        int wrong = 1 / (gap > 0 && view.step() == 4 ? 0 : 1);
                        return new Choice<>("d", new Taken(wrong));
                    }
                }
                """).toString();
        Files.writeString(
                here.resolve("own.yaml"), RING + "plan: {sequence: [{choose: {class: Failing}, of: [d, g]}, g]}\n");
        Ran ran = hocket("run", "own.yaml", "--classpath", jar, "--trace");
        assertThat(ran.status()).isEqualTo(1);
        assertThat(ran.err())
                .contains("hocket: round 2: class Failing failed: java.lang.ArithmeticException: / by zero\n")
                .contains("Caused by: java.lang.ArithmeticException: / by zero", "Failing.next(Failing.java:");
    }

    @Test
    void aScheduleThatIsSureToThrowIsRefusedAtThePlan() throws IOException {
        String jar = jar("""
                import hocket.schedulers.*;

                public record Broken() implements Schedule<Broken.Taken> {
                    public record Taken(int turns) {}
                    public Taken start() { return new Taken(0); }
                    public Choice<Taken> next(Taken taken, ScheduleView view) {
                        return new Choice<>("d", new Taken(1 / (int) (2 - view.step())));
                    }
                }
                """).toString();
        Files.writeString(here.resolve("own.yaml"), RING + "plan: {choose: {class: Broken}, of: [d, g]}\n");
        Ran ran = hocket("plan", "own.yaml", "--classpath", jar);
        assertThat(ran.status()).isEqualTo(2);
        assertThat(ran.err())
                .contains(
                        "own.yaml:7:",
                        "plan: phase train fails in round 2: class Broken failed:"
                                + " java.lang.ArithmeticException: / by zero");
    }

    @Test
    void aTurnOfJavaThatThrowsIsNamedWithTurnAndRound() throws IOException {
        String jar = jar("""
                import hocket.schedulers.*;

                public record Acting() implements Turn.Action {
                    public void act(Run run) {
                        if (run.position().round() == 3) {
                            throw new IllegalStateException("out of luck");
                        }
                    }
                }
                """).toString();
        Files.writeString(
                here.resolve("own.yaml"),
                RING + "turns: {idle: {act: {class: Acting}}}\nplan: {sequence: [d, g, idle]}\n");
        Ran ran = hocket("run", "own.yaml", "--classpath", jar);
        assertThat(ran.status()).isEqualTo(1);
        assertThat(ran.err())
                .contains("hocket: turn idle of round 3: class Acting failed:"
                        + " java.lang.IllegalStateException: out of luck\n")
                .doesNotContain("\tat ");
    }

    @Test
    void aClassWhoseInitialiserFailsOrThatLacksAnotherIsRefusedAtItsLine() throws IOException {
        Path jar = jar("""
                import hocket.schedulers.*;

                public record Unready() implements Ring {
                    private static final int NONE = Integer.parseInt("none");
                }
                """);
        Files.writeString(here.resolve("own.yaml"), RING + "rings:\n- {class: Unready}\n");
        Ran ran = hocket("plan", "own.yaml", "--classpath", jar.toString(), "--trace");
        assertThat(ran.status()).isEqualTo(2);
        assertThat(ran.err())
                .contains("own.yaml:8:3: rings/0: class Unready failed: its static initialiser threw"
                        + " java.lang.NumberFormatException: For input string: \"none\"\n")
                .contains("Caused by: java.lang.NumberFormatException", "Unready.<clinit>(Unready.java:");
    }
}
