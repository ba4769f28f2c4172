package hocket.workbench.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import hocket.workbench.files.json.JsonLines;
import hocket.workbench.testing.json.Parsed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code hocket sweep}: what is wrong with a file, what comes of one, and that it goes on from whatever is left. */
@Tag("engine")
@Timeout(180)
class SweepTest {
    private static final String SWEEP = """
            experiment: toy.yaml
            set: {rounds: 32, threads: 1}
            parameters:
              rate: {log_uniform: {min: 1e-3, max: 0.2}}
              rows: {choice: [2, 4]}
            strategy: {random: {trials: 4}}
            objective: {maximise: mean_return}
            at_once: 2
            """;

    @TempDir
    private Path here;

    @BeforeEach
    void writeFiles() throws IOException {
        Files.writeString(here.resolve("toy.yaml"), """
                name: toy
                algorithm: {class: hocket.workbench.testing.ToyAgent, rounds: 30}
                on: [{every: {at: [3]}, do: [save]}]
                """);
        write(SWEEP);
    }

    private void write(String sweep) throws IOException {
        Files.writeString(here.resolve("s.yaml"), sweep);
    }

    private Ran ran(int status, String... args) {
        return Ran.ending(status, here, args);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "experiment: toy.yaml | experiment: toy.yml | :1:13: experiment: there is no file",
                "experiment: toy.yaml | experiment: digits-gna | :1:13: experiment: there is no experiment digits-gna; did you mean",
                "rounds: 32 | round: 32 | :2:14: set/round: there is no setting round; did you mean rounds?",
                "rounds: 32 | rounds: -1 | :2:15: set/rounds: algorithm/rounds: must be a whole number",
                "rate: | ratee: | :4:3: parameters/ratee: there is no setting ratee; did you mean rate?",
                "max: 0.2 | max: 2 | :4:3: parameters/rate: algorithm/rate: must be a finite number from 0 to 1, was 2",
                "max: 0.2 | max: 1e-4 | :4:40: parameters/rate/log_uniform/max: must be above min, 0.001, was 0.0001",
                "min: 1e-3 | min: 0 | :4:23: parameters/rate/log_uniform: min must be above 0, was 0",
                "max: 0.2 | max: 0.2, points: 3 | :4:3: parameters/rate: points are for strategy: grid",
                "log_uniform | lognormal | :4:10: parameters/rate: needs one of the keys uniform, log_uniform, integer, choice",
                "'[2, 4]' | '[]' | :5:18: parameters/rows/choice: must have at least one value, was []",
                "rows: | rounds: | :5:3: parameters/rounds: is also in set",
                "rows: | seed: | :5:3: parameters/seed: is not a parameter",
                "'{random: {trials: 4}}' | '{random: {trials: 0}}' | :6:29: strategy/random/trials: must be a whole number from 1 to 1000",
                "'{random: {trials: 4}}' | grit | :6:11: strategy: must be grid, was grit; did you mean grid?",
                "'{random: {trials: 4}}' | grid | :4:3: parameters/rate: a grid needs points: how many values from 0.001 to 0.2",
                "'{random: {trials: 4}}' | '{halving: {trials: 4}}' | :6:12: strategy: needs one of the keys random, successive_halving",
                "maximise | maximize | :7:13: objective: needs one of the keys maximise, minimise, has maximize; did you mean maximise?",
                "at_once: 2 | at_once: 0 | :8:10: at_once: must be a whole number from 1 to 64, was 0",
                "at_once: 2 | parallel: 2 | :8:1: there is no key parallel"
            })
    void whatIsWrongWithAFileIsSaidAtItsLineBeforeAnythingRuns(String old, String changed, String sentence)
            throws IOException {
        assertThat(SWEEP).contains(old);
        write(SWEEP.replace(old, changed));
        Ran ran = ran(2, "sweep", "s.yaml");
        assertThat(ran.err()).startsWith("hocket: " + here.resolve("s.yaml") + sentence);
        assertThat(here.resolve("runs")).doesNotExist();
    }

    @Test
    void whatItWouldDoIsListed() throws IOException {
        Ran plan = ran(0, "sweep", "s.yaml", "--plan");
        assertThat(plan.out())
                .contains(
                        "s: 4 trials of toy, mean_return, the larger the better",
                        "runs     1 seed each, from 7 on; 2 at once, each with 1 thread",
                        "trial      rate  rows");
        write(SWEEP.replace("{random: {trials: 4}}", "{successive_halving: {trials: 9, eta: 3, rungs: 3}}"));
        assertThat(ran(0, "sweep", "s.yaml", "--plan", "--set", "rounds=90").out())
                .contains(
                        "rungs    9 trials to 11 % of the budget",
                        "         3 trials to 33 % of the budget", "         1 trial to 100 % of the budget");
        assertThat(here.resolve("runs")).doesNotExist();
        write(SWEEP.replace("{log_uniform: {min: 1e-3, max: 0.2}}", "{choice: [0.9]}"));
        assertThat(ran(2, "sweep", "s.yaml").err())
                .contains("s.yaml:4:3: parameters/rate: algorithm/rate: must be at most 1/rows, was 0.9 with 4 rows");
    }

    @Test
    @Tag("processes")
    void trialsAreRunJudgedAndDrawnAndGoOnWithMore() throws IOException {
        Ran ran = ran(0, "sweep", "s.yaml");
        Path folder = here.resolve("runs/s-sweep");
        assertThat(ran.out()).startsWith("s: 4 trials of toy, mean_return, the larger the better\n");
        assertThat(ran.outLines()).hasSize(6).allMatch(line -> line.length() <= 80);
        JsonNode facts = Parsed.document(Files.readString(folder.resolve("sweep.json")));
        double before = Double.POSITIVE_INFINITY;
        for (JsonNode each : facts.get("trials")) {
            Path run = folder.resolve("trial-" + each.get("trial").asInt());
            assertThat(each.get("value").asDouble())
                    .isEqualTo(JsonLines.numbers(run.resolve("scores.json")).get("mean_return"))
                    .isLessThanOrEqualTo(before);
            before = each.get("value").asDouble();
            assertThat(Files.readString(run.resolve("experiment.yaml")))
                    .contains("rate: " + each.get("settings").get("rate").asText(), "rounds: 32", "threads: 1");
        }
        int best = facts.get("trials").get(0).get("trial").asInt();
        assertThat(ran.err())
                .endsWith("next     hocket run " + folder + "/trial-" + best + "/experiment.yaml --out best\n");
        ran(0, "run", folder + "/trial-" + best + "/experiment.yaml", "--out", "best", "--quiet");
        SameRun.assertIsAs(folder.resolve("trial-" + best), here.resolve("best"));
        List<String> rows = Files.readAllLines(folder.resolve("trials.csv"));
        assertThat(rows.get(0)).isEqualTo("trial,status,part,mean_return,standard_deviation,rate,rows,seconds,failed");
        assertThat(rows).hasSize(5);
        assertThat(rows.get(1)).startsWith(best + ",done,1.0,");
        assertThat(Files.readString(folder.resolve("sweep.svg")))
                .contains("s: 4 trials, mean_return by rate, rows")
                .contains(">rate<", ">rows<", ">mean_return<", ">0.01<", "best: trial " + best);
        assertThat(ImageIO.read(folder.resolve("sweep.png").toFile()).getHeight())
                .isEqualTo(2 * 420);

        assertThat(ran(2, "sweep", "s.yaml").err()).contains("holds a sweep: --resume continues it");
        write(SWEEP.replace("trials: 4", "trials: 5"));
        Ran more = ran(0, "sweep", "s.yaml", "--resume", "--at-once", "1");
        assertThat(more.err()).contains("trial 5 is done").doesNotContain("trial 4 is done", "trial 1 begins");
        assertThat(ran(0, "sweep", folder.toString(), "--resume", "--quiet").out())
                .isEqualTo(more.out());
        write(SWEEP.replace("max: 0.2", "max: 0.1"));
        assertThat(ran(2, "sweep", "s.yaml", "--resume").err())
                .contains("holds a sweep with other settings (parameters/rate/log_uniform/max): choose another --out");
        write(SWEEP.replace("rounds: 32", "rounds: 33"));
        assertThat(ran(2, "sweep", "s.yaml", "--resume").err()).contains("algorithm/rounds");
    }

    @Test
    void aMetricThatNoTurnHasIsRefusedBeforeTraining() throws IOException {
        String gan = """
                experiment: tiny-gan
                parameters: {batch: {choice: [32, 64]}}
                strategy: grid
                objective: {minimise: d/los}
                """;
        write(gan);
        assertThat(ran(2, "sweep", "s.yaml", "--out", "w").err())
                .contains("objective: turn d has no metric d/los; did you mean d/loss?");
        write(gan.replace("d/los", "d/rat"));
        assertThat(ran(2, "sweep", "s.yaml", "--out", "w").err())
                .contains("objective: turn d has no metric d/rat; did you mean d/rate?");
        assertThat(here.resolve("w")).doesNotExist();
    }

    @Test
    @Tag("processes")
    void oneThatFailsCountsAsFailedAndTheOthersGoOn() throws IOException {
        write(SWEEP.replace("{log_uniform: {min: 1e-3, max: 0.2}}", "{choice: [0.4]}")
                .replace("{random: {trials: 4}}", "grid")
                .replace("at_once: 2", "at_once: 1\nseeds: 2"));
        Ran ran = ran(0, "sweep", "s.yaml", "--out", "o");
        assertThat(ran.out()).contains("\ntrial 2 failed: ", "must be at most 1/rows, was 0.4 with 4 rows");
        assertThat(ran.outLines().get(1)).contains("std. dev.");
        JsonNode last = Parsed.document(Files.readString(here.resolve("o/sweep.json")))
                .get("trials")
                .get(1);
        assertThat(last.get("status").asText()).isEqualTo("failed");
        assertThat(last.get("value").isNull()).isTrue();
        assertThat(here.resolve("o/trial-1/seed-8/scores.json")).exists();
        assertThat(here.resolve("o/trial-2/seed-8")).doesNotExist();
    }

    @Tag("slow")
    @Test
    void oneWhoseScoreIsMissingFailsAndResumesByAnother() throws IOException {
        String one = SWEEP.replace("trials: 4", "trials: 1").replace("at_once: 2", "at_once: 1");
        write(one.replace("mean_return", "return_mean"));
        Ran wrong = ran(1, "sweep", "s.yaml", "--out", "w");
        assertThat(wrong.err()).contains("hocket: there is no score return_mean; there is [episodes, mean_return");
        write(one);
        ran(0, "sweep", "s.yaml", "--out", "w", "--resume");
    }

    @Test
    @Tag("processes")
    @Tag("slow")
    void killedAtAnyMomentItComesToTheSameAndNoTrialIsRunTwice() throws Exception {
        Path gate = here.resolve("gate");
        Files.writeString(here.resolve("toy.yaml"), """
                name: toy
                algorithm: {class: hocket.workbench.testing.ToyAgent, rounds: 30}
                on: [{every: {at: [3]}, do: [save]}]
                rings: [{class: hocket.workbench.testing.GateRing, file: GATE}]
                """.replace("GATE", gate.toString()));
        write(SWEEP.replace("{random: {trials: 4}}", "{successive_halving: {trials: 4, eta: 2, rungs: 3}}")
                .replace("rounds: 32", "rounds: 64"));
        Files.writeString(gate, "");
        Ran whole = ran(0, "sweep", "s.yaml", "--out", "whole");
        assertThat(whole.out()).contains(" trained ", " 25 % ", " 50 % ", " 100 % ");

        Files.delete(gate);
        Path said = here.resolve("said.txt");
        Process first = Forked.hocket(here, said, List.of(), "sweep", "s.yaml", "--out", "killed");
        await(() -> Files.exists(here.resolve("killed/trial-1/checkpoints/LATEST")), said);
        first.destroyForcibly().waitFor();
        Files.writeString(gate, "");
        Process second = Forked.hocket(here, said, List.of(), "sweep", "s.yaml", "--out", "killed", "--resume");
        await(() -> lines("killed").size() >= 2, said);
        second.destroyForcibly().waitFor();
        List<String> before = lines("killed");
        Ran on = ran(0, "sweep", "s.yaml", "--out", "killed", "--resume");

        assertThat(on.out()).isEqualTo(whole.out());
        assertThat(lines("killed")).startsWith(before.toArray(String[]::new)).hasSize(4 + 2 + 1);
        assertThat(runs("killed"))
                .containsExactlyInAnyOrderElementsOf(runs("whole"))
                .doesNotHaveDuplicates();
        for (int trial = 1; trial <= 4; trial++) {
            SameRun.assertIsAs(here.resolve("whole/trial-" + trial), here.resolve("killed/trial-" + trial));
        }
        JsonNode trials = Parsed.document(Files.readString(here.resolve("whole/sweep.json")))
                .get("trials");
        for (JsonNode each : trials) {
            List<JsonNode> metrics = Parsed.objects(
                    here.resolve("whole/trial-" + each.get("trial").asInt() + "/metrics.jsonl"));
            assertThat(metrics.get(metrics.size() - 1).get("round").asDouble())
                    .isEqualTo(64 * each.get("part").asDouble());
        }
        JsonNode best = trials.get(0);
        ran(0, "run", "whole/trial-" + best.get("trial").asInt() + "/experiment.yaml", "--out", "alone", "--quiet");
        assertThat(ran(0, "digest", "alone", "--all").out())
                .as("one that went on from rung to rung is one that was never stopped")
                .isEqualTo(ran(0, "digest", "whole/trial-" + best.get("trial").asInt(), "--all")
                        .out());
    }

    @Test
    void aPartOfABudgetIsAPart() {
        assertThat(ran(2, "run", "toy.yaml", "--until", "0").err())
                .contains("--until must be a fraction of the budget, above 0 and at most 1, was 0.0");
        assertThat(ran(2, "run", "toy.yaml", "--until", "0.5", "--seeds", "2").err())
                .contains("--until: is for one run, --seeds is for several");
        assertThat(ran(2, "run", "toy.yaml", "--at-once", "2").err()).contains("--at-once: the number of seeds");
    }

    /** What a sweep has written down; nothing while it is not there. */
    private List<String> lines(String folder) {
        try {
            Path file = here.resolve(folder).resolve("trials.jsonl");
            return Files.exists(file) ? Files.readString(file).lines().toList() : List.of();
        } catch (IOException e) {
            return List.of();
        }
    }

    /** What was run, without how long it took. */
    private List<String> runs(String folder) {
        List<String> runs = new ArrayList<>();
        lines(folder).forEach(line -> runs.add(line.replaceFirst(",\"seconds\".*", "")));
        return runs;
    }

    private static void await(BooleanSupplier wanted, Path said) throws Exception {
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!wanted.getAsBoolean()) {
            assertThat(System.nanoTime()).as(Files.readString(said)).isLessThan(until);
            Thread.sleep(20);
        }
    }

    @Test
    void theSchemaIsThatOfThePage() throws IOException {
        Path root = Path.of(System.getProperty("hocket.root", ".."));
        assertThat(ran(0, "schema", "--sweep").out())
                .isEqualTo(Files.readString(root.resolve("docs/hocket-sweep.schema.json")));
    }

    @Test
    void theSweepOfTheBenchmarksHas32Trials() {
        Path root = Path.of(System.getProperty("hocket.root", "..")).toAbsolutePath();
        Ran plan = ran(
                0, "sweep", root.resolve("benchmarks/sweeps/cartpole-ppo.yaml").toString(), "--plan");
        assertThat(plan.out())
                .startsWith("cartpole-ppo: 32 trials of cartpole-ppo, return_mean, the larger the better\n");
        assertThat(plan.outLines()).allMatch(line -> line.length() <= 80);
    }
}
