package hocket.rl.algorithms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hocket.schedulers.Definition;
import hocket.schedulers.Scheduler;
import hocket.schedulers.Setup;
import hocket.schedulers.Trigger;
import hocket.schedulers.turns.DivergedException;
import hocket.scopes.Parameters;
import hocket.scopes.Selection;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Tests that one NaN in an agent's parameters stops the training before it is used. */
class NotANumberTest {
    private static final List<Integer> SMALL = List.of(8, 8);

    private static final Definition PPO = Ppo.usual("CartPole-v1")
            .rollout(40)
            .minibatch(20)
            .epochs(2)
            .hidden(SMALL)
            .totalSteps(9 * 40);
    private static final Definition DQN = Dqn.usual("CartPole-v1")
            .hidden(SMALL)
            .replay(64)
            .learningStarts(20)
            .batch(8)
            .targetEvery(16)
            .totalSteps(20 + 9 * 16);
    private static final Definition SAC = Sac.usual("Pendulum-v1")
            .hidden(SMALL)
            .replay(64)
            .learningStarts(50)
            .batch(8)
            .totalSteps(50 + 9);

    @TestFactory
    Stream<DynamicTest> inAnyParameter() {
        return Stream.of(PPO, DQN, SAC)
                .flatMap(algorithm -> paths(algorithm.setup())
                        .map(path -> DynamicTest.dynamicTest(path, () -> check(algorithm.setup(), path))));
    }

    private static Stream<String> paths(Setup setup) {
        try (Parameters parameters = setup.initialise(3)) {
            return parameters.declarations().stream()
                    .map(declaration -> declaration.path().text());
        }
    }

    private static void check(Setup setup, String path) {
        Selection all = Selection.of("**");
        try (Parameters parameters = setup.initialise(3);
                Scheduler scheduler = setup.schedule(parameters, 1)) {
            scheduler.on(Trigger.everyRounds(3), run -> run.stop());
            scheduler.run();
            double[] numbers = parameters.tensor(path).doubles();
            numbers[numbers.length / 2] = Double.NaN;
            parameters.set(path, numbers);
            String[] digest = {parameters.digest(all)};
            scheduler.listen(event -> digest[0] = parameters.digest(all));
            assertThatThrownBy(scheduler::run)
                    .isInstanceOf(DivergedException.class)
                    .hasMessageContaining("not finite is parameter " + path);
            assertThat(parameters.digest(all)).isEqualTo(digest[0]);
        }
    }
}
