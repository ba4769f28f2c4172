package hocket.workbench.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import hocket.schedulers.checkpoint.Checkpoints;
import hocket.workbench.runs.RunFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A run whose process is killed again and again, at moments of chance, comes to what the uninterrupted one comes to: digests,
 * the whole state, metrics to the line. {@code mvn test -Pslow -Dtest=KillTest -Dhocket.kills=50} kills each run 50 times.
 */
@Tag("engine")
@Tag("processes")
class KillTest {
    private static final int FEW = 2;
    private static final int KILLS = Integer.getInteger("hocket.kills", 50);

    /** Kills by the clock begin here: a process must have started to write anything. */
    private static final int STARTING_MILLIS = 400;

    private static final Path EXAMPLES =
            Path.of(System.getProperty("hocket.root", "../.."), "examples/src/main/java/hocket/examples");

    @TempDir
    private Path here;

    /** What is trained: small, but nothing left out; a checkpoint every few rounds. */
    enum Trained {
        DIGITS_GAN("""
                include: digits-gan
                network: {width: 4}
                feeds: {digits: {batch: 8}}
                budget: {rounds: %d}
                """, 4, 300, 6000),
        RING_BY_A_SCHEDULE_OF_ONES_OWN("""
                include: gaussian-ring
                network: {width: 16}
                budget: {rounds: %d}
                plan: {sequence: [{play: {extragradient: {}}, of: [d, g]}, {class: Zigzag, of: [d, g]}]}
                evaluation: {samples: 100}
                """, 10, 300, 12_000),
        ADAPTIVE_AUGMENTATION_A_LAZY_TERM_AND_A_POOL(
                """
                seed: 7
                network:
                  class: Gan
                  latent: 8
                  generator: {dcgan: {width: 4}}
                  discriminator: {dcgan: {width: 4, norm: none}}
                  terms: [{lazy: {every: 4, term: r1}}]
                  augmentation: {adaptive: {policy: [translation, brightness]}}
                  pool: 3
                feeds: {digits: {class: Optdigits, batch: 8, resample: each-turn, shuffled: true}}
                turns:
                  d:
                    program: discriminator
                    updates: {"discriminator/**": {adam: {rate: 1e-3}}}
                    carries: {pool: pool_next}
                  r1: {program: r1, optimizer_of: d}
                  g: {program: generator, updates: {"generator/**": {adam: {rate: 1e-3}}}}
                plan: {sequence: [d, {when: {rounds: 4}, of: r1}, g]}
                budget: {rounds: %d}
                """,
                5, 300, 6000, ", {every: {rounds: 3}, do: [{class: AdjustAugmentation, every: 3, batch: 8, kimg: 1}]}"),
        CARTPOLE_DQN("""
                include: cartpole-dqn
                algorithm: {total_steps: %d}
                """, 10, 2000, 100_000),
        CARRIED_STATE("""
                seed: 7
                network: {class: CarriedGru}
                feeds: {text: {class: HocketPages, part: held-out, steps: 8, batch: 4, lanes: true}}
                turns:
                  learn: {program: learn, updates: {"model/**": {adam: {rate: 1e-2}}}, carries: {state: model/next}}
                plan: learn
                budget: {rounds: %d}
                """, 10, 400, 20_000),
        AGENT_WITH_MEMORY("""
                seed: 7
                algorithm: {class: hocket.examples.RecurrentAgent, environments: 4, rollout: 5, units: 8, total_steps: %d}
                """, 10, 10_000, 400_000), // checkpoints are within episodes, of 8 steps
        PENDULUM_SAC("""
                include: pendulum-sac
                algorithm: {total_steps: %d, learning_starts: 50, hidden: [128, 128], batch: 96}
                """, 40, 400, 20_000),
        PRIORITISED_REPLAY("""
                include: cartpole-rainbow
                algorithm: {total_steps: %d, learning_starts: 200, hidden: [32], batch: 16}
                """, 20, 6000, 200_000),
        SELF_PLAY("""
                include: tictactoe-selfplay
                algorithm:
                  opponents: 3
                  freeze_every: 15
                  rating_games: 4
                  agent: {total_steps: %d, environments: {count: 4}, rollout: 16, minibatch: 64, epochs: 2, hidden: [32]}
                """, 10, 20_000, 1_000_000),
        WORLD_MODEL("""
                include: pendulum-dreamer
                algorithm: {total_steps: %d, memory_units: 8, hidden: [16], horizon: 5}
                """, 5, 1300, 10_000),
        PAGES_PREFERENCES("""
                include: pages-preferences
                algorithm:
                  model: {width: 8, blocks: 1, heads: 2, feed_forward: 8}
                  prompt: 4
                  continuation: 4
                  batch: 8
                  pairs: 8
                  episodes: 8
                  pretrain_updates: 100
                  reward_rounds: 50
                  ppo_rounds: %d
                """, 10, 200, 6000);

        private final String file;
        private final int every;
        private final int few;
        private final int many;
        private final String actions;

        Trained(String file, int every, int few, int many) {
            this(file, every, few, many, "");
        }

        /**
         * @param every number of rounds between checkpoints
         * @param few rounds or steps, enough for two kills
         * @param many rounds or steps, enough for fifty kills
         * @param actions besides saving
         */
        Trained(String file, int every, int few, int many, String actions) {
            this.actions = actions;
            this.file = file;
            this.every = every;
            this.few = few;
            this.many = many;
        }

        String file(int kills) {
            return file.formatted(kills <= FEW ? few : many) + "on: [{every: {rounds: " + every + "}, do: [save]}"
                    + actions + "]\n" + "checkpoints: {every: " + 200 * every + "}\n";
        }
    }

    private static final String ZIGZAG = """
            import hocket.schedulers.*;
            import hocket.schedulers.settings.Setting;
            import java.util.List;

            /** Goes through its parts forward, then backward. */
            public record Zigzag(@Setting(help = "the parts") List<Plan> of) implements Node<Zigzag.At> {
                public record At(int taken) {}
                public List<Plan> parts() { return of; }
                public Plan with(List<Plan> parts) { return new Zigzag(parts); }
                public At start() { return new At(0); }
                public Move<At> next(At at, ScheduleView view) {
                    if (at.taken() == 2 * of.size()) {
                        return Move.end(start());
                    }
                    int place = at.taken() % of.size();
                    return Move.take(at.taken() < of.size() ? place : of.size() - 1 - place, new At(at.taken() + 1));
                }
            }
            """;

    private static final String CARRIED_GRU = """
            import static hocket.programs.Layers.dense;
            import static hocket.programs.Layers.embedding;
            import static hocket.programs.Operators.mean;
            import static hocket.programs.Operators.slice;
            import static hocket.programs.Operators.softmaxCrossEntropy;

            import hocket.programs.*;
            import hocket.programs.layers.Recurrence;
            import hocket.schedulers.Columns;
            import hocket.schedulers.settings.*;
            import hocket.scopes.*;

            public record CarriedGru() implements NetworkDefinition {
                public Networks build(Columns columns) {
                    Graph graph = new Graph();
                    Recurrence cells = Recurrence.gru(8);
                    Value text = graph.input("text", columns.shape("text"), ElementType.INT64);
                    Value state = graph.input("state", cells.stateShape());
                    int steps = text.shape().get(0) - 1;
                    Value loss;
                    try (Scope<Value> model = graph.module("model")) {
                        Value x = embedding("characters", slice(text, 0, 0, steps), 96, 8);
                        Recurrence.Unrolled run = cells.apply("cells", x, state, null);
                        graph.name("next", run.state());
                        Value logits = dense("logits", run.outputs(), 96);
                        loss = mean(softmaxCrossEntropy(logits, slice(text, 0, 1, steps + 1)));
                    }
                    return Networks.of(graph, Program.compile("learn", Mode.TRAIN, Loss.of(loss)));
                }
            }
            """;

    @Test
    void killedAgainAndAgainItComesToTheSame() throws Exception {
        killed(Trained.RING_BY_A_SCHEDULE_OF_ONES_OWN, FEW);
    }

    @Tag("slow")
    @Test
    void theProbabilityOfAnAugmentationTheStepsOfALazyTermAndAPoolAreTheSameAfterAKill() throws Exception {
        killed(Trained.ADAPTIVE_AUGMENTATION_A_LAZY_TERM_AND_A_POOL, 1);
    }

    @Tag("slow")
    @ParameterizedTest
    @EnumSource(Trained.class)
    void killedFiftyTimesItComesToTheSame(Trained trained) throws Exception {
        killed(trained, KILLS);
    }

    private void killed(Trained trained, int kills) throws Exception {
        String file = trained.file(kills);
        String own = switch (trained) {
            case RING_BY_A_SCHEDULE_OF_ONES_OWN -> ZIGZAG;
            case CARRIED_STATE -> CARRIED_GRU;
            case AGENT_WITH_MEMORY -> Files.readString(EXAMPLES.resolve("RecurrentAgent.java"));
            default -> "";
        };
        if (!own.isEmpty()) {
            file += "classpath: [" + OwnClasses.jar(here, own) + "]\n";
        }
        Files.writeString(here.resolve("own.yaml"), file);
        toItsEnd("whole");
        Random random = new Random(7);
        for (int killed = 0; killed < kills; killed++) {
            Process process = Forked.hocket(here, here.resolve("said.txt"), List.of(), run("killed"));
            assertThat(kill(process, random.nextInt(3) == 0, random))
                    .as("run was through after %d kills: %s", killed, Files.readString(here.resolve("said.txt")))
                    .isFalse();
        }
        toItsEnd("killed");
        same();
        System.out.println(trained + ": killed " + kills + " times, the same as never");
    }

    /** Kills it after a time, or soon after it has written a checkpoint. Gives whether it came to its end before. */
    private boolean kill(Process process, boolean byTheClock, Random random) throws Exception {
        if (byTheClock) {
            if (process.waitFor(STARTING_MILLIS + random.nextInt(2500), TimeUnit.MILLISECONDS)) {
                return true;
            }
        } else {
            Path checkpoints = here.resolve("killed/checkpoints");
            List<Long> before = Checkpoints.numbers(checkpoints);
            while (Checkpoints.numbers(checkpoints).equals(before)) {
                if (process.waitFor(2, TimeUnit.MILLISECONDS)) {
                    return true;
                }
            }
            if (process.waitFor(random.nextInt(60), TimeUnit.MILLISECONDS)) {
                return true;
            }
        }
        process.destroyForcibly();
        process.waitFor();
        return false;
    }

    private void same() throws IOException {
        assertThat(Ran.hocket(here, "digest", "killed", "--all").out())
                .isEqualTo(Ran.hocket(here, "digest", "whole", "--all").out())
                .isNotEmpty();
        SameRun.assertIsAs(here.resolve("whole"), here.resolve("killed"));
    }

    private void toItsEnd(String folder) throws IOException {
        Ran ran = Ran.hocket(here, run(folder));
        assertThat(ran.status()).as(ran.err()).isZero();
    }

    /** Goes on with what is in a folder, or begins there. */
    private String[] run(String folder) throws IOException {
        if (new RunFolder(here.resolve(folder)).hasCheckpoint()) {
            return new String[] {"run", folder, "--resume", "--quiet"};
        }
        delete(here.resolve(folder));
        return new String[] {"run", "own.yaml", "--out", folder, "--quiet"};
    }

    private static void delete(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return;
        }
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(each);
            }
        } catch (IOException e) {
            fail(e);
        }
    }
}
