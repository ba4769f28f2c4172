package hocket.workbench.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import hocket.workbench.testing.json.Parsed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code hocket sweep} of a population: copies, settings that change during training, and kills. */
@Tag("engine")
@Timeout(360)
class PopulationSweepTest {
    private static final String SWEEP = """
            experiment: toy.yaml
            set: {rounds: 32, threads: 1}
            parameters:
              rate: {log_uniform: {min: 1e-3, max: 0.2}}
            strategy: {population: {members: 4, intervals: 4, resample: 0}}
            objective: {maximise: mean_return}
            at_once: 2
            """;

    @TempDir
    private Path here;

    @BeforeEach
    void writeFiles() throws IOException {
        toy("on: [{every: {at: [3]}, do: [save]}]");
        write(SWEEP);
    }

    private void toy(String more) throws IOException {
        Files.writeString(here.resolve("toy.yaml"), """
                name: toy
                algorithm: {class: hocket.workbench.testing.ToyAgent, rounds: 30}
                """ + more + "\n");
    }

    private void write(String sweep) throws IOException {
        Files.writeString(here.resolve("s.yaml"), sweep);
    }

    private Ran ran(int status, String... args) {
        return Ran.ending(status, here, args);
    }

    private List<JsonNode> lineage(String folder) throws IOException {
        return Parsed.objects(here.resolve(folder).resolve("lineage.jsonl"));
    }

    /** The run folders of all members. */
    private List<String> runs(String folder) throws IOException {
        try (Stream<Path> all = Files.walk(here.resolve(folder), 2)) {
            return all.map(path -> here.resolve(folder).relativize(path).toString())
                    .filter(name -> name.matches("trial-\\d+/from-.*"))
                    .sorted()
                    .toList();
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "rate: {log_uniform: {min: 1e-3, max: 0.2}} | rows: {choice: [2, 4]} | :4:3: parameters/rows: cannot change during training, as a population needs it to, from 4 to 2: ",
                "resample: 0 | quantile: 0.6 | :5:61: strategy/population/quantile: must be a finite number from 0.001 to 0.5, was 0.6",
                "resample: 0 | 'factors: [0.8, 1]' | :5:60: strategy/population/factors: must be numbers other than 1, was [0.8, 1.0]",
                "members: 4 | members: 1 | :5:34: strategy/population/members: must be a whole number from 2 to 1000, was 1",
                "at_once: 2 | seeds: 3 | :7:8: seeds: must be 1 for a population, each of whose members has a seed of its own, was 3"
            })
    void whatIsWrongIsSaidBeforeAnythingTrains(String old, String changed, String sentence) throws IOException {
        assertThat(SWEEP).contains(old);
        write(SWEEP.replace(old, changed));
        Ran ran = ran(2, "sweep", "s.yaml");
        assertThat(ran.err()).contains(here.resolve("s.yaml") + sentence);
        assertThat(here.resolve("runs")).doesNotExist();
    }

    @Test
    void aSettingThatChangesTheBudgetIsRefused() throws IOException {
        write(SWEEP.replace("rate: {log_uniform: {min: 1e-3, max: 0.2}}", "rounds: {choice: [32, 64]}")
                .replace("rounds: 32, ", ""));
        assertThat(ran(2, "sweep", "s.yaml", "--plan").err()).endsWith(": it changes the budget\n");
    }

    @Test
    void thePopulationOfTheBenchmarksHasTheSettingsOfTheRandomSearchBesideIt() throws IOException {
        Path sweeps = Path.of(System.getProperty("hocket.root", ".."), "benchmarks/sweeps")
                .toAbsolutePath();
        Path population = sweeps.resolve("pendulum-population.yaml");
        Ran plan = ran(0, "sweep", population.toString(), "--plan");
        assertThat(plan.out())
                .contains("copies   after each of 8 intervals the worst 2 trials of 8 copy one of the best");
        Ran random = ran(0, "sweep", sweeps.resolve("pendulum-random.yaml").toString(), "--plan");
        assertThat(table(plan)).isEqualTo(table(random)).hasSizeGreaterThan(8);
    }

    /** The trials of a plan, after an empty line. */
    private static List<String> table(Ran plan) {
        return plan.outLines()
                .subList(plan.outLines().indexOf(""), plan.outLines().size());
    }

    @Test
    @Tag("processes")
    void theWorstCopiesTheBestWithAnotherRate() throws IOException {
        assertThat(ran(0, "sweep", "s.yaml", "--plan").out())
                .contains("copies   after each of 4 intervals the worst 1 trial of 4 copy one of the best 1");
        Ran ran = ran(0, "sweep", "s.yaml", "--out", "two");
        List<JsonNode> lineage = lineage("two");
        assertThat(lineage).hasSize(4 * 4);
        int copies = 0;
        for (JsonNode each : lineage) {
            Path run = here.resolve("two").resolve(each.get("run").asText());
            String rate = each.get("settings").get("rate").asText();
            assertThat(Files.readString(run.resolve("experiment.yaml"))).contains("rate: " + rate);
            if (!each.get("copied").isNull()) {
                copies++;
                JsonNode source = lineage.get(4 * (each.get("interval").asInt() - 2)
                        + each.get("copied").asInt()
                        - 1);
                assertThat(run).hasFileName("from-" + each.get("interval").asInt());
                double factor = Double.parseDouble(rate)
                        / source.get("settings").get("rate").asDouble();
                assertThat(Math.min(Math.abs(factor - 0.8), Math.abs(factor - 1.2)))
                        .isLessThan(2e-3);
                assertThat(ran.err())
                        .contains("trial " + each.get("trial").asInt() + " copies trial "
                                + each.get("copied").asInt() + ": rate=" + rate);
                List<JsonNode> copied = Parsed.objects(run.resolve("metrics.jsonl"));
                assertThat(copied.get(0).get("round").asInt())
                        .as("metrics of the copied run come first")
                        .isLessThan(8);
                assertThat(copied.stream()
                                .filter(metric -> metric.get("name").asText().equals("rate"))
                                .map(metric -> metric.get("value").asDouble())
                                .toList())
                        .as("and its update rule has the explored rate")
                        .contains(Double.parseDouble(rate));
            }
        }
        assertThat(copies).isEqualTo(3);
        int best = Parsed.document(Files.readString(here.resolve("two/sweep.json")))
                .get("trials")
                .get(0)
                .get("trial")
                .asInt();
        assertThat(ran.out()).contains("settings of trial " + best + " by interval, with the trial that trained:");
        assertThat(ran.err()).contains("best     " + here.resolve("two/trial-" + best + "/from-"));
        assertThat(ImageIO.read(here.resolve("two/sweep.png").toFile())).isNotNull();
        assertThat(ImageIO.read(here.resolve("two/population.png").toFile())).isNotNull();
        assertThat(Files.readString(here.resolve("two/population.svg")))
                .contains("s: mean_return, rate over 4 intervals", ">rate<", ">mean_return<", "led to trial " + best);
        ran(0, "verify", "two/" + lineage.get(15).get("run").asText());
    }

    private void assertSame(String whole, String other) throws IOException {
        assertThat(here.resolve(other).resolve("lineage.jsonl"))
                .hasSameTextualContentAs(here.resolve(whole).resolve("lineage.jsonl"));
        assertThat(runs(other)).isEqualTo(runs(whole)).hasSizeGreaterThan(4); // some are copies
        for (String run : runs(whole)) {
            SameRun.assertIsAs(
                    here.resolve(whole).resolve(run), here.resolve(other).resolve(run));
        }
    }

    @Tag("slow")
    @Test
    @Tag("processes")
    void oneThatFailsIsReplacedByACopy() throws IOException {
        toy("evaluation: {class: hocket.workbench.testing.ToyAgent$Failing, seed: 8}");
        write(SWEEP.replace("mean_return", "weight")
                .replace("rounds: 32", "rounds: 16")
                .replace("intervals: 4", "intervals: 2"));
        ran(0, "sweep", "s.yaml", "--out", "o");
        List<JsonNode> lineage = lineage("o");
        assertThat(lineage.get(1).get("failed").asText()).contains("nobody can tell");
        assertThat(lineage.get(1).get("value").isNull()).isTrue();
        assertThat(lineage.get(5).get("copied").asInt()).isPositive();
        assertThat(lineage.get(5).get("value").asDouble()).isFinite();
    }

    @Test
    @Tag("processes")
    @Tag("slow")
    void killedAtAnyMomentItComesToTheSameBits() throws Exception {
        Path gate = here.resolve("gate");
        toy("on: [{every: {at: [3]}, do: [save]}]\nrings: [{class: hocket.workbench.testing.GateRing, file: " + gate
                + "}]");
        Files.writeString(gate, "");
        write(SWEEP.replace("rounds: 32", "rounds: 24").replace("intervals: 4", "intervals: 3"));
        Ran whole = ran(0, "sweep", "s.yaml", "--out", "whole");

        Path said = here.resolve("said.txt");
        Files.delete(gate);
        Process first = Forked.hocket(here, said, List.of(), "sweep", "s.yaml", "--out", "killed");
        await(said, () -> Files.exists(here.resolve("killed/trial-1/from-1/checkpoints/LATEST")));
        first.destroyForcibly().waitFor();
        Files.writeString(gate, "");
        for (int results : List.of(3, 4, 8)) { // after four, copies are made
            Process process = Forked.hocket(here, said, List.of(), "sweep", "s.yaml", "--out", "killed", "--resume");
            await(said, () -> lines("killed").size() >= results);
            process.destroyForcibly().waitFor();
        }
        List<String> left = new ArrayList<>(runs("whole"));
        left.removeAll(runs("killed"));
        assertThat(left).as("copies that are not made yet").isNotEmpty();
        for (String copy : left) { // as if killed while copying
            Path half = here.resolve("killed").resolve(copy + ".unfinished");
            Files.createDirectories(half);
            Files.writeString(half.resolve("metrics.jsonl"), "{");
        }
        List<String> before = lines("killed");
        Ran last = ran(0, "sweep", "s.yaml", "--out", "killed", "--resume", "--at-once", "1");
        assertThat(last.out()).isEqualTo(whole.out());
        assertThat(lines("killed")).startsWith(before.toArray(String[]::new)).hasSize(4 * 3);
        assertSame("whole", "killed");
    }

    private List<String> lines(String folder) {
        try {
            Path file = here.resolve(folder).resolve("trials.jsonl");
            return Files.exists(file) ? new ArrayList<>(Files.readAllLines(file)) : List.of();
        } catch (IOException e) {
            return List.of();
        }
    }

    private static void await(Path said, BooleanSupplier wanted) throws Exception {
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!wanted.getAsBoolean()) {
            assertThat(System.nanoTime()).as(Files.readString(said)).isLessThan(until);
            Thread.sleep(10);
        }
    }
}
