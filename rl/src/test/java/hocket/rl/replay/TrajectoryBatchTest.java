package hocket.rl.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import hocket.programs.Mode;
import hocket.programs.Program;
import hocket.programs.execution.BoundProgram;
import hocket.rl.actors.TrainingEnvironments;
import hocket.rl.algorithms.Impala;
import hocket.rl.envs.Autoreset;
import hocket.rl.envs.VectorEnvironment;
import hocket.rl.envs.classic.CartPole;
import hocket.rl.envs.wrappers.TimeLimit;
import hocket.rl.networks.ActorCritic;
import hocket.rl.networks.Encoder;
import hocket.rl.networks.Mlp;
import hocket.rl.networks.NetworkBody;
import hocket.rl.returns.Gae;
import hocket.rl.returns.Truncation;
import hocket.rl.returns.VTrace;
import hocket.rl.spaces.Box;
import hocket.rl.spaces.Discrete;
import hocket.schedulers.Budget;
import hocket.schedulers.Event;
import hocket.schedulers.Ring;
import hocket.schedulers.Run;
import hocket.schedulers.Scheduler;
import hocket.schedulers.Setup;
import hocket.schedulers.Turn;
import hocket.scopes.Parameters;
import hocket.scopes.Selection;
import hocket.scopes.Streams;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class TrajectoryBatchTest {
    private static final int STEPS = 30;

    /** Two poles whose episodes end after 12 steps, if they have not fallen. */
    private static TrainingEnvironments poles() {
        return new TrainingEnvironments(
                VectorEnvironment.of(() -> new TimeLimit(new CartPole(), 12), 2, Autoreset.SAME_STEP));
    }

    private record Agent(ActorCritic networks, ActorSettings acting) {
        static Agent of(TrainingEnvironments worlds) {
            Mlp mlp = new Mlp(List.of(8), Mlp.Activation.TANH, Mlp.Initialisation.ORTHOGONAL);
            ActorCritic networks = ActorCritic.of(
                    new NetworkBody(worlds.observationSpace(), Encoder.flat(), mlp), worlds.actionSpace());
            Program behaviour = Program.compile("behaviour", Mode.EVAL, networks.logProbability());
            return new Agent(networks, new ActorSettings(networks.acting(), behaviour, STEPS));
        }

        TrajectoryBatch batch(TrainingEnvironments worlds, ActorSettings own, int trajectories, double gamma) {
            return new TrajectoryBatch(
                    worlds,
                    acting,
                    new LocalTrajectories(worlds, own, 0),
                    networks.evaluator(),
                    trajectories,
                    gamma,
                    Truncation.BOOTSTRAP,
                    new VTrace(1, 1, 1));
        }

        /** Takes a turn once. */
        Map<String, Double> run(Turn.Action action, Consumer<Run> then) {
            Map<String, Double> reported = new HashMap<>();
            try (Parameters parameters = Parameters.initialise(networks.graph().declarations(), Streams.seed(3));
                    Scheduler scheduler = Scheduler.over(parameters, 1)) {
                parameters.copy("actor/**", "behaviour/actor/**");
                parameters.set("critic/out/bias", 0.5);
                parameters.set("actor/out/bias", 0.4, -0.4); // not what acts by the copy
                scheduler
                        .ring(new Ring() {
                            @Override
                            public void heard(Run run, Event event) {
                                if (event instanceof Event.Acted acted) {
                                    reported.putAll(acted.metrics().byName());
                                }
                            }
                        })
                        .plan(Turn.act("collect", run -> {
                            action.act(run);
                            then.accept(run);
                        }))
                        .run(Budget.rounds(1));
            }
            return reported;
        }
    }

    @Test
    void ofThePolicyThatIsTrainedItIsTheRolloutOfReturnsOfManySteps() {
        TrainingEnvironments rolled = poles();
        Agent agent = Agent.of(rolled);
        Rollout rollout = new Rollout(
                rolled,
                agent.networks.acting(),
                agent.networks.evaluator(),
                STEPS,
                new Gae(0.9, 1, Truncation.BOOTSTRAP));
        agent.run(rollout, run -> {});
        TrainingEnvironments unrolled = poles();
        TrajectoryBatch batch = agent.batch(unrolled, agent.acting, 2, 0.9);
        Map<String, Double> reported = agent.run(batch, run -> {});
        for (String exact : List.of("observation", "action", "log_probability", "value")) {
            assertThat(column(batch.table(), exact)).as(exact).isEqualTo(column(rollout.table(), exact));
        }
        assertClose(column(batch.table(), "return"), column(rollout.table(), "return"));
        assertClose(column(batch.table(), "advantage"), column(rollout.table(), "advantage"));
        assertThat(reported)
                .containsEntry("ratio", 1.0)
                .containsEntry("lag", 0.0)
                .containsEntry("steps", 60.0);
    }

    private static float[] column(Table table, String name) {
        return table.values(name).floats();
    }

    private static void assertClose(float[] actual, float[] expected) {
        assertThat(actual).hasSameSizeAs(expected);
        for (int i = 0; i < actual.length; i++) {
            assertThat(actual[i]).as("row %d", i).isCloseTo(expected[i], within(1e-5f));
        }
    }

    @Test
    void trajectoriesOfOneActorAreAdjacentInTheOrderOfTheirSteps() {
        TrainingEnvironments worlds = poles();
        Agent agent = Agent.of(worlds);
        TrajectoryBatch batch = agent.batch(worlds, agent.acting, 6, 0.9);
        agent.run(batch, run -> {});
        assertThat(batch.table().rows()).isEqualTo(6 * STEPS);
        for (int block = 0; block < 2; block++) { // a pole that goes on stands where the last trajectory left it
            float[] next = row(batch, 2 * (block + 1));
            float[] last = row(batch, (STEPS - 1) * 6 + 2 * block);
            assertThat(Math.abs(next[0] - last[0])).isLessThan(0.1f);
            assertThat(next).isNotEqualTo(row(batch, 2 * block));
        }
    }

    private static float[] row(TrajectoryBatch batch, int row) {
        return Arrays.copyOfRange(column(batch.table(), "observation"), 4 * row, 4 * row + 4);
    }

    @Test
    void offPolicyStepsCountByTheirClippedImportanceRatio() {
        TrainingEnvironments worlds = poles();
        Agent agent = Agent.of(worlds);
        ActorSettings other = agent.acting.reading("actor", "behaviour/actor");
        TrajectoryBatch batch = agent.batch(worlds, other, 2, 0);
        float[] now = new float[2 * STEPS];
        Map<String, Double> reported = agent.run(batch, run -> {
            BoundProgram judging = run.bind(agent.networks.evaluator());
            ProgramEvaluator judge = new ProgramEvaluator(judging);
            judge.evaluate(
                    column(batch.table(), "observation"),
                    column(batch.table(), "action"),
                    new float[0],
                    now.length,
                    new float[now.length]);
            judge.secondTarget(now.length, now);
        });
        float[] acted = column(batch.table(), "log_probability");
        float[] values = column(batch.table(), "value");
        double mean = 0;
        boolean below = false;
        boolean above = false;
        for (int i = 0; i < now.length; i++) {
            double ratio = Math.exp(now[i] - acted[i]);
            below |= ratio < 0.9;
            above |= ratio > 1.1;
            double error = Math.min(1, ratio) * (1 - values[i]); // a step is worth 1, and no other counts
            assertThat((double) column(batch.table(), "advantage")[i]).isCloseTo(error, within(1e-6));
            assertThat((double) column(batch.table(), "return")[i]).isCloseTo(values[i] + error, within(1e-6));
            mean += Math.min(1, ratio) / now.length;
        }
        assertThat(below && above).isTrue();
        assertThat(reported.get("ratio")).isCloseTo(mean, within(1e-6));
    }

    @Test
    void theActingPolicyHasTheReportedVersion() {
        for (int lag : new int[] {0, 1, 3}) {
            Setup setup = Impala.usual("CartPole-v1")
                    .hidden(List.of(8))
                    .unroll(5)
                    .trajectories(1)
                    .actorLag(lag)
                    .totalSteps(60)
                    .setup();
            List<String> versions = new ArrayList<>();
            List<Double> lags = new ArrayList<>();
            try (Parameters parameters = setup.initialise(5);
                    Scheduler scheduler = setup.schedule(parameters, 1)) {
                versions.add(weights(parameters, "actor"));
                scheduler.ring(new Ring() {
                    @Override
                    public void heard(Run run, Event event) {
                        if (event instanceof Event.Acted acted) {
                            double behind = acted.metrics().get("lag");
                            lags.add(behind);
                            if (lag > 0) {
                                assertThat(weights(run.parameters(), "behaviour/actor"))
                                        .isEqualTo(versions.get(versions.size() - 1 - (int) behind));
                            }
                        } else if (event instanceof Event.Descended) {
                            versions.add(weights(run.parameters(), "actor"));
                        }
                    }
                });
                scheduler.run();
            }
            assertThat(lags.subList(0, 7))
                    .isEqualTo(
                            lag == 0
                                    ? List.of(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
                                    : lag == 1
                                            ? List.of(0.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0)
                                            : List.of(0.0, 1.0, 2.0, 1.0, 2.0, 3.0, 1.0));
        }
    }

    /** All numbers of a module, as text. */
    private static String weights(Parameters parameters, String module) {
        StringBuilder all = new StringBuilder();
        parameters
                .snapshot(Selection.of(module + "/**"))
                .tensors()
                .values()
                .forEach(tensor -> all.append(Arrays.toString(tensor.doubles())));
        return all.toString();
    }

    @Test
    void aTrajectoryOfOtherEnvironmentsIsRefused() {
        Box seen = Box.of(2, -1, 1);
        Discrete done = new Discrete(3);
        whole().require(2, 1, seen, done, 0);
        assertRefused(
                () -> whole().require(3, 1, seen, done, 0),
                "trajectory: must be 3 steps of 1 environments, was 2 of 1");
        assertRefused(
                () -> whole().require(2, 1, Box.of(3, -1, 1), done, 0),
                "trajectory: observations: must have 9 numbers, had 6");
        assertRefused(
                () -> whole().require(2, 1, seen, new Discrete(2), 0),
                "trajectory: actions: must be of Discrete(2), number 1 was 2");
        assertRefused(
                () -> of(new float[] {0, 0.5f}, new float[] {1, 2}, new float[2])
                        .require(2, 1, seen, done, 0),
                "trajectory: actions: must be of Discrete(3), number 1 was 0.5");
        assertRefused(
                () -> of(new float[] {0, 2}, new float[] {1, Float.NaN}, new float[2])
                        .require(2, 1, seen, done, 0),
                "trajectory: rewards: must be finite, number 1 was NaN");
        assertRefused(
                () -> of(new float[] {0, 2}, new float[] {1, 2}, new float[0]).require(2, 1, seen, done, 0),
                "trajectory: cut off: must have 2 numbers, had 0");
        assertRefused(() -> whole().require(2, 1, seen, done, 3), "trajectory: masks: must have 6 numbers, had 0");
    }

    private static Trajectory whole() {
        return of(new float[] {0, 2}, new float[] {1, 2}, new float[2]);
    }

    private static Trajectory of(float[] actions, float[] rewards, float[] cutOff) {
        return new Trajectory(
                0,
                2,
                1,
                new float[6],
                actions,
                new float[0],
                new float[2],
                rewards,
                new boolean[2],
                new boolean[] {false, true},
                cutOff,
                List.of());
    }

    private static void assertRefused(ThrowingCallable asked, String message) {
        assertThatThrownBy(asked).isInstanceOf(IllegalArgumentException.class).hasMessage(message);
    }

    @Test
    void trajectoriesOfActorsCountAsTheLearnersOwn() {
        TrainingEnvironments worlds = poles();
        Agent agent = Agent.of(worlds);
        TrajectoryBatch batch = agent.batch(worlds, agent.acting, 4, 0.9);
        List<Long> asked = new ArrayList<>();
        batch.takeFrom((run, version) -> {
            asked.add(version);
            return new Trajectory(
                    version - 7,
                    STEPS,
                    2,
                    new float[(STEPS + 1) * 2 * 4],
                    new float[STEPS * 2],
                    new float[0],
                    new float[STEPS * 2],
                    new float[STEPS * 2],
                    new boolean[STEPS * 2],
                    new boolean[STEPS * 2],
                    new float[0],
                    List.of(new Trajectory.Episode(21, 20)));
        });
        Map<String, Double> reported = agent.run(batch, run -> {});
        assertThat(asked).containsExactly(0L, 0L);
        assertThat(reported)
                .containsEntry("steps", 2.0 * STEPS * 2)
                .containsEntry("episode_return", 21.0)
                .containsEntry("episode_length", 20.0)
                .containsEntry("lag", 7.0)
                .containsEntry("lag_max", 7.0);
        assertThat(worlds.steps()).isZero();
        assertThat(Optional.of(batch.save().has("worlds"))).contains(true);
    }
}
