package hocket.workbench.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import hocket.schedulers.Ring;
import hocket.schedulers.Trigger;
import hocket.workbench.files.experiment.ExperimentFile;
import hocket.workbench.files.json.JsonLines;
import hocket.workbench.runs.CheckpointedRun;
import hocket.workbench.runs.CommandContext;
import hocket.workbench.runs.RunFolder;
import hocket.workbench.sweeps.SeedSweep;
import hocket.workbench.testing.json.Parsed;
import hocket.workbench.training.RunRequest;
import hocket.workbench.training.StopRequest;
import hocket.workbench.training.Training;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import javax.imageio.ImageIO;
import javax.imageio.ImageReader;
import javax.imageio.stream.ImageInputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files in which one class makes the whole experiment, and what can be done with their runs. */
@Tag("engine")
class AlgorithmFileTest {
    private static final String TOY = "hocket.workbench.testing.ToyAgent";
    private static final String FILE = """
            name: toy
            summary: a line that collects what it learns from
            algorithm: {class: TOY, rounds: 30}
            on: [{every: {rounds: 10}, do: [save, score]}]
            """.replace("TOY", TOY);

    @TempDir
    Path here = Path.of("");

    @BeforeEach
    void writeFile() {
        write("toy.yaml", FILE);
    }

    private void write(String name, String text) {
        try {
            Files.writeString(here.resolve(name), text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Ran hocket(String... args) {
        return Ran.hocket(here, args);
    }

    private Ran fine(String... args) {
        Ran ran = hocket(args);
        assertThat(ran.status()).as(ran.err()).isZero();
        return ran;
    }

    private Ran refused(String message, String... args) {
        Ran ran = hocket(args);
        assertThat(ran.err()).contains(message);
        assertThat(ran.status()).isEqualTo(2);
        return ran;
    }

    private String digest(String run) {
        return fine("digest", run, "--all").out();
    }

    private List<JsonNode> metrics(String run, String turn, String name) throws IOException {
        return Parsed.objects(here.resolve(run).resolve("metrics.jsonl")).stream()
                .filter(line -> line.get("turn").asText().equals(turn)
                        && line.get("name").asText().equals(name))
                .toList();
    }

    @Test
    void aRunLeavesWhatItsTurnsOfJavaReported() throws IOException {
        Ran ran = fine("run", "toy.yaml", "--out", "a");
        assertThat(ran.err())
                .contains("toy: a line that collects", "steps/s", "scores   episodes 5.000, mean_return -")
                .contains("record " + here.resolve("a") + " --out agent.gif");
        List<JsonNode> steps = metrics("a", "collect", "steps");
        assertThat(steps.get(0).get("value").asDouble()).isEqualTo(4);
        assertThat(steps.get(steps.size() - 1).get("value").asDouble()).isEqualTo(30 * 4);
        List<JsonNode> returns = metrics("a", "collect", "episode_return");
        assertThat(returns).hasSizeLessThan(steps.size()).isNotEmpty();
        assertThat(returns.get(returns.size() - 1).get("value").asDouble())
                .isGreaterThan(returns.get(0).get("value").asDouble());
        assertThat(metrics("a", "learn", "loss")).hasSameSizeAs(steps);
        assertThat(metrics("a", "evaluation", "mean_return")).hasSize(3);
    }

    @Test
    void itsFolderHoldsACompleteFileThatGivesTheSameBits() throws IOException {
        fine("run", "toy.yaml", "--out", "a");
        assertThat(Files.readString(here.resolve("a/experiment.yaml")))
                .contains("class: " + TOY, "rate: 0.05", "rounds: 30", "rows: 4")
                .doesNotContain("noise_rows", "budget", "turns");
        fine("run", "a/experiment.yaml", "--out", "b");
        assertThat(digest("b")).isEqualTo(digest("a"));
        fine("run", "toy.yaml", "--write", "mine.yaml");
        fine("run", "mine.yaml", "--out", "c");
        assertThat(digest("c")).isEqualTo(digest("a"));
        assertThat(here.resolve("hocket.schema.json")).exists();
    }

    @Test
    void itsSettingsAreMeantByTheFewestKeys() {
        assertThat(fine("plan", "toy.yaml", "--set", "algorithm.rate=0.1").out())
                .contains("rate", "0.1", "collect  acts", "learn", "answer", "turns of Java", "30 rounds, 60 turns");
        assertThat(fine("plan", "toy.yaml", "--set", "rate=0.2", "--set", "rows=2", "--set", "algorithm.rounds=7")
                        .out())
                .contains("0.2", "7 rounds, 14 turns", "2 rows");
        assertThat(fine("plan", "toy.yaml", "--set", "rounds=9").out()).contains("9 rounds, 18 turns");
        refused("there is no setting rat; did you mean rate?", "plan", "toy.yaml", "--set", "rat=1");
        refused("there is no setting turns", "plan", "toy.yaml", "--set", "turns={}");
        refused("algorithm/rate: must be a finite number from 0 to 1, was 2", "plan", "toy.yaml", "--set", "rate=2");
        refused("algorithm/rate: must be at most 1/rows, was 0.5 with 4 rows", "plan", "toy.yaml", "--set", "rate=0.5");
        assertThat(fine("plan", "toy.yaml", "--json").out()).contains("\"ACTS\"");
    }

    @Test
    void itsProgramsAreExplained() {
        assertThat(fine("explain", "toy.yaml").out()).contains("fit", "answer");
        assertThat(fine("explain", "toy.yaml", "--program", "answer").out())
                .contains("answer")
                .doesNotContain("program fit");
        fine("explain", "toy.yaml", "--program", "answer", "--write", "answer.json");
        assertThat(here.resolve("answer.json")).exists();
    }

    @Test
    void whatTheClassMakesStandsNowhereElse() {
        write("both.yaml", FILE + """
                network: {class: hocket.gan.networks.Dcgan}
                feeds: {digits: {class: Optdigits}}
                turns: {d: {program: x}}
                plan: d
                budget: {rounds: 3}
                noise_rows: 3
                samples: draw
                programs: {draw: {reading: {}}}
                """);
        Ran ran = hocket("plan", "both.yaml");
        assertThat(ran.status()).isEqualTo(2);
        String file = "hocket: " + here.resolve("both.yaml");
        assertThat(ran.errLines())
                .hasSize(8)
                .startsWith(
                        file + ":5:1: algorithm replaces network: remove one of the two",
                        file + ":6:1: algorithm replaces feeds: remove one of the two",
                        file + ":7:1: algorithm replaces turns: remove one of the two");
        write("phases.yaml", FILE + "runners: {train: {phases: [{name: a, plan: d, budget: {rounds: 3}}]}}\n");
        refused(
                "phases.yaml:5:19: runners/train/phases: the algorithm defines the plan and the budget",
                "plan",
                "phases.yaml");
        write("neither.yaml", "name: x\nplan: d\n");
        assertThat(hocket("plan", "neither.yaml").errLines())
                .allMatch(line -> line.contains("needs a key network: the networks, by class")
                        || line.contains("needs a key turns: the turns by name"))
                .hasSize(2);
        write("mistyped.yaml", FILE.replace("algorithm:", "algoritm:"));
        assertThat(hocket("plan", "mistyped.yaml").errLines())
                .hasSize(1)
                .allMatch(line -> line.contains("there is no key algoritm; did you mean algorithm?"));
    }

    @Test
    void aFileMayChangeAnotherIntoOneByClass() {
        write("changed.yaml", "include: toy.yaml\nalgorithm: {rows: 8}\nevaluation: {class: " + TOY + ".Weights}\n");
        fine("run", "changed.yaml", "--out", "a");
        assertThat(fine("eval", "a").out()).startsWith("weight").doesNotContain("mean_return");
        write(
                "other.yaml",
                "include: gaussian-ring\nalgorithm: {class: " + TOY + "}\nnetwork:\nfeeds:\nturns:\n"
                        + "plan:\nbudget:\nsamples:\nprograms:\nevaluation:\non:\nrunners:\n");
        fine("plan", "other.yaml");
    }

    private Path stopped(String name, long round, List<String> changes) {
        StringWriter err = new StringWriter();
        CommandContext commandContext = new CommandContext(Ran.terminal(err, err, false), here);
        ExperimentFile file = ExperimentFile.read("toy.yaml", changes, commandContext.surroundings(List.of()));
        try (StopRequest stopRequest = new StopRequest()) {
            Training run = new Training(
                    new RunRequest(
                            commandContext,
                            file,
                            ExperimentFile.TRAIN,
                            new RunFolder(here.resolve(name)),
                            changes,
                            RunRequest.Flags.QUIET,
                            RunRequest.Beginning.FIRST),
                    stopRequest);
            run.ring(Ring.on(Trigger.everyRounds(round), now -> stopRequest.request(2)));
            assertThat(run.run()).isEqualTo(130);
        }
        return here.resolve(name);
    }

    @Test
    void aStoppedAndResumedRunIsTheUninterruptedOneToTheBit() throws IOException {
        fine("run", "toy.yaml", "--quiet", "--out", "whole");
        stopped("part", 13, List.of());
        refused("none can be changed, not algorithm/rounds", "run", "part", "--resume", "--set", "rounds=60");
        fine("run", "part", "--resume");
        assertThat(digest("part")).isEqualTo(digest("whole"));
        assertThat(here.resolve("part/scores.json")).hasSameTextualContentAs(here.resolve("whole/scores.json"));
        List<JsonNode> steps = metrics("part", "collect", "steps");
        assertThat(steps.get(steps.size() - 1).get("value").asDouble()).isEqualTo(30 * 4);
        assertThat(fine("run", "part", "--resume").err())
                .contains("the budget is used up")
                .doesNotContain("epochs=N");
    }

    @Test
    void aRunIsJudgedAgainByWhatItsTurnsRememberAndByAnyNumberOfEpisodes() throws IOException {
        fine("run", "toy.yaml", "--quiet", "--out", "a");
        Map<String, Double> scores = JsonLines.numbers(here.resolve("a/scores.json"));
        write("again.json", fine("eval", "a", "--json").out());
        assertThat(JsonLines.numbers(here.resolve("again.json"))).containsAllEntriesOf(scores);
        assertThat(fine("eval", "a", "--episodes", "12").out()).contains("episodes     12\n");
        assertThat(fine("eval", "a", "--json").out()).contains("\"episodes\":5,\"mean_return\":-");
        assertThat(here.resolve("a/scores.json")).content().contains("\"episodes\":5,");
        assertThat(refused("episodes must be at least 1, was 0", "eval", "a", "--episodes", "0")
                        .errLines())
                .hasSize(1);
        fine("run", "toy.yaml", "--quiet", "--set", "evaluation=" + TOY + ".Weights", "--out", "b");
        assertThat(refused("the result is not evaluated by episodes", "eval", "b", "--episodes", "3")
                        .errLines())
                .hasSize(1);
        assertThat(refused("--sampled: experiment toy: the result takes no actions", "eval", "b", "--sampled")
                        .errLines())
                .hasSize(1);
    }

    @Test
    void anAgentIsFilmedAndLeavesNoSamples() {
        fine("run", "toy.yaml", "--quiet", "--out", "a");
        assertThat(here.resolve("a/samples")).doesNotExist();
        refused("; an agent is filmed: hocket record a --out agent.gif", "sample", "a");
    }

    @Test
    void anAgentThatIsStoppedSaysItsStepsAndNotTheEpochsOfItsReplay() {
        StringWriter err = new StringWriter();
        CommandContext commandContext = new CommandContext(Ran.terminal(err, err, false), here);
        List<String> changes = List.of("total_steps=2000", "learning_starts=100");
        ExperimentFile file = ExperimentFile.read("cartpole-dqn", changes, commandContext.surroundings(List.of()));
        try (StopRequest stopRequest = new StopRequest()) {
            new Training(
                            new RunRequest(
                                    commandContext,
                                    file,
                                    ExperimentFile.TRAIN,
                                    new RunFolder(here.resolve("stopped")),
                                    changes,
                                    RunRequest.Flags.NONE,
                                    RunRequest.Beginning.FIRST),
                            stopRequest)
                    .ring(Ring.on(Trigger.everyRounds(2), now -> stopRequest.request(2)))
                    .run();
        }
        assertThat(err.toString())
                .containsPattern("stopped in round 2 after (\\d,)?\\d+ of 2,000 steps, \\d+:\\d\\d, ");
    }

    @Test
    void whatIsSetIsBlamedAndNotTheLineOfTheFileThatItDoesNotFit() {
        assertThat(refused("learning_starts", "run", "cartpole-dqn", "--set", "total_steps=50")
                        .err())
                .startsWith("hocket: --set total_steps=50: ")
                .doesNotContain(".yaml");
        assertThat(refused("", "run", "cartpole-dqn", "--set", "environment=Nope", "--set", "seed=3")
                        .err())
                .startsWith("hocket: --set environment=Nope: algorithm/environment: there is no environment Nope; ")
                .doesNotContain(".yaml");
        refused(
                "--set environments=3: environments has settings of its own: set environments.count, environments.normalise_observations,"
                        + " environments.normalise_rewards, environments.checked, environments.options and 7 more\n",
                "run",
                "cartpole-ppo",
                "--set",
                "environments=3");
        refused(
                "--set explore=0.3: there is no setting explore; did you mean exploration_noise?",
                "run",
                "pendulum-td3",
                "--set",
                "explore=0.3");
    }

    @Test
    void aFileSaysWhatIsDoneToAnEnvironment() {
        String worlds =
                "environments={count: 2, options: {g: 9.81}, limit: 100, wrappers: [{action_repeat: 2}, {frame_stack: 3}],"
                        + " normalise_observations: true}";
        assertThat(fine("plan", "pendulum-sac", "--set", worlds).out())
                .containsPattern("options \\{g=9.81}, episodes of at most 100 steps, each\\s+action 2");
        refused(
                "algorithm/environments/wrappers/0/action_repeat: must be a whole number from 1 to 10000, was 0",
                "plan",
                "pendulum-sac",
                "--set",
                "environments.wrappers=[{action_repeat: 0}]");
        refused(
                "environments.options: Pendulum-v1: it has no option gravity",
                "plan",
                "pendulum-sac",
                "--set",
                "environments.options={gravity: 3}");
    }

    @Test
    void aPartOfWorldsIsReplacedByKeysAndValues() {
        assertThat(fine("plan", "cartpole-ppo", "--set", "environments={count: 16}")
                        .outLines())
                .anyMatch(line -> line.matches(" *count +16"));
    }

    @Test
    void whatAnAlgorithmMakesItselfIsNoSetting() {
        refused(
                "--set plan=extragradient: there is no setting plan: the algorithm makes its own plan; hocket plan shows"
                        + " what can be set",
                "plan",
                "cartpole-ppo",
                "--set",
                "plan=extragradient");
        refused(
                "--set rounds=5: there is no setting rounds: the algorithm makes its own budget; hocket plan shows"
                        + " what can be set",
                "plan",
                "cartpole-ppo",
                "--set",
                "rounds=5");
    }

    @Test
    void aRunThatCannotBeJudgedIsSavedAndHasFailed() throws IOException {
        write("unjudged.yaml", FILE + "evaluation: {class: hocket.workbench.testing.ToyAgent.Failing}\n");
        Ran ran = hocket("run", "unjudged.yaml", "--out", "unjudged");
        assertThat(ran.err()).contains("hocket: no scores: ", "saved    ");
        assertThat(ran.status()).isEqualTo(1);
        assertThat(here.resolve("unjudged/scores.json")).doesNotExist();
    }

    @Test
    void severalSeedsAreRunOneAfterTheOtherAndSummarised() throws IOException {
        Ran ran = fine("run", "toy.yaml", "--seeds", "3", "--set", "seed=4");
        Path folder = here.resolve("runs/toy-seeds");
        assertThat(ran.err()).contains("seed 4, 1 of 3", "seed 6, 3 of 3", "wrote    " + folder.resolve("seeds.svg"));
        assertThat(ran.outLines().get(0)).isEqualTo("toy, seeds 4 to 6");
        assertThat(ran.out()).contains("mean_return", "95 % interval of the mean");
        assertThat(ran.outLines()).allMatch(line -> line.length() <= 80);
        fine("run", "toy.yaml", "--set", "seed=5", "--out", "alone");
        assertThat(digest("runs/toy-seeds/seed-5")).isEqualTo(digest("alone"));

        List<Double> values = new ArrayList<>();
        for (int seed = 4; seed <= 6; seed++) {
            values.add(JsonLines.numbers(folder.resolve("seed-" + seed + "/scores.json"))
                    .get("mean_return"));
        }
        JsonNode facts = Parsed.document(Files.readString(folder.resolve("seeds.json")));
        JsonNode score = facts.get("scores").get("mean_return");
        assertThat(facts.get("seeds").toString()).isEqualTo("[4,5,6]");
        assertThat(score.get("values").toString()).isEqualTo(values.toString().replace(" ", ""));
        assertThat(score.get("mean").asDouble())
                .isBetween(
                        score.get("mean_low").asDouble(), score.get("mean_high").asDouble());
        assertThat(score.get("standard_deviation").asDouble()).isPositive();
        String drawn = Files.readString(folder.resolve("seeds.svg"));
        assertThat(drawn).contains("collect/episode_return toy: mean of 3 seeds by step", "95 % interval of the mean");
        assertThat(ImageIO.read(folder.resolve("seeds.png").toFile()).getWidth())
                .isEqualTo(1440);
    }

    @Test
    void seedsThatAreThereAreNotRunAgainAndOneThatWasStoppedGoesOn() throws IOException {
        Path folder = here.resolve("s");
        fine("run", "toy.yaml", "--quiet", "--seeds", "2", "--out", "s");
        String first = Files.readString(folder.resolve("seed-7/log.txt"));
        stopped("s/seed-9", 11, List.of("seed=9"));
        refused("seed-9 is not finished: --resume continues it", "run", "toy.yaml", "--seeds", "4", "--out", "s");
        assertThat(folder.resolve("seed-10")).doesNotExist();
        Ran ran = fine("run", "toy.yaml", "--seeds", "4", "--out", "s", "--resume");
        assertThat(ran.err()).contains("seed 7, 1 of 4: is there already", "on from turn 22");
        assertThat(folder.resolve("seed-7/log.txt")).hasContent(first.strip());
        refused(
                folder + " holds runs of seeds 7 to 10; give their number: hocket run " + folder
                        + " --seeds 4 --resume continues these, a larger number adds more",
                "run",
                "s",
                "--resume");
        Ran one = fine("run", "s", "--seeds", "5", "--resume");
        assertThat(one.err()).contains("seed 10, 4 of 5: is there already", "seed 11, 5 of 5\n");
        assertThat(one.outLines().get(0)).isEqualTo("toy, seeds 7 to 11");
        fine("run", "toy.yaml", "--quiet", "--set", "seed=9", "--out", "alone");
        assertThat(digest("s/seed-9")).isEqualTo(digest("alone"));
        refused(
                "is a run of toy with other settings (algorithm/rate): choose another --out",
                "run",
                "toy.yaml",
                "--seeds",
                "4",
                "--out",
                "s",
                "--set",
                "rate=0.01");
    }

    @Test
    void aSeedThatCannotBeJudgedKeepsNoOtherFromBeingRun() throws IOException {
        write("unjudged.yaml", FILE + "evaluation: {class: hocket.workbench.testing.ToyAgent.Failing, seed: 8}\n");
        Ran ran = hocket("run", "unjudged.yaml", "--seeds", "3", "--out", "s");
        String missing = "hocket: seed 8 has no scores: " + here.resolve("s/seed-8/log.txt") + " may say why\n";
        assertThat(ran.err()).contains("seed 9, 3 of 3").endsWith(missing);
        assertThat(ran.outLines().get(0)).isEqualTo("toy, seeds 7, 9");
        assertThat(ran.status()).isEqualTo(1);
        Ran more = hocket("run", "unjudged.yaml", "--seeds", "4", "--out", "s", "--resume", "--quiet");
        assertThat(more.err()).endsWith(missing);
        assertThat(more.status()).isEqualTo(1);
        JsonNode facts = Parsed.document(Files.readString(here.resolve("s/seeds.json")));
        assertThat(facts.get("seeds").toString()).isEqualTo("[7,9,10]");
    }

    @Test
    void seedsStopWhereTheyAreAskedToAndGoOnThere() throws IOException {
        StringWriter err = new StringWriter();
        SeedSweep.Configuration toy = new SeedSweep.Configuration("toy.yaml", List.of(), List.of(), List.of());
        try (StopRequest stopRequest = new StopRequest()) {
            stopRequest.request(2);
            CommandContext commandContext = new CommandContext(Ran.terminal(err, err, false), here);
            assertThat(new SeedSweep(commandContext, toy, 2, 0, SeedSweep.Options.NONE, false, false)
                            .into(here.resolve("s"), stopRequest))
                    .isEqualTo(130);
        }
        assertThat(err.toString())
                .contains("stopped in round 0 after", "--resume continues with this seed, and then the others")
                .doesNotContain("seed 8");
        assertThat(here.resolve("s/seeds.json")).doesNotExist();
        fine("run", "toy.yaml", "--quiet", "--seeds", "2", "--out", "s", "--resume");
        fine("run", "toy.yaml", "--quiet", "--out", "alone");
        assertThat(digest("s/seed-7")).isEqualTo(digest("alone"));
        assertThat(here.resolve("s/seeds.json")).exists();
    }

    @Test
    void seedsOfAnyExperimentMayGoOnWithALargerBudget() throws IOException {
        String[] shorter = ring("rounds=2");
        fine(shorter);
        assertThat(Files.readString(here.resolve("s/seeds.svg"))).contains("g/loss gaussian-ring: mean of 2 seeds");
        String[] longer = ring("rounds=4");
        refused("seed-7 has another budget: --resume continues it", longer);
        List<String> resumed = new ArrayList<>(List.of(longer));
        resumed.add("--resume");
        fine(resumed.toArray(String[]::new));
        fine(
                "run",
                "gaussian-ring",
                "--quiet",
                "--out",
                "a",
                "--set",
                "rounds=4",
                "--set",
                "width=8",
                "--set",
                "evaluation.samples=100",
                "--set",
                "on=[]");
        assertThat(digest("s/seed-7")).isEqualTo(digest("a"));
        fine(longer);
    }

    private static String[] ring(String budget) {
        return new String[] {
            "run",
            "gaussian-ring",
            "--quiet",
            "--seeds",
            "2",
            "--out",
            "s",
            "--set",
            "width=8",
            "--set",
            "evaluation.samples=100",
            "--set",
            "on=[]",
            "--set",
            budget
        };
    }

    @Test
    void theScoresOfAnEndGoWhenARunGoesBeyondIt() throws IOException {
        fine(
                "run",
                "gaussian-ring",
                "--quiet",
                "--out",
                "a",
                "--set",
                "rounds=2",
                "--set",
                "width=8",
                "--set",
                "evaluation.samples=100",
                "--set",
                "on=[]");
        assertThat(here.resolve("a/scores.json")).exists();
        CommandContext commandContext =
                new CommandContext(Ran.terminal(new StringWriter(), new StringWriter(), false), here);
        CheckpointedRun saved = CheckpointedRun.open(new RunFolder(here.resolve("a")), OptionalLong.empty());
        ExperimentFile file = saved.file(List.of("rounds=9"), commandContext.surroundings(List.of()));
        try (StopRequest stopRequest = new StopRequest()) {
            Training run = new Training(
                    new RunRequest(
                            commandContext,
                            file,
                            ExperimentFile.TRAIN,
                            saved.folder(),
                            List.of(),
                            RunRequest.Flags.QUIET,
                            RunRequest.Beginning.of(true)),
                    stopRequest);
            run.ring(Ring.on(Trigger.everyRounds(4), now -> stopRequest.request(2)));
            run.run();
        }
        assertThat(here.resolve("a/scores.json")).doesNotExist();
    }

    @Test
    void seedsThatCannotBeComparedAreRefused() {
        refused("--seeds must be 2 to 100, was 1", "run", "toy.yaml", "--seeds", "1");
        refused("give only one of them", "run", "toy.yaml", "--seeds", "2", "--write", "x.yaml");
        refused(
                "has no evaluation, so there are no scores to compare",
                "run",
                "gaussian-ring",
                "--seeds",
                "2",
                "--set",
                "evaluation=",
                "--set",
                "on=[]");
        assertThat(here.resolve("runs")).doesNotExist();
    }

    @Test
    void aRunIsFilmed() throws IOException {
        fine("run", "toy.yaml", "--quiet", "--out", "a");
        assertThat(fine("record", "a", "--out", "agent.gif", "--episodes", "2").err())
                .contains("wrote 8 frames of 2 episodes to ");
        List<Integer> greys = greys(here.resolve("agent.gif"));
        assertThat(greys).containsExactly(7, 17, 27, 37, 47, 57, 67, 77);
        fine("record", "a", "--out", "last.png", "--seed", "100");
        BufferedImage last = ImageIO.read(here.resolve("last.png").toFile());
        assertThat(last.getRGB(3, 3) & 0xFF).isEqualTo(130);
        assertThat(last.getWidth()).isEqualTo(12);
    }

    private static List<Integer> greys(Path file) throws IOException {
        List<Integer> greys = new ArrayList<>();
        ImageReader reader = ImageIO.getImageReadersByFormatName("gif").next();
        try (ImageInputStream in = ImageIO.createImageInputStream(file.toFile())) {
            reader.setInput(in);
            for (int i = 0; i < reader.getNumImages(true); i++) {
                greys.add(reader.read(i).getRGB(5, 5) & 0xFF);
            }
        } finally {
            reader.dispose();
        }
        return greys;
    }

    @Test
    void whatCannotBeFilmedIsRefusedInOneLine() {
        fine(
                "run",
                "gaussian-ring",
                "--quiet",
                "--set",
                "rounds=1",
                "--set",
                "evaluation=",
                "--set",
                "on=[]",
                "--out",
                "ring");
        refused("hocket: experiment gaussian-ring has no agent to film\n", "record", "ring", "--out", "x.gif");
        refused("--out must end in .gif, .png or .npz, was x.mp4", "record", "ring", "--out", "x.mp4");
        refused("there is no folder", "record", "ring", "--out", "no/x.gif");
        refused("--episodes must be 1 to 1000, was 0", "record", "ring", "--out", "x.gif", "--episodes", "0");
        refused("is not a run folder", "record", "nothing", "--out", "x.gif");
        refused("--random must be 0 to 1, was 1.5", "record", "ring", "--out", "x.npz", "--random", "1.5");
        refused("--random is for .npz files, was 0.5 for x.gif", "record", "ring", "--out", "x.gif", "--random", "0.5");
        refused("has no agent to film", "record", "ring", "--out", "x.npz");
        assertThat(here.resolve("x.gif")).doesNotExist();
        assertThat(here.resolve("x.npz")).doesNotExist();
    }
}
