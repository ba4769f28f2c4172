package hocket.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import hocket.rl.envs.gymnasium.GymnasiumEnvironments;
import java.nio.file.Files;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The commands of pages that train, literally, in an empty folder. Compilers and programs are processes of their own. */
@Tag("engine")
@Tag("processes")
class PagesTest extends PageCommands {
    private static final Pattern RATE = Pattern.compile("\"turn\":\"d\",\"name\":\"rate\",\"value\":([^,}]+)");

    @Test
    void theKindsOnThePageOfSchedulesWorkAsTheyStand() throws Exception {
        for (String kind : List.of("Zigzag", "Lasting", "Signum", "Triangle")) {
            Files.writeString(
                    folder.resolve(kind + ".java"), block("docs/schedules.md", "own: " + kind + ".java", "java"));
        }
        Files.writeString(folder.resolve("mine.yaml"), block("docs/schedules.md", "own: mine.yaml", "yaml"));
        String said = runHere(block("docs/schedules.md", "own: commands", "bash"));
        assertThat(said)
                .contains(
                        "Zigzag[of=[d, g]]",
                        "signum, rate triangle low 1.0e-4 high 0.001",
                        "when Lasting[series=d/loss")
                .contains("done in ");
        List<Double> rates = Files.readAllLines(folder.resolve("mine/metrics.jsonl")).stream()
                .map(RATE::matcher)
                .filter(Matcher::find)
                .map(rate -> Double.valueOf(rate.group(1)))
                .toList();
        // recorded in the first rounds, two updates each
        assertThat(rates.subList(0, 3))
                .usingElementComparator((a, b) -> Math.abs(a - b) < 1e-12 ? 0 : 1)
                .containsExactly(1.18e-4, 1.54e-4, 1.9e-4);
    }

    @Test
    void theCycleGanOnThePageOfNetworksTrainsDrawsAndIsScoredAsItStands() throws Exception {
        for (String name : List.of("Translators.java", "Arc.java", "CycleScores.java")) {
            Files.writeString(folder.resolve(name), block("docs/networks.md", "file: " + name, "java"));
        }
        Files.writeString(folder.resolve("cycle.yaml"), block("docs/networks.md", "file: cycle.yaml", "yaml"));
        String said = runHere(block("docs/networks.md", "commands: cycle", "bash"));
        assertThat(said)
                .contains("nothing looks wrong", "cycle_error", "frechet_distance", "wrote 500 samples (2) to")
                .doesNotContain("warning:");
        assertThat(folder.resolve("try/samples/latest.png")).isNotEmptyFile();
        assertThat(Files.size(folder.resolve("translated.npy"))).isBetween(500L * 2 * 4, 500L * 2 * 4 + 256);
    }

    @Test
    void anEnvironmentOfYourOwnIsLearntEvaluatedAndFilmedAsItStands() throws Exception {
        Files.writeString(
                folder.resolve("Thermostat.java"), block("docs/environments.md", "file: Thermostat.java", "java"));
        Files.writeString(
                folder.resolve("thermostat.yaml"), block("docs/environments.md", "file: thermostat.yaml", "yaml"));
        String said = runHere(block("docs/environments.md", "commands: environment", "bash"));
        assertThat(said).contains("nothing looks wrong").doesNotContain("warning:");
        Matcher returns = Pattern.compile("return_mean +(\\S+) +-\\d").matcher(said);
        assertThat(returns.find()).as(said).isTrue(); // of the evaluation, beside that of actions at random
        assertThat(Double.parseDouble(returns.group(1))).isGreaterThan(30);
        assertThat(folder.resolve("warm.gif")).isNotEmptyFile();
    }

    @Test
    void anEnvironmentOfPythonWithADictionaryAndMaskedChoicesIsLearntAsItStands() throws Exception {
        try {
            new GymnasiumEnvironments("CartPole-v1").versions();
        } catch (IllegalArgumentException e) {
            abort(e.getMessage());
        }
        Files.writeString(folder.resolve("lift.py"), block("docs/environments.md", "file: lift.py", "python"));
        String said = run(block("docs/environments.md", "commands: lift", "bash")); // Python imports from the folder
        assertThat(said)
                .contains("environments of Python", "nothing looks wrong")
                .doesNotContain("warning:", "forbids actions at times");
        Matcher returns = Pattern.compile("return_mean +(\\S+) +-?\\d").matcher(said);
        assertThat(returns.find()).as(said).isTrue();
        assertThat(Double.parseDouble(returns.group(1))).isGreaterThan(15); // at random about 8
    }

    @Test
    void agentsLearnFromRecordedStepsOfATeacherOfFewerStepsAsThePageSays() throws Exception {
        String commands = block("docs/agents.md", "commands: offline", "bash");
        assertThat(commands).contains("total_steps=10000");
        learnFromRecordedSteps(commands.replace("total_steps=10000", "total_steps=1024"));
    }

    @Tag("slow")
    @Test
    void agentsLearnFromRecordedStepsAsThePageSays() throws Exception {
        learnFromRecordedSteps(block("docs/agents.md", "commands: offline", "bash"));
    }

    private void learnFromRecordedSteps(String commands) throws Exception {
        Files.writeString(folder.resolve("iql.yaml"), block("docs/agents.md", "file: iql.yaml", "yaml"));
        String said = runHere(commands);
        assertThat(said).contains("of 50 episodes to ", "normalised_score");
        assertThat(folder.resolve("learner/checkpoints/LATEST")).isNotEmptyFile();
    }

    @Test
    void thePartsOnThePageOfGansTrainAsTheyStand() throws Exception {
        Files.writeString(folder.resolve("Drift.java"), block("docs/gans.md", "file: Drift.java", "java"));
        Files.writeString(folder.resolve("ring.yaml"), block("docs/gans.md", "file: ring.yaml", "yaml"));
        String said = runHere(block("docs/gans.md", "commands: gans", "bash"));
        assertThat(said).contains("nothing looks wrong").doesNotContain("warning:");
        assertThat(folder.resolve("ring/metrics.jsonl"))
                .content()
                .contains("\"turn\":\"d\",\"name\":\"drift\"", "\"turn\":\"d\",\"name\":\"penalty\"");
        assertThat(folder.resolve("hinge/metrics.jsonl")).content().contains("\"turn\":\"d\",\"name\":\"r1\"");
    }

    @Test
    void theCycleGanOfTwoFoldersTrainsWithPartsOfAJarAsItStands() throws Exception {
        for (String name : List.of("Folders", "Shallow", "TotalVariation")) {
            Files.writeString(
                    folder.resolve(name + ".java"), block("docs/cyclegan.md", "file: " + name + ".java", "java"));
        }
        String file = block("docs/cyclegan.md", "file: cycle.yaml", "yaml");
        assertThat(file.lines().count()).isLessThanOrEqualTo(40);
        Files.writeString(folder.resolve("cycle.yaml"), file);
        String said = runHere(block("docs/cyclegan.md", "commands: cyclegan", "bash"));
        assertThat(said)
                .contains("nothing looks wrong", "wrote 64 samples (1,16,16) to")
                .containsPattern("899 pictures found in \\S*digits")
                .doesNotContain("warning:");
        assertThat(folder.resolve("translated.png")).isNotEmptyFile();
        assertThat(folder.resolve("plain/checkpoints/LATEST")).isNotEmptyFile();
    }

    @Tag("slow")
    @Test
    void theGanBesidePyTorchsTrainsAsItStands() throws Exception {
        Files.writeString(
                folder.resolve("TwoPlayers.java"), block("docs/migrating.md", "file: TwoPlayers.java", "java"));
        String said = run(block("docs/migrating.md", "commands: players", "bash"));
        assertThat(folder.resolve("checkpoints/LATEST")).isNotEmptyFile();
        assertThat(Double.parseDouble(said.strip())).isBetween(1.9, 2.1);
    }

    @Tag("slow")
    @Test
    void theScoresOnThePageOfGansExposeAMemoriserAndAGaussian() throws Exception {
        String said = runHere(block("docs/gans.md", "commands: scores", "bash"));
        assertThat(said)
                .containsPattern("N +1498 +1498 +749 +1498 +299")
                .containsPattern("nearest_neighbour_ratio +0\\.8\\d+ +0\\.0000 +- +0\\.9401 +0\\.8033")
                .containsPattern("precision +0\\.9\\d+ +1\\.0000 +0\\.9559 +0\\.1155 +0\\.9532")
                .containsPattern("\"gaussian\":\\{\"rows\":1498,[^}]*\"frechet_distance\":0\\.2[34]");
    }

    @Test
    void theModelsOfATextOnThePageOfSequencesTrainAsTheyStand() throws Exception {
        for (String name : List.of("CharacterGru", "CarriedGru")) {
            Files.writeString(
                    folder.resolve(name + ".java"), block("docs/sequences.md", "file: " + name + ".java", "java"));
        }
        for (String name : List.of("characters.yaml", "carried.yaml")) {
            Files.writeString(folder.resolve(name), block("docs/sequences.md", "file: " + name, "yaml"));
        }
        assertThat(runHere(block("docs/sequences.md", "commands: characters", "bash")))
                .contains("182311 characters, 96 different ones", "nothing looks wrong", "done in ");
        assertThat(runHere(block("docs/sequences.md", "commands: carried", "bash")))
                .contains("done in ");
        String unfit = "hocket plan carried.yaml --classpath classes --set feeds.train.lanes=false";
        assertThat(runHere(unfit)).contains("turn learn carries a state, and rows of train do not continue");
    }
}
