package hocket.workbench.command;

import static hocket.workbench.command.OwnClasses.RING;
import static org.assertj.core.api.Assertions.assertThat;

import hocket.schedulers.Event;
import hocket.schedulers.Ring;
import hocket.schedulers.Run;
import hocket.schedulers.checkpoint.Checkpoints;
import hocket.schedulers.state.State;
import hocket.workbench.files.experiment.ExperimentFile;
import hocket.workbench.runs.CommandContext;
import hocket.workbench.runs.RunFolder;
import hocket.workbench.testing.json.Parsed;
import hocket.workbench.training.RunRequest;
import hocket.workbench.training.StopRequest;
import hocket.workbench.training.Training;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A kind of plan, an optimizer, a condition and a schedule, each one file in a jar of the user's own, by class in a file. */
@Tag("engine")
class OwnKindsTest {
    private static final String ZIGZAG = """
            import hocket.schedulers.*;
            import hocket.schedulers.settings.Setting;
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
            import hocket.schedulers.settings.Setting;
            import hocket.schedulers.optimizers.*;
            import hocket.schedulers.optimizers.kernels.Chunk;
            import hocket.schedulers.optimizers.rates.Rate;
            import java.util.List;

            /** Steps of one size along the sign of an average of gradients. */
            public record SignStep(@Setting(help = "learning rate") Rate rate,
                                   @Setting(usually = "0.9", least = 0, most = 1, help = "share that is kept") double kept)
                    implements GradientTransformation {
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
            import hocket.schedulers.settings.Setting;

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
            import hocket.schedulers.settings.Setting;

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
            import hocket.schedulers.settings.Setting;
            import hocket.schedulers.state.State;
            import hocket.schedulers.state.Stateful;

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
                public void round(Run run, Next next) {
                    try {
                        if (run.position().round() % rounds == 0) {
                            throw new ArithmeticException("of its own making");
                        }
                        next.proceed();
                    } catch (ArithmeticException e) {
                        retries++;
                        next.proceed();
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
            import hocket.schedulers.settings.Setting;
            import java.io.*;
            import java.nio.file.*;

            /** Notes when the first round is entered and left. */
            public record Noted(@Setting(help = "what it notes") String tag, @Setting(help = "where") Path file)
                    implements Ring {
                @Override
                public void round(Run run, Next next) {
                    boolean first = run.position().round() == 0;
                    note(first, tag + "(");
                    next.proceed();
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

    @TempDir
    Path here = Path.of("");

    private Path jar(String... sources) throws IOException {
        return OwnClasses.jar(here, sources);
    }

    private Ran hocket(String... arguments) {
        return Ran.hocket(here, arguments);
    }

    /** Runs a file whole, and again stopped after so many turns and resumed: the same to the bit. */
    private void assertResumes(Path jar, long turns) throws IOException {
        Ran whole = hocket("run", "own.yaml", "--classpath", jar.toString(), "--audit", "--out", "whole");
        assertThat(whole.status()).as(whole.err()).isZero();
        assertThat(whole.err())
                .containsPattern("\naudit +[0-9]+ turns in [0-9]+ rounds changed only what the plan says\n");
        assertThat(Files.readString(new RunFolder(here.resolve("whole")).log()))
                .containsPattern("  audit  [0-9]+ turns in [0-9]+ rounds changed only what the plan says");
        StringWriter err = new StringWriter();
        CommandContext commandContext = new CommandContext(Ran.terminal(err, err, false), here);
        ExperimentFile file =
                ExperimentFile.read("own.yaml", List.of(), commandContext.surroundings(List.of(jar.toString())));
        RunFolder folder = new RunFolder(here.resolve("stopped"));
        try (StopRequest stopRequest = new StopRequest()) {
            Training run = new Training(
                    new RunRequest(
                            commandContext,
                            file,
                            ExperimentFile.TRAIN,
                            folder,
                            List.of(),
                            RunRequest.Flags.NONE,
                            RunRequest.Beginning.FIRST),
                    stopRequest);
            run.ring(new Ring() {
                @Override
                public int order() {
                    return Integer.MIN_VALUE; // before those that look whether to stop
                }

                @Override
                public void heard(Run now, Event event) {
                    if (event instanceof Event.Descended && event.at().step() == turns - 1) {
                        stopRequest.request(2);
                    }
                }
            });
            assertThat(run.run()).isEqualTo(130);
            assertThat(Checkpoints.latest(folder.checkpoints())).hasValue(turns);
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
        int from = lines.indexOf("rings, from the outermost to the innermost");
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
        assertThat(refused.err()).contains("own.yaml:7:", "without: no ring is called sample; did you mean samples?");
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
