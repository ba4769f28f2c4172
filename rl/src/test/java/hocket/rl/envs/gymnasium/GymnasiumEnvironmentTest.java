package hocket.rl.envs.gymnasium;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import hocket.rl.envs.Autoreset;
import hocket.rl.envs.CheckedEnvironment;
import hocket.rl.envs.Environment;
import hocket.rl.envs.EnvironmentChecker;
import hocket.rl.envs.EnvironmentChecks;
import hocket.rl.envs.Environments;
import hocket.rl.envs.ForwardingEnvironment;
import hocket.rl.envs.VectorEnvironment;
import hocket.rl.envs.wrappers.TimeLimit;
import hocket.rl.random.Pcg64;
import hocket.rl.spaces.Box;
import hocket.rl.spaces.Discrete;
import hocket.rl.spaces.MultiBinary;
import hocket.rl.spaces.MultiDiscrete;
import hocket.schedulers.state.State;
import hocket.scopes.Shape;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GymnasiumEnvironmentTest {
    private static final PythonSettings USUAL = PythonSettings.usual();
    private static final String OWN = "src.test.python.worlds:";

    @BeforeAll
    static void needsGymnasium() {
        Gymnasium.require();
    }

    private static GymnasiumEnvironments broken(String how, PythonSettings python) {
        return new GymnasiumEnvironments(OWN + "Broken-v0", Map.of("how", how), python);
    }

    @ParameterizedTest
    @ValueSource(strings = {"CartPole-v1", "Acrobot-v1", "MountainCar-v0", "Taxi-v4"})
    void anEnvironmentOfPythonIsHocketsOwnOfThatName(String name) {
        Environment own = Environments.make(name);
        Environment python = new GymnasiumEnvironments(name).get();
        assertThat(python.observations()).isEqualTo(own.observations());
        assertThat(python.actions()).isEqualTo(own.actions());
        assertThat(python.maxEpisodeSteps()).isEqualTo(own.maxEpisodeSteps());
        python.reset(Pcg64.of(3));
        own.reset(Pcg64.of(Pcg64.of(3).nextInt() & Integer.MAX_VALUE)); // the seed of its first episode
        Pcg64 chooser = Pcg64.of(4);
        for (int step = 0; step < 200 && !own.terminated(); step++) {
            assertThat(seen(python)).containsExactly(seen(own), within(1e-6f));
            float[] action = own.actions().sample(chooser);
            own.step(action, 0);
            python.step(action, 0);
            assertThat(python.reward()).isEqualTo(own.reward());
            assertThat(python.terminated()).isEqualTo(own.terminated());
            assertThat(python.masks()).isEqualTo(own.masks());
            assertThat(mask(python)).containsExactly(mask(own));
        }
    }

    private static float[] mask(Environment environment) {
        float[] mask = new float[environment.masks() ? environment.actions().maskWidth() : 0];
        if (mask.length > 0) {
            environment.mask(mask, 0);
        }
        return mask;
    }

    private static Offset<Float> within(float offset) {
        return Offset.offset(offset);
    }

    private static float[] seen(Environment environment) {
        float[] seen = new float[environment.observations().width()];
        environment.observe(seen, 0);
        return seen;
    }

    @ParameterizedTest
    @ValueSource(strings = {"CartPole-v1", "Pendulum-v1", OWN + "Line-v0"})
    void anEnvironmentOfPythonKeepsAllPromises(String id) {
        assertThat(EnvironmentChecker.check(new GymnasiumEnvironments(id))).isEmpty();
    }

    @Test
    void environmentsStepAlikeInOneProcessAndInTwoAndOneAfterTheOther() {
        List<float[]> together = played(new GymnasiumEnvironments("CartPole-v1", Map.of(), USUAL.processes(2)), 5);
        List<float[]> one = played(new GymnasiumEnvironments("CartPole-v1", Map.of(), USUAL.processes(1)), 5);
        assertThat(together).usingRecursiveComparison().isEqualTo(one);
        List<float[]> unannounced = played(() -> new Unannounced(new GymnasiumEnvironments("CartPole-v1").get()), 5);
        assertThat(together).usingRecursiveComparison().isEqualTo(unannounced);
    }

    /** Announces another action than it takes, as a careless wrapper may. */
    private static final class Unannounced extends ForwardingEnvironment {
        Unannounced(Environment inner) {
            super(inner);
        }

        @Override
        public void prepare(float[] action, int at) {
            super.prepare(new float[] {1 - action[at]}, 0);
        }
    }

    private static List<float[]> played(Supplier<? extends Environment> environment, int count) {
        VectorEnvironment all = VectorEnvironment.of(environment, count, Autoreset.SAME_STEP);
        all.reset(1);
        Pcg64 chooser = Pcg64.of(2);
        List<float[]> seen = new ArrayList<>();
        for (int step = 0; step < 100; step++) {
            for (int i = 0; i < count; i++) {
                all.actionSpace().sample(chooser, all.actions(), i);
            }
            all.step();
            seen.add(all.observations().clone());
        }
        return seen;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "raises|step 4: ValueError: the wheel came off (worlds.py, line ",
                "exits|step 4: Python has ended with status 3: out of fuel",
                "dies|step 4: Python has ended by signal 9",
                "hangs|step 4: Python has not answered for 1 seconds in hangs (worlds.py, line ",
                "nan|step 4: the reward must be finite, was NaN",
                "infinite|step 4: an observation must be finite, was ",
                "shape|step 4: an observation must have shape (2,) and type float32, had shape (3,) and type float32",
                "dtype|step 4: an observation must have shape (2,) and type float32, had shape (2,) and type <U1",
                "nothing|step 4: a reward must be a number, was None",
                "damages|step 4: Python's answer is damaged, and it was ended: something else has written to its pipe",
                "explains|step 4: ValueError: the wheel came off: its nut was loose (worlds.py, line ",
                "word|step 4: terminated must be true or false, was 'no'",
                "several|step 4: a reward must be a number, was array([0., 0.])",
                "four|step 4: step must return observation, reward, terminated, truncated and info, reset observation and info (Value",
                "forgets|step 4: step must return observation, reward, terminated, truncated and info, reset observation and info (Type"
            })
    void aBrokenEnvironmentIsNamedWithItsEpisodeAndStep(String how, String message) {
        Environment environment =
                CheckedEnvironment.unlessBuiltIn(broken(how, USUAL.timeout(1)).get(), 7);
        environment.reset(Pcg64.of(1));
        float[] none = {0};
        for (int step = 1; step < 4; step++) {
            environment.step(none, 0);
        }
        assertThatThrownBy(() -> environment.step(none, 0))
                .hasMessageStartingWith("gym:" + OWN + "Broken-v0, environment 7, episode 1, " + message);
    }

    /** As Gymnasium, which warns; numbers that are stored as bytes cannot be others. */
    @Test
    void realNumbersMayLeaveTheirBoundsAndWholeOnesMayNot() {
        GymnasiumEnvironments outside = broken("outside", USUAL);
        Environment environment = CheckedEnvironment.unlessBuiltIn(outside.get());
        environment.reset(Pcg64.of(1));
        for (int step = 1; step <= 4; step++) {
            assertThat(outside.hasNoticedBounds()).isFalse();
            environment.step(new float[] {0}, 0);
        }
        assertThat(outside.hasNoticedBounds()).isTrue();
        assertThat(seen(environment)).containsExactly(2e6f, 0);
        environment.step(new float[] {0}, 0);
        GymnasiumEnvironments infinite = broken("infinite", USUAL);
        Environment refused = CheckedEnvironment.unlessBuiltIn(infinite.get());
        refused.reset(Pcg64.of(1));
        for (int step = 1; step < 4; step++) {
            refused.step(new float[] {0}, 0);
        }
        assertThatThrownBy(() -> refused.step(new float[] {0}, 0)).hasMessageContaining("must be finite");
        assertThat(infinite.hasNoticedBounds()).isFalse(); // the check that ends the run names it
        Box pixels = Box.of(1, 0, 255).whole();
        assertThatThrownBy(() ->
                        EnvironmentChecks.requireObservation(() -> "step 4", outside.get(), pixels, new float[] {300}))
                .hasMessageStartingWith("step 4: an observation must be of Box(1) of whole numbers");
    }

    @Test
    void aClosedEnvironmentIsClosedInPython(@TempDir Path folder) throws IOException {
        Path said = folder.resolve("closed");
        Map<String, String> options = Map.of("file", "'" + said + "'");
        VectorEnvironment all = VectorEnvironment.of(
                new GymnasiumEnvironments(OWN + "Closing-v0", options, USUAL), 3, Autoreset.SAME_STEP);
        all.reset(1);
        Files.deleteIfExists(said); // of the one that was described
        for (int step = 1; step <= 3; step++) {
            all.step();
        }
        assertThatThrownBy(all::step).hasMessageContaining("the wheel came off"); // a failed one is closed, too
        all.close();
        all.close();
        assertThat(Files.readAllLines(said)).isEqualTo(List.of("closed", "closed", "closed"));
    }

    @ParameterizedTest
    @CsvSource({"late, a step only", "reset, reset only"})
    void aMaskThatIsNotAlwaysGivenIsRefused(String where, String only) {
        GymnasiumEnvironments late = new GymnasiumEnvironments(OWN + "Signals-v0", Map.of("where", where), USUAL);
        Environment environment = CheckedEnvironment.unlessBuiltIn(late.get());
        environment.reset(Pcg64.of(1));
        float forbidden = List.of(seen(environment)[0], seen(environment)[1], seen(environment)[2])
                .indexOf(1f);
        assertThatThrownBy(() -> environment.step(new float[] {(forbidden + 1) % 3, 1}, 0))
                .hasMessageContaining("step 1: a mask of actions must be given at ")
                .hasMessageContaining("too, was given at " + only);
    }

    @Test
    void whatAnEnvironmentPrintsIsNoAnswer() {
        Environment environment = broken("prints", USUAL).get();
        environment.reset(Pcg64.of(1));
        float[] right = {1};
        double before = seen(environment)[0];
        for (int step = 1; step <= 5; step++) {
            environment.step(right, 0);
            assertThat(environment.reward()).isEqualTo(before + step);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"raises", "exits", "dies", "hangs"})
    void aFailureThatIsSurvivedTruncatesItsEpisodeAlone(String how) {
        VectorEnvironment all =
                VectorEnvironment.of(broken(how, USUAL.timeout(1).restarts(2).processes(1)), 2, Autoreset.SAME_STEP);
        List<Integer> lengths = new ArrayList<>();
        all.listen((environment, reward, length) -> lengths.add(length));
        all.reset(1);
        for (int step = 1; step <= 4; step++) {
            all.step();
        }
        assertThat(lengths).isEqualTo(List.of(4, 4));
        assertThat(all.truncated()).containsExactly(true, true);
        for (int step = 1; step < 4; step++) {
            all.step();
        }
        assertThatThrownBy(all::step).hasMessageContaining(how.equals("raises") ? "ValueError" : "Python has");
    }

    @Test
    void theCheckBeforeARunUsesUpNoFailureThatIsSurvived() {
        GymnasiumEnvironments made = broken("raises", USUAL.restarts(1).processes(1));
        assertThat(EnvironmentChecker.checkUnlessBuiltIn(made.withoutRestarts()))
                .anyMatch(
                        finding -> finding.contains("must work without exceptions") && finding.contains("ValueError"));
        Environment environment = made.get();
        environment.reset(Pcg64.of(1));
        for (int step = 1; step <= 4; step++) {
            environment.step(new float[] {1}, 0);
        }
        assertThat(environment.truncated()).isTrue();
    }

    @Test
    void theEndOfOneEnvironmentChangesNoOtherOfItsProcess() {
        GymnasiumEnvironments one = broken("exits", USUAL.restarts(1).processes(1));
        List<Environment> made = List.of(one.get(), new TimeLimit(one.get(), 3));
        Iterator<Environment> next = made.iterator();
        VectorEnvironment all = VectorEnvironment.of(next::next, 2, Autoreset.SAME_STEP);
        List<Integer> ended = new ArrayList<>();
        all.listen((environment, reward, length) -> ended.add(10 * environment + length));
        all.reset(1);
        for (int step = 1; step <= 6; step++) {
            all.step();
        }
        assertThat(ended).isEqualTo(List.of(13, 4, 13));
    }

    @Test
    void theEndOfOneEnvironmentIsNotThatOfOneThatResetsBefore() {
        GymnasiumEnvironments one = broken("exits", USUAL.restarts(1).processes(1));
        Iterator<Environment> made =
                List.of(new TimeLimit(one.get(), 2), one.get()).iterator();
        VectorEnvironment all = VectorEnvironment.of(made::next, 2, Autoreset.SAME_STEP);
        List<Integer> ended = new ArrayList<>();
        all.listen((environment, reward, length) -> ended.add(10 * environment + length));
        all.reset(1);
        for (int step = 1; step <= 6; step++) {
            all.step();
        }
        assertThat(ended).isEqualTo(List.of(2, 2, 14, 2));
    }

    @Test
    void aProcessThatEndsBetweenRequestsHasFailed() throws InterruptedException {
        Environment environment =
                CheckedEnvironment.unlessBuiltIn(broken("exits_later", USUAL).get(), 7);
        environment.reset(Pcg64.of(1));
        for (int step = 1; step <= 4; step++) {
            environment.step(new float[] {1}, 0);
        }
        Thread.sleep(1000); // until it has ended
        assertThatThrownBy(() -> environment.step(new float[] {1}, 0))
                .hasMessageContaining("step 5: Python has ended with status 3: out of fuel");
    }

    @Test
    void processesEndWithTheirEnvironmentsThoughARequestIsUnderWay() throws InterruptedException {
        Set<ProcessHandle> before = processes();
        announce();
        Set<ProcessHandle> started = processes();
        started.removeAll(before);
        assertThat(started).hasSize(1);
        for (int i = 0; i < 100 && processes().containsAll(started); i++) {
            System.gc();
            Thread.sleep(100);
        }
        assertThat(processes()).doesNotContainAnyElementsOf(started);
    }

    private static void announce() {
        Environment environment = new GymnasiumEnvironments(OWN + "Line-v0", Map.of(), USUAL.processes(1)).get();
        environment.reset(Pcg64.of(1));
        environment.prepare(new float[] {1}, 0);
    }

    private static Set<ProcessHandle> processes() {
        return ProcessHandle.current().children().collect(Collectors.toSet());
    }

    @Test
    void moreRequestsThanAPipeHoldsAreAnsweredInTurn() {
        int count = 6000; // 9 bytes each to one process, and 17 bytes back
        GymnasiumEnvironments lines = new GymnasiumEnvironments(OWN + "Line-v0", Map.of(), USUAL.processes(1));
        VectorEnvironment all = VectorEnvironment.of(lines, count, Autoreset.SAME_STEP);
        all.reset(1);
        Arrays.fill(all.actions(), 1);
        float[] before = all.observations().clone();
        all.step();
        for (int i = 0; i < count; i++) {
            assertThat(all.observations()[2 * i]).isEqualTo(before[2 * i] + 1);
        }
    }

    @Test
    void aStepAfterTheEndIsRefused() {
        Environment environment = new GymnasiumEnvironments(OWN + "Line-v0").get();
        environment.reset(Pcg64.of(1));
        while (!environment.terminated()) {
            environment.step(new float[] {1}, 0);
        }
        assertThatThrownBy(() -> environment.step(new float[] {1}, 0)).hasMessageContaining("the episode has ended");
    }

    @Test
    void anEpisodeIsContinuedInAnotherProcess() {
        Environment environment = new GymnasiumEnvironments(OWN + "Line-v0").get();
        environment.reset(Pcg64.of(1));
        environment.step(new float[] {1}, 0);
        environment.step(new float[] {1}, 0);
        State saved = environment.save();
        Environment other = new GymnasiumEnvironments(OWN + "Line-v0").get();
        other.restore(saved);
        assertThat(seen(other)).containsExactly(seen(environment));
        environment.step(new float[] {-1}, 0);
        other.step(new float[] {-1}, 0);
        assertThat(seen(other)).containsExactly(seen(environment));
    }

    @Test
    void anEpisodeThatGoesAnotherWayWhenPlayedAgainIsNotContinued() {
        Supplier<Environment> dreaming = new GymnasiumEnvironments(OWN + "Dreaming-v0");
        Environment environment = dreaming.get();
        environment.reset(Pcg64.of(1));
        environment.step(new float[] {1}, 0);
        State saved = environment.save();
        Environment other = dreaming.get();
        assertThatThrownBy(() -> other.restore(saved)).hasMessageContaining("went another way");
        other.reset(Pcg64.of(2)); // it is as before
        assertThat(String.join("\n", EnvironmentChecker.check(dreaming))).contains("must continue alike");
    }

    @Test
    void spacesAreThoseOfPython() {
        assertThat(spaces("box", "box").observations())
                .isEqualTo(new Box(new float[] {-1, 0}, new float[] {1, Float.POSITIVE_INFINITY}));
        assertThat(spaces("image", "box").observations().toString()).startsWith("Box(2,3,1) of whole numbers [0.0, ");
        assertThat(((Box) spaces("image", "box").observations()).shape()).isEqualTo(Shape.of(2, 3, 1));
        assertThat(spaces("dictionary", "box").observations().width()).isEqualTo(5);
        assertThat(spaces("multi_discrete", "multi_binary").observations()).isEqualTo(MultiDiscrete.of(3, 2));
        assertThat(spaces("multi_binary", "multi_discrete").observations()).isEqualTo(new MultiBinary(4));
        assertThat(new GymnasiumEnvironments(OWN + "Line-v0").get().actions()).isEqualTo(new Discrete(3, -1));
    }

    @Test
    void aDictionaryOfChoicesIsOneActionOfSeveral() {
        assertThat(spaces("box", "choices").actions()).isEqualTo(MultiDiscrete.of(3, 2, 4));
        assertThat(spaces("box", "boxes").actions().width()).isEqualTo(3);
    }

    @Test
    void theEndOfAnEpisodeNeedsNoMask() {
        GymnasiumEnvironments signals =
                new GymnasiumEnvironments(OWN + "Signals-v0", Map.of("where", "until the end"), USUAL);
        Environment environment = CheckedEnvironment.unlessBuiltIn(signals.get());
        environment.reset(Pcg64.of(1));
        for (int step = 1; step <= 20; step++) {
            float[] seen = seen(environment);
            int forbidden = List.of(seen[0], seen[1], seen[2]).indexOf(1f);
            environment.step(new float[] {(forbidden + 1) % 3, 1}, 0);
        }
        assertThat(environment.terminated()).isTrue();
        assertThat(mask(environment)).containsOnly(0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"observation", "information", "method"})
    void aMaskIsReadWhereverPythonsEnvironmentsHaveIt(String where) {
        GymnasiumEnvironments signals = new GymnasiumEnvironments(OWN + "Signals-v0", Map.of("where", where), USUAL);
        assertThat(EnvironmentChecker.check(signals)).isEmpty();
        Environment environment = CheckedEnvironment.unlessBuiltIn(signals.get());
        assertThat(environment.actions()).isEqualTo(MultiDiscrete.of(3, 2));
        assertThat(environment.observations().width()).isEqualTo(5);
        environment.reset(Pcg64.of(1));
        for (int step = 0; step < 20; step++) {
            float[] seen = seen(environment);
            float[] mask = mask(environment);
            assertThat(mask).hasSize(5).containsOnly(0, 1);
            int forbidden = List.of(seen[0], seen[1], seen[2]).indexOf(1f);
            assertThat(mask[forbidden]).isZero();
            environment.step(new float[] {(forbidden + 1) % 3, 1}, 0);
        }
        State saved = environment.save();
        Environment other = CheckedEnvironment.unlessBuiltIn(signals.get());
        other.restore(saved);
        assertThat(mask(other)).containsExactly(mask(environment));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "wrong|a mask of actions must have 5 numbers for MultiDiscrete([3 2]), had 4",
                "twos|a mask of actions must have numbers 0 and 1, was [",
                "swapped|an observation, part gear, must have shape () and type int64, had shape (2,) and type int64",
                "missing|an observation must have the parts ['gear', 'place'], had ['place']"
            })
    void aWrongMaskOrPartIsRefused(String where, String message) {
        refused(() -> new GymnasiumEnvironments(OWN + "Signals-v0", Map.of("where", where), USUAL).get(), message);
    }

    private static Environment spaces(String observed, String taken) {
        Environment environment =
                new GymnasiumEnvironments(OWN + "Spaces-v0", Map.of("observed", observed, "taken", taken), USUAL).get();
        environment.reset(Pcg64.of(1));
        float[] action = environment.actions().sample(Pcg64.of(2));
        environment.step(action, 0);
        assertThat(environment.reward()).isEqualTo(1);
        assertThat(environment.observations().contains(seen(environment), 0)).isTrue();
        return environment;
    }

    @Test
    void whatCannotBeMadeIsRefusedByName() {
        refused(() -> new GymnasiumEnvironments("Hoppper-v5").get(), "gym:Hoppper-v5: ", "Hopper");
        refused(
                () -> new GymnasiumEnvironments("CartPole-v1", Map.of("wheels", "3"), USUAL).get(),
                "gym:CartPole-v1 with {wheels=3}: TypeError: ",
                "wheels");
        refused(
                () -> new GymnasiumEnvironments(OWN + "Spaces-v0", Map.of("observed", "box", "taken", "mixture"), USUAL)
                        .get(),
                "actions are of Tuple(Box(",
                "of which Hocket knows those that have only choices, or only boxes");
    }

    private static void refused(ThrowingCallable make, String... parts) {
        assertThatThrownBy(make).isInstanceOf(IllegalArgumentException.class).hasMessageContainingAll(parts);
    }

    @Test
    void pythonDrawsItsPicture() {
        assumeTrue(hasPygame(), "pygame draws CartPole");
        Environment environment = new GymnasiumEnvironments("CartPole-v1").get();
        environment.reset(Pcg64.of(1));
        environment.step(new float[] {1}, 0);
        float[] before = seen(environment);
        BufferedImage image = new BufferedImage(150, 100, BufferedImage.TYPE_INT_RGB);
        environment.draw(image.createGraphics(), 150, 100);
        int[] colours = image.getRGB(0, 0, 150, 100, null, 0, 150);
        assertThat(Arrays.stream(colours).distinct().count()).isGreaterThan(2);
        assertThat(seen(environment)).containsExactly(before);
    }

    private static boolean hasPygame() {
        try {
            return new ProcessBuilder(PythonWorker.interpreter(), "-c", "import pygame")
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** A Hocket that is killed closes the input of its processes, but one in which an environment hangs does not read it. */
    @Test
    void aProcessEndsAfterItsParentWhateverItsInput() throws Exception {
        String open = "sleep 60 | \"$0\" -c \"$1\" & echo $!; wait";
        Process parent = new ProcessBuilder("sh", "-c", open, PythonWorker.interpreter(), PythonWorker.PROGRAM).start();
        ProcessHandle worker = ProcessHandle.of(
                        Long.parseLong(parent.inputReader().readLine()))
                .orElseThrow();
        Thread.sleep(2000); // it has begun
        assertThat(worker.isAlive()).isTrue();
        parent.destroyForcibly();
        worker.onExit().get(30, TimeUnit.SECONDS);
    }
}
