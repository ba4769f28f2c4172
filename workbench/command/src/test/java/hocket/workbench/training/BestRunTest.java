package hocket.workbench.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import hocket.schedulers.Ring;
import hocket.schedulers.Trigger;
import hocket.schedulers.checkpoint.Checkpoints;
import hocket.workbench.command.Ran;
import hocket.workbench.files.experiment.ExperimentFile;
import hocket.workbench.files.json.JsonLines;
import hocket.workbench.runs.BestCheckpoint;
import hocket.workbench.runs.CommandContext;
import hocket.workbench.runs.RunFolder;
import hocket.workbench.testing.json.Parsed;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Runs that keep their best parameters. */
@Tag("engine")
class BestRunTest {
    private static final String TOY = "hocket.workbench.testing.ToyAgent";
    private static final String PASSING = "evaluation={class: " + TOY + ".Passing}";

    @TempDir
    private Path here = Path.of("");

    @BeforeEach
    void writeFile() {
        write("toy.yaml", """
                name: toy
                algorithm: {class: TOY, rounds: 30}
                on:
                  - {every: {rounds: 10}, do: [save]}
                  - {every: {rounds: 5}, do: [best]}
                """.replace("TOY", TOY));
    }

    private void write(String name, String text) {
        try {
            Files.writeString(here.resolve(name), text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Ran fine(String... args) {
        Ran ran = Ran.hocket(here, args);
        assertThat(ran.status()).as(ran.err()).isZero();
        return ran;
    }

    private void refused(String message, String... args) {
        Ran ran = Ran.hocket(here, args);
        assertThat(ran.err()).contains(message);
        assertThat(ran.errLines()).hasSize(1);
        assertThat(ran.status()).isEqualTo(2);
    }

    private Map<String, Double> numbers(String file) {
        return JsonLines.numbers(here.resolve(file));
    }

    private List<JsonNode> judged(String run, String name) throws IOException {
        return Parsed.objects(here.resolve(run).resolve("metrics.jsonl")).stream()
                .filter(line -> line.get("turn").asText().equals("evaluation")
                        && line.get("name").asText().equals(name))
                .toList();
    }

    @Test
    void aRunEndsWithTheScoresOfItsBest() throws IOException {
        Ran ran = fine("run", "toy.yaml", "--out", "a", "--set", PASSING);
        List<JsonNode> all = judged("a", "distance");
        assertThat(all).hasSize(6);
        JsonNode least = all.stream()
                .min(Comparator.comparingDouble(line -> line.get("value").asDouble()))
                .orElseThrow();
        long step = least.get("step").asLong();
        assertThat(step).isBetween(20L, 50L); // neither the first nor the last, or this would show nothing
        double distance = least.get("value").asDouble();
        assertThat(numbers("a/best.json")).isEqualTo(Map.of("step", (double) step, "distance", distance));
        assertThat(numbers("a/scores.json")).isEqualTo(Map.of("distance", distance));
        assertThat(Checkpoints.numbers(here.resolve("a/best"))).containsExactly(step);
        assertThat(ran.err())
                .contains("scoring the best, of step " + step + ", ", "best     distance ", "a/best/000000" + step)
                .contains("eval " + here.resolve("a") + " --best", "record " + here.resolve("a") + " --best --out");

        write("best.json", fine("eval", "a", "--best", "--json").out());
        assertThat(numbers("best.json")).isEqualTo(numbers("a/best.json"));
        write("end.json", fine("eval", "a", "--json").out());
        assertThat(numbers("end.json")).containsEntry("step", 60.0);
        assertThat(numbers("end.json").get("distance")).isGreaterThan(distance);
        fine("run", "toy.yaml", "--quiet", "--out", "b", "--set", "on=[]", "--set", "algorithm.rounds=" + step / 2);
        assertThat(fine("digest", "a", "--best").out())
                .isEqualTo(fine("digest", "b").out())
                .isNotEqualTo(fine("digest", "a").out());
        fine("record", "a", "--best", "--out", "agent.png");
    }

    @Test
    void theBestIsFoundByAsManyEpisodesAsIsSaidAndJudgedWithWhatItsTurnsRemembered() throws IOException {
        String watch = "on=[{every: {rounds: 7}, do: [{best: {episodes: 12}}]}]";
        fine("run", "toy.yaml", "--quiet", "--out", "a", "--set", watch);
        assertThat(judged("a", "episodes"))
                .hasSize(4)
                .allMatch(line -> line.get("value").asDouble() == 12);
        assertThat(numbers("a/best.json")).containsEntry("step", 56.0).containsEntry("episodes", 12.0);
        fine("run", "toy.yaml", "--quiet", "--out", "b", "--set", "on=[]", "--set", "rounds=28");
        assertThat(numbers("a/scores.json")).containsEntry("episodes", 5.0).isEqualTo(numbers("b/scores.json"));
        write(
                "more.json",
                fine("eval", "a", "--best", "--episodes", "12", "--json").out());
        assertThat(numbers("more.json")).isEqualTo(numbers("a/best.json"));
        assertThat(Files.readString(here.resolve("a/experiment.yaml"))).contains("episodes: 12");
        fine("run", "toy.yaml", "--quiet", "--out", "c");
        assertThat(judged("c", "episodes"))
                .hasSize(6)
                .allMatch(line -> line.get("value").asDouble() == 20);
    }

    /** Trains until a round, in which the run is told to stop, or dies. */
    private void part(String name, List<String> changes, int round, boolean dies) {
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
            run.ring(Ring.on(Trigger.everyRounds(round), now -> {
                if (dies) {
                    throw new IllegalStateException("the power went");
                }
                stopRequest.request(2);
            }));
            if (dies) {
                assertThatThrownBy(run::run).hasMessageContaining("the power went");
            } else {
                assertThat(run.run()).isEqualTo(130);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"13, false, false", "17, true, false", "20, true, false", "25, true, false", "17, true, true"})
    void aRunThatGoesOnKeepsWhatTheUninterruptedOneKeeps(int round, boolean dies, boolean passing) throws IOException {
        List<String> changes = passing ? List.of(PASSING) : List.of();
        String set = passing ? PASSING : "seed=7";
        fine("run", "toy.yaml", "--quiet", "--out", "whole", "--set", set);
        part("part", changes, round, dies);
        if (round == 17 && !passing) {
            assertThat(numbers("part/best.json")).containsEntry("step", 30.0); // of a later step than the checkpoint
            assertThat(Checkpoints.numbers(here.resolve("part/checkpoints"))).containsExactly(20L);
        }
        fine("run", "part", "--resume", "--quiet");
        for (String file : List.of("best.json", "scores.json")) {
            assertThat(here.resolve("part").resolve(file))
                    .hasSameTextualContentAs(here.resolve("whole").resolve(file));
        }
        long step = BestCheckpoint.of(new RunFolder(here.resolve("whole")))
                .orElseThrow()
                .step();
        assertThat(Checkpoints.numbers(here.resolve("part/best"))).containsExactly(step);
        assertThat(Checkpoints.read(here.resolve("part/best"), step))
                .isEqualTo(Checkpoints.read(here.resolve("whole/best"), step));
        assertThat(here.resolve("part/best/former.json")).doesNotExist();
        assertThat(fine("digest", "part").out())
                .isEqualTo(fine("digest", "whole").out());
        assertThat(judged("part", passing ? "distance" : "mean_return")).hasSize(6);
    }

    @Test
    void aBestThatNothingSaysOrKeepsIsRefused() {
        String[] plan = {"plan", "toy.yaml", "--set", ""};
        plan[3] = "evaluation={class: " + TOY + ".Weights}";
        refused("best needs an evaluation with a main score, and this one has none", plan);
        refused(
                "the result is not evaluated by episodes",
                "plan",
                "toy.yaml",
                "--set",
                PASSING,
                "--set",
                "on=[{every: {rounds: 7}, do: [{best: {episodes: 12}}]}]");
        refused("from 1", "plan", "toy.yaml", "--set", "on=[{every: {rounds: 7}, do: [{best: {episodes: 0}}]}]");
        fine("run", "toy.yaml", "--quiet", "--out", "a", "--set", "on=[]");
        for (String command : List.of("eval", "digest")) {
            refused("--best: " + here.resolve("a") + " keeps no best one", command, "a", "--best");
        }
        refused("keeps no best one", "record", "a", "--best", "--out", "x.gif");
        refused("keeps no best one", "sample", "a", "--best", "--count", "1", "--out", "x.npy");
        refused("--checkpoint and --best: give only one of them", "digest", "a", "--best", "--checkpoint", "60");
        assertThat(here.resolve("a/best.json")).doesNotExist();
    }
}
