package hocket.rl.algorithms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hocket.rl.envs.Environments;
import hocket.rl.envs.ForwardingEnvironment;
import hocket.rl.networks.GruMemory;
import hocket.rl.settings.EnvironmentSettings;
import hocket.schedulers.Budget;
import hocket.schedulers.Scheduler;
import hocket.schedulers.Setup;
import hocket.schedulers.state.State;
import hocket.scopes.Parameters;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A run whose environment fails in a step loses nothing: it is saved as it was, and continues with the same bits. */
class FailedStepTest {
    private static final EnvironmentSettings TWO = EnvironmentSettings.of(2).checked(false);
    private static final int ROUNDS = 6;

    /** The step of all environments together that fails; 0 for none. */
    private long failing;

    private long steps;

    private final class Failing extends ForwardingEnvironment {
        Failing() {
            super(Environments.make("CartPole-v1"));
        }

        @Override
        public void step(float[] action, int at) {
            steps++;
            super.step(action, at);
            if (steps == failing) {
                throw new IllegalStateException("the pole broke");
            }
        }
    }

    static Stream<EnvironmentDefinition> algorithms() {
        String name = "CartPole-v1";
        Ppo ppo = Ppo.usual(name)
                .environments(TWO.normaliseObservations(true).normaliseRewards(true))
                .rollout(16)
                .minibatch(16);
        Dqn dqn = Dqn.usual(name)
                .environments(TWO)
                .learningStarts(10)
                .replay(1000)
                .batch(8)
                .collect(3)
                .targetEvery(12);
        R2d2 sequences = R2d2.usual(name)
                .environments(TWO)
                .memory(new GruMemory(4))
                .learningStarts(20)
                .replay(1000)
                .batch(8)
                .sequence(2)
                .burnIn(1)
                .collect(3)
                .targetEvery(12);
        return Stream.of(
                ppo,
                ppo.memory(new GruMemory(4)),
                A2c.usual(name).environments(TWO),
                dqn,
                dqn.nSteps(3),
                sequences,
                Impala.usual(name).environments(TWO).trajectories(4));
    }

    @ParameterizedTest
    @MethodSource("algorithms")
    void theRunIsSavedAsItWasAndContinuesWithTheSameBits(EnvironmentDefinition algorithm) {
        State whole;
        long all;
        try (Parameters parameters = setup(algorithm).initialise(1);
                Scheduler run = setup(algorithm).schedule(parameters, 1)) {
            run.run(Budget.rounds(ROUNDS));
            whole = run.save();
            all = steps;
        }
        int some =
                algorithm instanceof R2d2 ? 8 : 2; // steps of both environments; of a whole sequence, where it is kept
        for (long at : LongStream.concat(LongStream.rangeClosed(all / 2, all / 2 + some), LongStream.of(all))
                .toArray()) {
            steps = 0;
            failing = at;
            State saved;
            Setup failed = setup(algorithm);
            try (Parameters parameters = failed.initialise(1);
                    Scheduler run = failed.schedule(parameters, 1)) {
                assertThatThrownBy(() -> run.run(Budget.rounds(ROUNDS))).hasMessageContaining("the pole broke");
                assertThat(run.canGoOn()).isTrue();
                saved = run.save();
                run.run(Budget.rounds(ROUNDS)); // the next time it does not fail
                assertThat(run.save()).isEqualTo(whole);
            }
            Setup resumed = setup(algorithm);
            try (Parameters parameters = resumed.initialise(1);
                    Scheduler run = resumed.schedule(parameters, 1)) {
                run.restore(saved);
                run.run(Budget.rounds(ROUNDS));
                assertThat(run.save()).isEqualTo(whole);
            }
        }
    }

    private Setup setup(EnvironmentDefinition algorithm) {
        return algorithm.setup(Failing::new);
    }
}
