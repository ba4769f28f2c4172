package hocket.workbench.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** A world of a user's own, by class in a file, from a folder that {@code --classpath} names. */
class OwnWorldTest {
    private static final String WORLD = """
            package my;

            import hocket.rl.envs.*;
            import hocket.rl.spaces.*;
            import hocket.schedulers.state.State;

            public class World extends EpisodicEnvironment {
                private int steps;

                public World() {
                    super("World", Box.of(1, 0, 20), new Discrete(2));
                }

                @Override
                protected void begin() {
                    steps = 0;
                }

                @Override
                protected void act(float[] action, int at) {
                    steps++;
                    outcome(REWARD, steps == 10);
                }

                @Override
                public void observe(float[] into, int at) {
                    into[at] = steps;
                }

                @Override
                protected State saveOwnState() {
                    return State.empty().with("steps", steps);
                }

                @Override
                protected void restoreOwnState(State state) {
                    steps = (int) state.whole("steps");
                }
            }
            """;
    private static final String FILE = """
            name: own
            algorithm:
              class: hocket.rl.algorithms.Ppo
              environment: my.World
              total_steps: 64
              rollout: 32
              minibatch: 32
              epochs: 1
            """;

    @TempDir
    Path here = Path.of("");

    private Ran run(String reward) throws IOException {
        return run(reward, "", "");
    }

    /** Without a class that it needs. */
    private Ran run(String reward, String missing) throws IOException {
        Ran ran = run(reward, missing, "");
        assertThat(ran.status()).as(ran.err()).isZero();
        Files.delete(here.resolve("classes/my/Missing.class"));
        return Ran.hocket(here, "run", "own.yaml", "--classpath", "classes", "--out", "without");
    }

    private Ran run(String reward, String beside, String member) throws IOException {
        compile(WORLD.replace("REWARD", reward).replace("private int steps;", "private int steps;" + member) + beside);
        Files.writeString(here.resolve("own.yaml"), FILE);
        return Ran.hocket(here, "run", "own.yaml", "--classpath", "classes", "--out", "run");
    }

    private void compile(String world) throws IOException {
        OwnClasses.folder(here, world);
    }

    @Test
    void aWorldOfOnesOwnIsTrainedInAndJudged() throws IOException {
        Ran ran = run("action[at]");
        assertThat(ran.status()).as(ran.err()).isZero();
        Ran judged = Ran.hocket(here, "eval", "run", "--episodes", "3");
        assertThat(judged.status()).as(judged.err()).isZero();
        assertThat(judged.out()).containsPattern("episode_length +10.0");
        Ran without = Ran.hocket(here, "plan", "own.yaml");
        assertThat(without.status()).isEqualTo(2);
        assertThat(without.err()).contains("own.yaml:4:16: algorithm/environment: there is no class my.World");
    }

    @Test
    void aWorldNeedsNoPackage() throws IOException {
        assertThat(run("1").status()).isZero();
        compile(WORLD.replace("package my;", "").replace("REWARD", "1"));
        Ran ran = Ran.hocket(here, "plan", "own.yaml", "--classpath", "classes", "--set", "environment=World");
        assertThat(ran.status()).as(ran.err()).isZero();
        Ran none = Ran.hocket(here, "plan", "own.yaml", "--classpath", "classes", "--set", "environment=Wrld");
        assertThat(none.err()).contains("there is no environment Wrld");
    }

    @Test
    void aWorldThatDoesNotSaveWhatItIsIsWarnedOf() throws IOException {
        String warning = "World, episode 1, step 3: it must show the same after restore as when it was saved";
        assertThat(run("1").err()).doesNotContain("warning");
        compile(WORLD.replace("REWARD", "1")
                .replace(".with(\"steps\", steps)", "")
                .replace("(int) state.whole(\"steps\")", "0"));
        Ran forgets = Ran.hocket(here, "run", "own.yaml", "--classpath", "classes", "--out", "forgets");
        assertThat(forgets.status()).as(forgets.err()).isZero();
        assertThat(forgets.err()).contains("warning  " + warning);
        Ran plan = Ran.hocket(here, "plan", "own.yaml", "--classpath", "classes");
        assertThat(plan.out().replaceAll("\\s+", " ")).contains(warning);
        Ran silent =
                Ran.hocket(here, "plan", "own.yaml", "--classpath", "classes", "--set", "environments.checked=false");
        assertThat(silent.out()).doesNotContain("after restore");
    }

    @Test
    void aWorldThatGoesWrongStopsTheRunByEpisodeAndStep() throws IOException {
        Ran ran = run("steps == 7 ? Double.NaN : 1");
        assertThat(ran.status()).isEqualTo(1);
        assertThat(ran.err())
                .contains(
                        "turn collect of round 0: World, environment 0, episode 1, step 7: the reward must be finite, was NaN")
                .doesNotContain("internal error")
                .endsWith(String.join(
                        "\n",
                        "lost     everything, as nothing was saved yet",
                        "trace    " + here.resolve("run/log.txt"),
                        ""));
    }

    @Test
    void aWorldThatThrowsIsNamed() throws IOException {
        Ran ran = run("steps == 7 ? 1 / (steps - 7) : 1");
        assertThat(ran.status()).isEqualTo(1);
        assertThat(ran.err())
                .contains(
                        "hocket: turn collect of round 0: World, environment 0, episode 1, step 7: class my.World failed:"
                                + " java.lang.ArithmeticException: / by zero")
                .doesNotContain("\tat ");
        assertThat(Ran.hocket(here, "run", "own.yaml", "--classpath", "classes", "--out", "again", "--trace")
                        .err())
                .contains("Caused by: java.lang.ArithmeticException: / by zero", "my.World.act(World.java:");
    }

    /** What a world may throw: the code, and how it is said. */
    private enum Bad {
        ASSERTION("throw new AssertionError(\"boo\");", "java.lang.AssertionError: boo"),
        STACK("return boo() + 1;", "java.lang.StackOverflowError"),
        CHECKED(
                "World.<RuntimeException>sneak(new java.io.IOException(\"boo\")); return 0;",
                "java.io.IOException: boo"),
        THROWABLE("World.<RuntimeException>sneak(new Throwable(\"boo\")); return 0;", "java.lang.Throwable: boo");

        private final String code;
        private final String said;

        Bad(String code, String said) {
            this.code = code;
            this.said = said;
        }
    }

    @ParameterizedTest
    @EnumSource
    void aWorldThatThrowsWhateverThereIsIsNamedWithItsPlace(Bad bad) throws IOException {
        Ran ran = run("steps == 7 ? boo() : 1", "", """

                double boo() { CODE }
                @SuppressWarnings("unchecked")
                static <T extends Throwable> void sneak(Throwable t) throws T { throw (T) t; }
                """.replace("CODE", bad.code));
        assertThat(ran.status()).isEqualTo(1);
        assertThat(ran.err())
                .contains(
                        "hocket: turn collect of round 0: World, environment 0, episode 1, step 7: class my.World failed: "
                                + bad.said + "\n")
                .doesNotContain("\tat ");
        assertThat(Files.readString(here.resolve("run/log.txt"))).contains("my.World.boo(World.java:");
    }

    @Test
    void aWorldThatLeavesNoMemoryIsNoMatterOfItsOwn() throws IOException {
        Ran ran =
                run("steps == 7 ? boo() : 1", "", "double boo() { throw new OutOfMemoryError(\"Java heap space\"); }");
        assertThat(ran.status()).isEqualTo(1);
        assertThat(ran.err())
                .contains("hocket: out of memory: more than the Java heap of ")
                .doesNotContain("\tat ");
    }

    @Test
    void aWorldThatSavesNullIsRefusedBeforeItIsTrainedIn() throws IOException {
        compile(WORLD.replace("REWARD", "1").replace("return State.empty().with(\"steps\", steps)", "return null"));
        Files.writeString(here.resolve("own.yaml"), FILE);
        Ran ran = Ran.hocket(here, "run", "own.yaml", "--classpath", "classes", "--out", "run");
        assertThat(ran.status()).as(ran.err()).isEqualTo(2);
        assertThat(ran.err())
                .contains(
                        "own.yaml:2:1: algorithm: World, environment 0, episode 0, step 0, in save: class my.World: saveOwnState() gave null\n")
                .doesNotContain("\tat ");
        assertThat(here.resolve("run")).doesNotExist();
    }

    @ParameterizedTest
    @CsvSource({"IllegalArgumentException, 2", "UnsupportedOperationException, 1", "AssertionError, 1"})
    void aWorldThatCannotGoBackIsNamedWithItsNumber(String thrown, int status) throws IOException {
        assertThat(run("1").status()).isZero();
        compile(WORLD.replace("REWARD", "1")
                .replace("steps = (int) state.whole(\"steps\");", "throw new " + thrown + "(\"cannot go back\");"));
        Ran ran = Ran.hocket(here, "run", "own.yaml", "--classpath", "classes", "--resume", "--out", "run");
        assertThat(ran.err())
                .containsPattern("World, environment 0, episode \\d, step \\d: class my.World could not be restored:"
                        + " java.lang." + thrown + ": cannot go back")
                .doesNotContain("\tat ");
        assertThat(ran.status()).isEqualTo(status);
    }

    @Test
    void onlyTheChangeThatIsAtFaultIsBlamed() throws IOException {
        Files.writeString(here.resolve("own.yaml"), FILE.replace("my.World", "CartPole-v1"));
        Ran ran = Ran.hocket(
                here,
                "plan",
                "own.yaml",
                "--set",
                "total_steps=512",
                "--set",
                "epochs=2",
                "--set",
                "environment=Taxi-v3");
        assertThat(ran.status()).isEqualTo(2);
        assertThat(ran.err())
                .startsWith(
                        "hocket: --set environment=Taxi-v3: algorithm/environment: there is no environment Taxi-v3");
    }

    @Test
    void anExpertThatIsNotForTheWorldIsRefusedAtItsLine() throws IOException {
        Files.writeString(here.resolve("own.yaml"), """
                algorithm:
                  class: hocket.rl.algorithms.BehaviourCloning
                  environment: Pendulum-v1
                  expert: hocket.rl.actors.CartPoleBalancer
                """);
        Ran ran = Ran.hocket(here, "plan", "own.yaml");
        assertThat(ran.status()).isEqualTo(2);
        assertThat(ran.err())
                .contains("own.yaml:4:11: algorithm/expert: CartPoleBalancer: needs the 4 numbers that"
                        + " CartPole-v1 gives");
    }

    @Test
    void aWorldThatLacksAClassIsNamed() throws IOException {
        Ran lacks = run("new Missing().value()", "class Missing { double value() { return 1; } }");
        assertThat(lacks.status()).isEqualTo(1);
        assertThat(lacks.err())
                .contains(
                        "hocket: turn collect of round 0: World, environment 0, episode 1, step 1: class my.World failed:"
                                + " it needs class my.Missing, which is not there");
    }

    @Test
    void aWorldWhoseInitialiserFailsIsRefusedAtItsLine() throws IOException {
        Ran fails = run("DOWN", "", "static final double DOWN = 1 / Integer.parseInt(\"0\");");
        assertThat(fails.status()).isEqualTo(2);
        assertThat(fails.err())
                .contains("own.yaml:4:16: algorithm/environment: class my.World failed: its static initialiser threw"
                        + " java.lang.ArithmeticException: / by zero");
    }
}
