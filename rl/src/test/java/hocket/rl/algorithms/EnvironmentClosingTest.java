package hocket.rl.algorithms;

import static org.assertj.core.api.Assertions.assertThat;

import hocket.rl.actors.EpisodeReturns;
import hocket.rl.envs.EnvironmentChecker;
import hocket.rl.envs.Environments;
import hocket.rl.envs.ForwardingEnvironment;
import hocket.rl.settings.EnvironmentSettings;
import hocket.schedulers.Budget;
import hocket.schedulers.Scheduler;
import hocket.schedulers.Setup;
import hocket.scopes.Parameters;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Environments are closed by those who made them, also if one throws then. */
class EnvironmentClosingTest {
    private static final EnvironmentSettings TWO = EnvironmentSettings.of(2).checked(false);

    private final List<Held> made = new ArrayList<>();

    /** Holds something until it is closed, as a file; each second one throws then. */
    private final class Held extends ForwardingEnvironment {
        private int closed;

        Held() {
            super(Environments.make("CartPole-v1"));
            made.add(this);
        }

        @Override
        public void close() {
            closed++;
            if (made.indexOf(this) % 2 == 1) {
                throw new IllegalStateException("the file is gone");
            }
        }
    }

    static Stream<EnvironmentDefinition> algorithms() {
        String name = "CartPole-v1";
        return Stream.of(
                Ppo.usual(name).environments(TWO).rollout(16).minibatch(32),
                A2c.usual(name).environments(TWO),
                Reinforce.usual(name).environments(TWO).rollout(600),
                Impala.usual(name).environments(TWO).trajectories(2),
                Dqn.usual(name).environments(TWO).learningStarts(10),
                CrossEntropy.usual(name).environments(TWO.count(1)).episodes(2),
                EvolutionStrategies.usual(name).environments(TWO.count(1)).episodes(2));
    }

    @ParameterizedTest
    @MethodSource("algorithms")
    void environmentsOfTrainingAreClosedWithTheScheduler(EnvironmentDefinition algorithm) {
        Setup setup = algorithm.setup(() -> new Held());
        List<Held> open = made.stream().filter(each -> each.closed == 0).toList();
        assertThat(open).hasSizeGreaterThanOrEqualTo(2);
        try (Parameters parameters = setup.initialise(1);
                Scheduler scheduler = setup.schedule(parameters, 1)) {
            scheduler.run(Budget.rounds(1));
            assertThat(open).allMatch(each -> each.closed == 0);
        }
        assertThat(made).allMatch(each -> each.closed == 1);
    }

    @Test
    void thoseOfAnEvaluationAndACheckAreClosedAtItsEnd() {
        Setup setup = Ppo.usual("CartPole-v1").environments(TWO).setup(Held::new);
        int before = made.size();
        EpisodeReturns returns = (EpisodeReturns) setup.evaluation().orElseThrow();
        try (Parameters parameters = setup.initialise(1)) {
            returns.over(2).scores(parameters);
        }
        returns.over(2).references(1);
        EnvironmentChecker.check(Held::new);
        assertThat(made.size()).isGreaterThan(before + 3);
        assertThat(made.subList(before, made.size())).allMatch(each -> each.closed == 1);
    }
}
