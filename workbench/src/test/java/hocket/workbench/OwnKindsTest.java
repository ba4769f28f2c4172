package hocket.workbench;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import hocket.schedulers.Event;
import hocket.schedulers.Ring;
import hocket.schedulers.Run;
import hocket.schedulers.State;
import hocket.schedulers.checkpoint.Checkpoints;
import hocket.workbench.experiment.ExperimentFile;
import hocket.workbench.json.Parsed;
import hocket.workbench.runs.RunFolder;
import hocket.workbench.runs.Workplace;
import hocket.workbench.training.Stop;
import hocket.workbench.training.Training;
import java.io.IOException;
import java.io.OutputStream;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A kind of plan, an optimizer, a condition and a schedule, each one file in a jar of the user's own, by class in a file. */
@Tag("engine")
class OwnKindsTest {
    private static final String ZIGZAG = """
            import hocket.schedulers.*;
            import java.util.List;

            /** Goes through its parts forward, then backward, so often a round. */
            public record Zigzag(@Setting(usually = "2", least = 1, help = "how often") int times,
                                 @Setting(help = "the parts") List<Plan> of) implements Node<Zigzag.At> {
                public record At(int taken) {}
                public List<Plan> parts() { return of; }
                public Plan with(List<Plan> parts) { return new Zigzag(times, parts); }
                public At start() { return new At(0); }
                public Move<At> next(At at, ScheduleView view) {
                    if (at.taken() == times * of.size()) {
                        return Move.end(start());
                    }
                    int place = at.taken() % of.size();
                    boolean back = at.taken() / of.size() % 2 == 1;
                    return Move.take(back ? of.size() - 1 - place : place, new At(at.taken() + 1));
                }
                public String at(At at) { return "zigzag " + at.taken(); }
            }
            """;
    private static final String SIGN = """
            import hocket.schedulers.Setting;
            import hocket.schedulers.optimizers.*;
            import java.util.List;

            /** Steps of one size along the sign of an average of gradients. */
            public record SignStep(@Setting(help = "learning rate") Rate rate,
                                   @Setting(usually = "0.9", least = 0, most = 1, help = "share that is kept") double kept)
                    implements Link {
                public List<Slot> slots() { return List.of(Slot.of("average")); }
                public void update(Chunk chunk) {
                    double[] u = chunk.update();
                    double[] average = chunk.slot(0);
                    for (int i = 0; i < chunk.length(); i++) {
                        average[i] = kept * average[i] + (1 - kept) * u[i];
                        u[i] = chunk.rate() * Math.signum(average[i]);
                    }
                }
            }
            """;
    private static final String EVERY = """
            import hocket.schedulers.*;

            /** Every so many looks. */
            public record EveryLook(@Setting(least = 1, help = "looks") int looks) implements Condition<EveryLook.Seen> {
                public record Seen(int looks) {}
                public Seen start() { return new Seen(0); }
                public Look<Seen> look(Seen seen, ScheduleView view) {
                    int now = seen.looks() + 1;
                    return now == looks ? new Look<>(true, start()) : new Look<>(false, new Seen(now));
                }
            }
            """;
    private static final String FALLING = """
            import hocket.schedulers.*;

            /** Alternates, and lowers d's rate each time. */
            public record Falling(@Setting(usually = "0.5", least = 0, most = 1, help = "factor") double factor)
                    implements Schedule<Falling.Taken> {
                public record Taken(long turns) {}
                public Taken start() { return new Taken(0); }
                public Choice<Taken> next(Taken taken, ScheduleView view) {
                    Choice<Taken> choice = new Choice<>(taken.turns() % 2 == 0 ? "d" : "g", new Taken(taken.turns() + 1));
                    return taken.turns() % 10 == 8 ? choice.set("d/rate", factor * view.setting("d/rate")) : choice;
                }
            }
            """;
    private static final String RETRY = """
            import hocket.schedulers.*;

            /** Fails before every so many rounds, and takes such a round once more; counts how often. */
            public class Retry implements Ring, Stateful {
                private final int rounds;
                private final String called;
                private long retries;

                public Retry(@Setting(least = 1, help = "every so many rounds") int rounds,
                             @Setting(usually = "retry", help = "its name") String called) {
                    this.rounds = rounds;
                    this.called = called;
                }

                @Override
                public String name() {
                    return called;
                }

                @Override
                public void round(Run run, Rest rest) {
                    try {
                        if (run.position().round() % rounds == 0) {
                            throw new ArithmeticException("of its own making");
                        }
                        rest.go();
                    } catch (ArithmeticException e) {
                        retries++;
                        rest.go();
                    }
                }

                @Override
                public State save() {
                    return State.empty().with("retries", retries);
                }

                @Override
                public void restore(State state) {
                    retries = state.whole("retries");
                }
            }
            """;
    private static final String NOTED = """
            import hocket.schedulers.*;
            import java.io.*;
            import java.nio.file.*;

            /** Notes when the first round is entered and left. */
            public record Noted(@Setting(help = "what it notes") String tag, @Setting(help = "where") Path file)
                    implements Ring {
                @Override
                public void round(Run run, Rest rest) {
                    boolean first = run.position().round() == 0;
                    note(first, tag + "(");
                    rest.go();
                    note(first, ")" + tag);
                }
                private void note(boolean first, String text) {
                    try {
                        if (first) {
                            Files.writeString(file, text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
                        }
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                }
            }
            """;
    private static final String RING = """
            include: gaussian-ring
            feeds: {ring: {rows: 64, batch: 8}}
            network: {width: 8}
            on: []
            budget: {rounds: 20}
            """;

    @TempDir
    Path here = Path.of("");

    /** A jar of one's own, of so many files. */
    private Path jar(String... sources) throws IOException {
        Path classes = Files.createDirectories(here.resolve("classes"));
        List<String> arguments = new ArrayList<>(List.of(
                "-d", classes.toString(), "-parameters", "-proc:none", "-cp", System.getProperty("java.class.path")));
        for (String source : sources) {
            Matcher named = Pattern.compile("public (?:record|class) (\\w+)").matcher(source);
            assertThat(named.find()).isTrue();
            String name = named.group(1);
            Path file = here.resolve(name + ".java");
            Files.writeString(file, source);
            arguments.add(file.toString());
        }
        assertThat(ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments.toArray(String[]::new)))
                .isZero();
        Path jar = here.resolve("own.jar");
        try (OutputStream out = Files.newOutputStream(jar);
                JarOutputStream entries = new JarOutputStream(out);
                Stream<Path> files = Files.walk(classes)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                entries.putNextEntry(new JarEntry(classes.relativize(file).toString()));
                Files.copy(file, entries);
            }
        }
        return jar;
    }

    private Ran hocket(String... arguments) {
        return Ran.hocket(here, arguments);
    }

    /** Runs a file whole, and again stopped after so many turns and resumed: the same to the bit. */
    private void assertResumes(Path jar, long turns) throws IOException {
        Ran whole = hocket("run", "own.yaml", "--classpath", jar.toString(), "--audit", "--out", "whole");
        assertThat(whole.status()).as(whole.err()).isZero();
        StringWriter err = new StringWriter();
        Workplace workplace = new Workplace(Ran.terminal(err, err, false), here);
        ExperimentFile file =
                ExperimentFile.read("own.yaml", List.of(), workplace.surroundings(List.of(jar.toString())));
        RunFolder folder = new RunFolder(here.resolve("stopped"));
        try (Stop stop = new Stop()) {
            Training run = new Training(workplace, file, ExperimentFile.TRAIN, folder, List.of(), stop, false);
            run.ring(new Ring() {
                @Override
                public int order() {
                    return Integer.MIN_VALUE; // before those that look whether to stop
                }

                @Override
                public void heard(Run now, Event event) {
                    if (event instanceof Event.Descended && event.at().step() == turns - 1) {
                        stop.request(2);
                    }
                }
            });
            assertThat(run.run()).isEqualTo(130);
            assertThat(Files.readString(folder.checkpoints().resolve("LATEST")).strip())
                    .isEqualTo(String.format("%08d", turns));
        }
        Ran resumed = hocket("run", "own.yaml", "--classpath", jar.toString(), "--resume", "--out", "stopped");
        assertThat(resumed.status()).as(resumed.err()).isZero();
        assertThat(hocket("digest", "stopped", "--all").out().replace("stopped", "whole"))
                .isEqualTo(hocket("digest", "whole", "--all").out());
    }

    @ParameterizedTest
    @ValueSource(longs = {7, 20, 33})
    void aKindOfPlanAnOptimizerAndAConditionOfOnesOwnAreRehearsedAuditedSavedAndResumed(long turns) throws IOException {
        Path jar = jar(ZIGZAG, SIGN, EVERY); // one file each
        Files.writeString(here.resolve("own.yaml"), RING + """
                        turns:
                          d: {updates: {"discriminator/**": {class: SignStep, rate: 1e-3}}}
                          g: {updates: {"generator/**": [{clip_by_global_norm: {norm: 1}}, {class: SignStep, rate: 1e-3}]}}
                        plan: {class: Zigzag, times: 2, of: [d, {when: {class: EveryLook, looks: 3}, of: g}, d]}
                        """);
        Ran plan = hocket("plan", "own.yaml", "--classpath", jar.toString());
        assertThat(plan.err()).isEmpty();
        assertThat(plan.out())
                .contains(
                        "Zigzag[times=2, of=[d, when(EveryLook[looks=3], g), d]]",
                        "by sign_step, rate 0.001, kept 0.9",
                        "d  ####|#.###|###.#|####|#.###|",
                        "g  ....|.#...|...#.|....|.#...|");
        assertResumes(jar, turns);
    }

    @Test
    void aRateThatAScheduleOfOnesOwnChangesIsRecordedSavedAndResumed() throws IOException {
        Path jar = jar(FALLING);
        Files.writeString(here.resolve("own.yaml"), RING + """
                        turns:
                          d: {updates: {"discriminator/**": {adam: {rate: 1e-3}}}}
                          g: {updates: {"generator/**": {adam: {rate: 1e-3}}}}
                        plan: {repeat: 2, of: {choose: {class: Falling}, of: [d, g]}}
                        """);
        assertResumes(jar, 21);
        List<String> rates = Parsed.objects(here.resolve("whole/metrics.jsonl")).stream()
                .filter(line -> line.path("turn").asText().equals("d")
                        && line.path("name").asText().equals("rate"))
                .map(line -> line.get("value").asText())
                .toList();
        assertThat(rates).startsWith("0.001", "5.0E-4", "2.5E-4");
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

                public record Forgetful() implements Watching<Forgetful.Seen> {
                    public static final class Counter { public int getCount() { return 1; } }
                    public record Seen(Counter counter) {}
                    public String watches() { return "d/loss"; }
                    public Seen start() { return new Seen(new Counter()); }
                    public Seen next(Seen seen, double value) { return seen; }
                    public double at(Seen seen, Progress progress) { return 1e-3; }
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
        String first = kind.use.substring(0, kind.use.indexOf(':'));
        String ring = RING.lines().filter(line -> !line.startsWith(first + ":")).collect(joining("\n"));
        Files.writeString(here.resolve("own.yaml"), ring + "\n" + kind.use + "\n");
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
                """, "plan: {choose: {class: Bad}, of: [d, g]}", true, "class Bad: next() gave null to remember"),
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
                public record Bad() implements hocket.schedulers.optimizers.Link {
                    public java.util.List<hocket.schedulers.optimizers.Slot> slots() { return null; }
                    public void update(hocket.schedulers.optimizers.Chunk chunk) {}
                }
                """, "turns: {d: {updates: {\"discriminator/**\": {class: Bad}}}}", true, "class Bad: slots() gave null"),
        WATCHED(
                """
                public record Bad() implements hocket.schedulers.optimizers.Watching<Bad.Seen> {
                    public record Seen() {}
                    public String watches() { return "d/loss"; }
                    public Seen start() { return null; }
                    public Seen next(Seen seen, double value) { return seen; }
                    public double at(Seen seen, hocket.schedulers.optimizers.Progress progress) { return 1e-3; }
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
                    public void round(Run run, Rest rest) {
                        rest.go();
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
            this.source = "import hocket.schedulers.*;\n" + source;
            this.use = use;
            this.isRefused = isRefused;
            this.said = said;
        }
    }

    @ParameterizedTest
    @EnumSource
    void aClassThatGivesNullOrThrowsIsNamedWithWhatItDid(Bad bad) throws IOException {
        String jar = jar(bad.source).toString();
        String first = bad.use.substring(0, bad.use.indexOf(':'));
        String ring = RING.lines().filter(line -> !line.startsWith(first + ":")).collect(joining("\n"));
        Files.writeString(here.resolve("own.yaml"), ring + "\n" + bad.use + "\n");
        if (bad.isRefused) {
            Ran plan = hocket("plan", "own.yaml", "--classpath", jar);
            assertThat(plan.err()).contains(bad.said).doesNotContain("\tat ");
            assertThat(plan.err()).contains("own.yaml:6:");
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

                public record Judge() implements EvaluationDefinition {
                    public Evaluation build(Networks networks, java.util.Map<String, Source> sources) {
                        return parameters -> null;
                    }
                }
                """).toString();
        Files.writeString(here.resolve("own.yaml"), RING + "evaluation: {class: Judge}\n");
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
    void aMemoryOfOnesOwnMayHaveAnyName() throws IOException {
        String jar = jar("public record Nothing(int looks) {}", """
                import hocket.schedulers.*;

                public record Never() implements Condition<Nothing> {
                    public Nothing start() { return new Nothing(0); }
                    public Look<Nothing> look(Nothing seen, ScheduleView view) {
                        return new Look<>(seen.looks() == 3, new Nothing(seen.looks() + 1));
                    }
                }
                """).toString();
        Files.writeString(here.resolve("own.yaml"), RING + "plan: {sequence: [d, {when: {class: Never}, of: g}]}\n");
        assertThat(hocket("plan", "own.yaml", "--classpath", jar).status()).isZero();
    }

    @Test
    void aRateOfOnesOwnThatBecomesNegativeLaterIsRefusedBeforeTheFirstTurn() throws IOException {
        Path jar = jar("""
                import hocket.schedulers.Setting;
                import hocket.schedulers.optimizers.*;

                public record Sinking(@Setting(help = "updates") int length) implements Rate {
                    public double at(Progress progress) { return 1e-3 * (1 - (double) progress.update() / length); }
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
        assertThat(sinks.err()).contains("own.yaml:7:3: turns/d: adam: the rate at update 20 must be");
    }

    private static State rings(Path run) throws IOException {
        return Checkpoints.readLatest(run.resolve("checkpoints")).state("rings");
    }

    @Test
    void aRingOfOnesOwnTakesARoundAgainAndItsCounterSurvivesAResume() throws IOException {
        Path jar = jar(RETRY);
        Files.writeString(here.resolve("own.yaml"), RING + """
                        rings:
                        - {class: Retry, rounds: 3}
                        - {class: Retry, rounds: 5}
                        """);
        assertResumes(jar, 17);
        for (String run : List.of("whole", "stopped")) {
            State rings = rings(here.resolve(run));
            assertThat(rings.state("retry").whole("retries")).as(run).isEqualTo(7); // rounds 0, 3, …, 18
            assertThat(rings.state("retry #2").whole("retries")).as(run).isEqualTo(4);
        }
        Files.writeString(here.resolve("without.yaml"), RING);
        assertThat(hocket("run", "without.yaml", "--out", "without").status()).isZero();
        assertThat(hocket("digest", "without", "--all").out().replace("without", "whole"))
                .as("a round that is taken again after a failure before it is the same round")
                .isEqualTo(hocket("digest", "whole", "--all").out());
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void ringsAreAroundEachOtherAsTheFileSaysAndPlanShows(boolean aFirst) throws IOException {
        Path jar = jar(RETRY, NOTED);
        String a = "- {class: Noted, tag: a, file: order.txt}\n";
        String b = "- {class: Noted, tag: b, file: order.txt}\n";
        String retry = "- {class: Retry, rounds: 1, called: middle}\n";
        Files.writeString(here.resolve("own.yaml"), RING + "rings:\n" + (aFirst ? a + retry + b : b + retry + a));
        Ran plan = hocket("plan", "own.yaml", "--classpath", jar.toString());
        assertThat(plan.status()).as(plan.err()).isZero();
        List<String> lines = plan.outLines();
        int from = lines.indexOf("around it, from the outermost ring on");
        assertThat(lines.subList(from + 1, from + 8))
                .extracting(line -> line.strip().replaceAll("\\s+", " ").replaceAll(", file.*", ""))
                .containsSubsequence(
                        "save at the end",
                        "noted Noted[tag=" + (aFirst ? "a" : "b"),
                        "middle Retry",
                        "noted Noted[tag=" + (aFirst ? "b" : "a"));
        Ran run = hocket("run", "own.yaml", "--classpath", jar.toString(), "--out", "run");
        assertThat(run.status()).as(run.err()).isZero();
        assertThat(Files.readString(here.resolve("order.txt"))).isEqualTo(aFirst ? "a(b()b)a" : "b(a()a)b");
    }

    @Test
    void aRingThatFitsNowhereIsRefusedAtItsLine() throws IOException {
        Path jar = jar("""
                import hocket.schedulers.*;
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
        assertThat(plan.err()).contains("own.yaml:7:").contains("rings/0").contains("there is no feed rung");
        Files.writeString(here.resolve("own.yaml"), RING + "rings:\n- {class: Lat, feed: ring}\n");
        assertThat(hocket("plan", "own.yaml", "--classpath", jar.toString()).err())
                .contains("own.yaml:7:11: rings/0/class: there is no class Lat");
    }

    @Test
    void ringsAreTakenAwayByTheNamesThatPlanShows() throws IOException {
        Files.writeString(here.resolve("own.yaml"), RING + "without: [samples, learn]\n");
        assertThat(hocket("plan", "own.yaml").outLines())
                .noneMatch(line -> line.matches("  (samples +at the end|learn +lets .*)"));
        assertThat(hocket("run", "own.yaml", "--out", "still").status()).isZero();
        assertThat(here.resolve("still/samples")).doesNotExist();
        Files.writeString(here.resolve("other.yaml"), RING.replace("rounds: 20", "rounds: 3") + "without: [learn]\n");
        assertThat(hocket("run", "other.yaml", "--out", "other").status()).isZero();
        assertThat(hocket("digest", "still").out().replace("still", "other"))
                .as("nothing was learnt")
                .isEqualTo(hocket("digest", "other").out());
        Files.writeString(here.resolve("own.yaml"), RING + "without: [sample]\n");
        Ran refused = hocket("plan", "own.yaml");
        assertThat(refused.status()).isEqualTo(2);
        assertThat(refused.err()).contains("own.yaml:6:", "without: no ring is called sample; did you mean samples?");
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
                        "own.yaml:6:",
                        "plan: phase train fails in round 1: class Broken failed:"
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
                .contains("own.yaml:7:3: rings/0: class Unready failed: its static initialiser threw"
                        + " java.lang.NumberFormatException: For input string: \"none\"\n")
                .contains("Caused by: java.lang.NumberFormatException", "Unready.<clinit>(Unready.java:");
    }

    @Test
    void onlyClassesThatSuitAreOfferedForAnUnknownOne() throws IOException {
        String jar = jar(ZIGZAG, RETRY).toString();
        Files.writeString(here.resolve("own.yaml"), RING + "rings: [{class: Zigzagg}]\n");
        assertThat(hocket("plan", "own.yaml", "--classpath", jar).err())
                .contains("rings/0/class: there is no class Zigzagg")
                .contains("there is: Retry")
                .doesNotContain("did you mean Zigzag");
    }
}
