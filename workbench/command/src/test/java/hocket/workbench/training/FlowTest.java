package hocket.workbench.training;

import static org.assertj.core.api.Assertions.assertThat;

import hocket.schedulers.Ring;
import hocket.schedulers.Trigger;
import hocket.schedulers.checkpoint.Checkpoints;
import hocket.schedulers.formats.Npy;
import hocket.schedulers.state.State;
import hocket.scopes.Tensor;
import hocket.workbench.command.Ran;
import hocket.workbench.files.experiment.ExperimentFile;
import hocket.workbench.runs.CheckpointedRun;
import hocket.workbench.runs.CommandContext;
import hocket.workbench.runs.RunFolder;
import hocket.workbench.terminal.NumberFormats;
import hocket.workbench.testing.Toys;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Steps of a run that a file replaces by class, and what they say comes next. */
@Tag("engine")
class FlowTest {
    private static final String TOYS = "hocket.workbench.testing.Toys.";
    private static final String FILE = """
            name: points
            network: {class: TOYS.PointGan}
            feeds: {points: {class: TOYS.Points, batch: 8}}
            turns:
              d: {program: discriminator, updates: {"discriminator/**": {adam: {rate: 1e-2}}}}
              g: {program: generator, updates: {"generator/**": {adam: {rate: 1e-2}}}}
            plan: {sequence: [d, g]}
            budget: {rounds: 10}
            samples: draw
            """.replace("TOYS.", TOYS);

    @TempDir
    Path here = Path.of("");

    private Ran run(String more, String... args) {
        String[] all = new String[args.length + 2];
        all[0] = "run";
        all[1] = "points.yaml";
        System.arraycopy(args, 0, all, 2, args.length);
        try {
            Files.writeString(here.resolve("points.yaml"), FILE + more.replace("TOYS.", TOYS));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return Ran.hocket(here, all);
    }

    private String digest(String run) {
        Ran ran = Ran.hocket(here, "digest", run);
        assertThat(ran.status()).as(ran.err()).isZero();
        return ran.out();
    }

    @Test
    void aRunInWhichASourceFailsOnceIsSavedWhereItFailedAndGoesOnToTheSameBits() throws IOException {
        String shaky = "feeds: {points: {class: TOYS.Shaky, batch: 8}}\n";
        String file = FILE.replaceFirst("feeds: .*\\n", "");
        Files.writeString(here.resolve("shaky.yaml"), (file + shaky).replace("TOYS.", TOYS));
        Ran whole = Ran.hocket(here, "run", "shaky.yaml", "--out", "whole");
        assertThat(whole.status()).as(whole.err()).isZero();
        Toys.Shaky.GOOD.set(7);
        Ran failed = Ran.hocket(here, "run", "shaky.yaml", "--out", "failed");
        assertThat(failed.status()).isEqualTo(1);
        assertThat(failed.err())
                .endsWith(String.join(
                        "\n",
                        "hocket: the plug was pulled",
                        "saved    everything up to turn 14",
                        "next     hocket run " + here.resolve("failed") + " --resume",
                        "trace    " + here.resolve("failed/log.txt"),
                        ""));
        assertThat(here.resolve("failed/log.txt")).content().contains("IllegalStateException: the plug was pulled");
        Ran resumed = Ran.hocket(here, "run", "failed", "--resume");
        assertThat(resumed.status()).as(resumed.err()).isZero();
        assertThat(digest("failed")).isEqualTo(digest("whole"));
    }

    @Test
    void aSeedThatFailsSaysHowAllSeedsGoOn() throws IOException {
        String shaky = "feeds: {points: {class: TOYS.Shaky, batch: 8}}\n"
                + "evaluation: {class: hocket.workbench.testing.ToyAgent.Failing}\n";
        String file = FILE.replaceFirst("feeds: .*\\n", "");
        Files.writeString(here.resolve("shaky.yaml"), (file + shaky).replace("TOYS.", TOYS));
        Toys.Shaky.GOOD.set(7);
        Ran failed = Ran.hocket(here, "run", "shaky.yaml", "--seeds", "2", "--out", "s");
        assertThat(failed.status()).isEqualTo(1);
        assertThat(failed.err())
                .contains("\nnext     hocket run " + here.resolve("s") + " --seeds 2 --resume\n")
                .doesNotContain("seed-3 --resume");
    }

    @Test
    void aRunThatCannotBeSavedWhereItFailedSaysWhatIsLost() throws IOException {
        String plan = "plan: {sequence: [d, g, act]}\n";
        String act = "  act: {act: {class: TOYS.ThirdTime}}\n";
        String text = FILE.replaceFirst("plan: .*\\n", plan)
                .replace("plan:", act + "plan:")
                .replace("TOYS.", TOYS);
        Files.writeString(here.resolve("acting.yaml"), text);
        Ran all = Ran.hocket(here, "run", "acting.yaml", "--out", "all", "--quiet");
        assertThat(all.errLines())
                .containsExactly(
                        "hocket: turn act of round 2: third time unlucky",
                        "lost     everything, as nothing was saved yet",
                        "trace    " + here.resolve("all/log.txt"));
        Ran some = Ran.hocket(
                here,
                "run",
                "acting.yaml",
                "--out",
                "some",
                "--quiet",
                "--set",
                "on=[{every: {rounds: 1}, do: [save]}]");
        assertThat(some.errLines())
                .containsExactly(
                        "hocket: turn act of round 2: third time unlucky",
                        "lost     everything since turn 6",
                        "next     hocket run " + here.resolve("some") + " --resume",
                        "trace    " + here.resolve("some/log.txt"));
    }

    @Test
    void anInstanceStepDecidesTheSeed() throws IOException {
        assertThat(run("instance: {class: TOYS.OtherSeed, seed: 8}\n", "--out", "a")
                        .status())
                .isZero();
        assertThat(Files.readString(here.resolve("a/experiment.yaml"))).contains("seed: 8");
        run("", "--out", "b", "--set", "seed=8");
        assertThat(digest("a")).isEqualTo(digest("b"));
    }

    @Test
    void aStartupByClassNameAloneFillsTheStore() {
        run("startup: TOYS.Biased\n", "--out", "a", "--set", "rounds=0");
        run("", "--out", "b", "--set", "rounds=0");
        assertThat(digest("a")).isNotEqualTo(digest("b"));
        run("startup: {class: TOYS.Biased, bias: 0}\n", "--out", "c", "--set", "rounds=0");
        assertThat(digest("c")).isEqualTo(digest("b"));
    }

    @Test
    void aStartupSaysThatNothingIsToBeTrained() {
        Ran ran = run("startup: TOYS.NothingToDo\nterminal: TOYS.Verdict\n", "--out", "a");
        assertThat(ran.status()).as(ran.err()).isZero();
        assertThat(here.resolve("a/verdict.txt")).hasContent("d took 0");
        Ran ended = run("startup: TOYS.Ending\nterminal: TOYS.Verdict\n", "--out", "b");
        assertThat(ended.status()).as(ended.err()).isZero();
        assertThat(here.resolve("b/verdict.txt")).doesNotExist();
    }

    @Test
    void aRunnerAndATerminalStepByClassNameAloneTakeTheirPlaces() {
        Ran ran = run("runners: {train: {class: TOYS.ThreeParts}}\nterminal: TOYS.Verdict\n", "--out", "a");
        assertThat(ran.status()).as(ran.err()).isZero();
        assertThat(ran.err()).contains("part 1", "part 2", "part 3").doesNotContain("part 4");
        assertThat(here.resolve("a/verdict.txt")).hasContent("d took 15");
    }

    @Test
    void severalRunnersLiveInOneFile() throws IOException {
        String runners = "runners: {infer: {class: Infer, program: draw, rows: 7},"
                + " measure: {class: Infer, program: distance, feed: {class: TOYS.Points, rows: 23, batch: 6}},"
                + " short: {phases: [{name: one, plan: d, budget: {rounds: 3}}]}}\n";
        assertThat(run(runners, "--out", "trained").status()).isZero();
        Ran ran = run(runners, "--runner", "infer", "--from", "trained", "--out", "inferred");
        assertThat(ran.status()).as(ran.err()).isZero();
        assertThat(ran.err()).contains("starts from 8 arrays of ", "wrote 7 rows of draw");
        assertThat(Npy.open(here.resolve("inferred/draw.npy")).shape()).containsExactly(7L, 2L);
        assertThat(run(runners, "--runner", "measure", "--out", "measured").err())
                .contains(
                        "wrote 4 rows of distance",
                        "mean square " + NumberFormats.exactly(meanSquare(23)).substring(0, 5));
        Ran brief = run(runners, "--runner", "short", "--out", "short");
        assertThat(brief.status()).as(brief.err()).isZero();
        assertThat(Ran.hocket(here, "run", "short/experiment.yaml", "--out", "again")
                        .status())
                .isZero();
        assertThat(digest("again")).isEqualTo(digest("short")); // by the runner that the file records
        Ran unread = run(runners, "--runner", "short", "--set", "rounds=10", "--out", "none");
        assertThat(unread.status()).isEqualTo(2);
        assertThat(unread.err())
                .contains(
                        "--set rounds=10: has no place here: each phase of runners.short has a budget of its own, such"
                                + " as runners.short.phases.0.budget");
        Ran unknown = run(runners, "--runner", "infr", "--out", "none");
        assertThat(unknown.status()).isEqualTo(2);
        assertThat(unknown.err()).contains("there is no runner infr; did you mean infer?");
    }

    @Test
    void phasesFollowEachOtherAndARunOfThemGoesOn() {
        String file = (FILE + "runners: {train: {phases: [{name: warm-up, plan: d, budget: {rounds: 20}},"
                        + " {name: game, plan: {sequence: [d, g]}, budget: {epochs: {points: 2}}}]}}\n")
                .replace("plan: {sequence: [d, g]}\nbudget: {rounds: 10}\n", "");
        write("phases.yaml", file);
        Ran whole = Ran.hocket(here, "run", "phases.yaml", "--out", "whole");
        assertThat(whole.status()).as(whole.err()).isZero();
        assertThat(whole.err()).contains("phases   warm-up, then game");
        for (long stopAt : new long[] {7, 20, 29}) {
            RunFolder folder = new RunFolder(here.resolve("stopped-" + stopAt));
            stopped("phases.yaml", folder, stopAt);
            Ran resumed = Ran.hocket(here, "run", folder.toString(), "--resume");
            assertThat(resumed.status()).as(resumed.err()).isZero();
            assertThat(digest(folder.toString())).as("stopped at %d", stopAt).isEqualTo(digest("whole"));
        }
        assertThat(Ran.hocket(here, "run", "whole", "--resume").err()).contains("the budget is used up");
        Ran threads = Ran.hocket(here, "run", "whole", "--resume", "--set", "threads=7");
        assertThat(threads.err()).contains("threads: a resumed run keeps 1, was 7; --force allows it");
    }

    private void stopped(String name, RunFolder folder, long round) {
        StringWriter said = new StringWriter();
        CommandContext commandContext = new CommandContext(Ran.terminal(said, said, false), here);
        ExperimentFile file =
                ExperimentFile.read(here.resolve(name).toString(), List.of(), commandContext.surroundings(List.of()));
        try (StopRequest stopRequest = new StopRequest()) {
            Training run = new Training(
                    new RunRequest(
                            commandContext,
                            file,
                            ExperimentFile.TRAIN,
                            folder,
                            List.of(),
                            RunRequest.Flags.QUIET,
                            RunRequest.Beginning.FIRST),
                    stopRequest);
            run.ring(Ring.on(Trigger.everyRounds(1), now -> {
                if (now.position().round() == round) {
                    stopRequest.request(2);
                }
            }));
            assertThat(run.run()).isEqualTo(130);
        }
    }

    private void write(String name, String text) {
        try {
            Files.writeString(here.resolve(name), text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void aRunStartsFromAnotherWholeOrByAMap() {
        run("", "--out", "first");
        run("", "--out", "same", "--from", "first", "--set", "rounds=0");
        assertThat(parameters("same")).isEqualTo(parameters("first"));
        Ran mapped = run(
                "startup: {from: first, map: {\"discriminator/hidden/bias\": \"generator/hidden/bias\"}}\n",
                "--out",
                "mapped",
                "--set",
                "rounds=0");
        assertThat(mapped.err()).contains("starts from 1 arrays of ");
        Ran same = run("startup: {from: first, map: {\"generator/**\": \"generator/**\"}}\n", "--out", "generator");
        assertThat(same.err()).contains("starts from 4 arrays of ");
        Ran wrong = run("startup: {from: first, map: {\"discriminator/**\": \"generator/**\"}}\n", "--out", "wrong");
        assertThat(wrong.status()).isEqualTo(2);
        assertThat(wrong.err()).contains("startup/");
        Ran missing = run("startup: {from: nowhere}\n", "--out", "missing");
        assertThat(missing.status()).isEqualTo(2);
        assertThat(missing.err()).contains("nowhere").doesNotContain("\tat ");
        assertThat(here.resolve("missing")).doesNotExist();
    }

    @Test
    void aRunThatStartsFromAnOlderCheckpointSaysSo() throws IOException {
        run("", "--out", "first", "--set", "on=[{every: {rounds: 5}, do: [save]}]");
        Path newest = here.resolve("first/checkpoints/00000020/state.json");
        Files.writeString(newest, "x");
        Ran ran = run("", "--out", "second", "--from", "first");
        assertThat(ran.status()).as(ran.err()).isZero();
        assertThat(ran.err()).contains("passed over: " + newest, "the checkpoint of turn 10 is used\n");
        Ran plan = Ran.hocket(here, "plan", "points.yaml", "--set", "startup.from=first");
        assertThat(plan.out()).contains("passed over: " + newest, "the checkpoint of turn 10 is used\n");
    }

    @Test
    void aPlanChecksWhatARunStartsFromAsTheRunWould() throws IOException {
        run("", "--out", "first", "--set", "rounds=1");
        for (String[] wrong : new String[][] {
            {"{from: nowhere}", "startup/from: there is no "},
            {"{from: first, map: {\"discriminatr/**\": \"generator/**\"}}", "startup/map: discriminatr/** matches no"},
            {
                "{from: first, map: {\"discriminator/**\": \"generator/**\"}}",
                "startup/from: that run has discriminator/hidden/weight ("
            }
        }) {
            Ran ran = run("startup: " + wrong[0] + "\n", "--out", "none");
            assertThat(ran.status()).isEqualTo(2);
            assertThat(ran.err()).contains("points.yaml:10:").contains(wrong[1]);
            Ran plan = Ran.hocket(here, "plan", "points.yaml");
            assertThat(plan.status()).isEqualTo(2);
            assertThat(plan.err()).isEqualTo(ran.err());
        }
        Files.writeString(here.resolve("points.yaml"), FILE + "startup: {from: first}\n");
        Ran fits = Ran.hocket(here, "plan", "points.yaml");
        assertThat(fits.status()).as(fits.err()).isZero();
        Ran changed = Ran.hocket(here, "plan", "points.yaml", "--set", "width=3");
        assertThat(changed.status()).isEqualTo(2);
        assertThat(changed.err())
                .contains("startup/from: that run has ", " (8) FLOAT32, this one needs ", " (3) FLOAT32");
        Files.writeString(here.resolve("points.yaml"), FILE);
        Ran started = Ran.hocket(here, "run", "points.yaml", "--from", "first", "--set", "width=3", "--set", "seed=4");
        assertThat(started.status()).isEqualTo(2);
        assertThat(started.err()).contains("--from first", "that run has ").doesNotContain("startup.from=", "seed=4");
    }

    private String parameters(String run) {
        return Ran.hocket(here, "digest", run, "--all")
                .out()
                .lines()
                .filter(line -> line.split(" +").length == 2)
                .reduce("", (a, b) -> a + b + "\n");
    }

    @Test
    void aBudgetThatNothingReadsIsRefused() throws IOException {
        String phases = "runners: {train: {phases: [{name: one, plan: d, budget: {rounds: 3}}]}}\n";
        Ran ran = run(phases, "--out", "a", "--set", "rounds=7");
        assertThat(ran.status()).isEqualTo(2);
        assertThat(ran.err())
                .isEqualTo(
                        "hocket: --set rounds=7: rounds has no place here: each phase of runners.train has a budget of"
                                + " its own, such as runners.train.phases.0.budget\n");
        assertThat(run(phases, "--out", "a", "--set", "runners.train.phases.0.budget={rounds: 2}")
                        .status())
                .isZero();
        assertThat(Checkpoints.latest(here.resolve("a/checkpoints"))).hasValue(2);
    }

    @Test
    void deedsOfOnesOwnAndValidationHappenWhenTheFileSays() throws IOException {
        Toys.Noting.ROUNDS.clear();
        Ran ran = run(
                "on: [{every: {rounds: 4}, do: [validate, {class: TOYS.Noting}]}]\n"
                        + "validation: {feed: {class: TOYS.Points, rows: 30, batch: 10}, program: distance}\n",
                "--out",
                "a");
        assertThat(ran.status()).as(ran.err()).isZero();
        assertThat(Toys.Noting.ROUNDS).containsExactly(4L, 8L);
        assertThat(Files.readString(here.resolve("a/metrics.jsonl")))
                .contains("\"turn\":\"validation\",\"name\":\"loss\",\"value\":"
                        + NumberFormats.exactly(meanSquare(30)).substring(0, 5));
    }

    private static double meanSquare(int rows) {
        double sum = 0;
        for (int i = 0; i < 2 * rows; i++) {
            float value = (i % 7 - 3) / 3f + i / (float) (2 * rows);
            sum += value * value;
        }
        return sum / (2 * rows);
    }

    @Test
    void whatBeginsAsACopyFollowsAHotStart() {
        String ema = "turns: {ema: {follow: {from: \"generator/**\", to: \"ema/generator/**\", decay: 0.5}}}\n";
        run("", "--out", "first");
        write("averaged.yaml", "include: points.yaml\nname: averaged\n" + ema + "plan: {sequence: [d, g, ema]}\n");
        Ran ran = Ran.hocket(here, "run", "averaged.yaml", "--from", "first", "--set", "rounds=0", "--out", "second");
        assertThat(ran.status()).as(ran.err()).isZero();
        for (String path : List.of("generator/hidden/weight", "generator/point/bias")) {
            assertThat(tensor("second", path)).isEqualTo(tensor("first", path));
            assertThat(tensor("second", "ema/" + path)).isEqualTo(tensor("first", path));
        }
    }

    @Test
    void anAgentThatStartsFromAnotherSeesTheWorldAsThatOneDid() throws IOException {
        write("agent.yaml", """
                name: agent
                algorithm:
                  class: hocket.rl.algorithms.Ppo
                  environment: CartPole-v1
                  environments: {count: 2, normalise_observations: true}
                  total_steps: 64
                  rollout: 32
                  minibatch: 32
                  epochs: 1
                """);
        Ran.hocket(here, "run", "agent.yaml", "--out", "first");
        Ran ran = Ran.hocket(here, "run", "agent.yaml", "--from", "first", "--out", "second");
        assertThat(ran.status()).as(ran.err()).isZero();
        assertThat(seen("first")).isBetween(65.9, 66.1); // 2 · (1 + 32)
        assertThat(seen("second")).isBetween(131.9, 132.1);
        Ran refused = Ran.hocket(
                here,
                "run",
                "agent.yaml",
                "--from",
                "first",
                "--set",
                "normalise_observations=false",
                "--out",
                "third");
        assertThat(refused.status()).isNotZero();
        assertThat(refused.err())
                .contains(
                        "startup/from: environments.normalise_observations must be true, as where the parameters were trained,"
                                + " was false");
    }

    /** Observations that an agent's normalisation has seen. */
    private double seen(String run) {
        State state = CheckpointedRun.open(new RunFolder(here.resolve(run)), OptionalLong.empty())
                .state();
        for (String part : List.of("turns", "collect", "action", "worlds", "environments", "observed")) {
            state = state.state(part);
        }
        return state.real("count");
    }

    @Test
    void aTurnOfAFileMeasuresAfterItsUpdateAndMovesNothingAboveALimit() throws IOException {
        String turn = "turns: {d: {measured_after: true, unless_above: {loss: 0}}}\n";
        write("limited.yaml", "include: points.yaml\nname: limited\n" + turn);
        run("", "--out", "plain");
        Ran ran = Ran.hocket(here, "run", "limited.yaml", "--out", "limited");
        assertThat(ran.status()).as(ran.err()).isZero();
        assertThat(Files.readString(here.resolve("limited/metrics.jsonl")))
                .contains(
                        "\"turn\":\"d\",\"name\":\"moved\",\"value\":0",
                        "\"turn\":\"d\",\"name\":\"after/loss\",\"value\":");
        write("wrong.yaml", "include: points.yaml\nturns: {d: {unless_above: {los: 0}}}\n");
        Ran wrong = Ran.hocket(here, "plan", "wrong.yaml");
        assertThat(wrong.status()).isEqualTo(2);
        assertThat(wrong.err())
                .contains(
                        "wrong.yaml:2:", "turns/d/unless_above/los: ", "it reports no los that could be above a limit");
    }

    private Tensor tensor(String run, String path) {
        return CheckpointedRun.open(new RunFolder(here.resolve(run)), OptionalLong.empty())
                .state()
                .state("parameters")
                .tensor(path);
    }
}
