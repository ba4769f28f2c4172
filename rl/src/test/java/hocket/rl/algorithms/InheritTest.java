package hocket.rl.algorithms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hocket.rl.settings.EnvironmentSettings;
import hocket.schedulers.LiveRun;
import hocket.schedulers.state.State;
import hocket.scopes.Path;
import hocket.scopes.Selection;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tests that an agent that starts from trained parameters observes the environment as the trained agent did. */
class InheritTest {
    private static final Ppo PPO = Ppo.usual("CartPole-v1")
            .environments(new EnvironmentSettings(4, true, true, true))
            .rollout(64)
            .rate(3e-3)
            .hidden(List.of(16))
            .totalSteps(4096);

    private static LiveRun from(State trained, Ppo ppo) {
        LiveRun run = ppo.begin(7, 1);
        run.parameters().restore(trained.state("parameters").snapshot());
        run.setup().inherit(trained);
        return run;
    }

    private static State normalised(State whole) {
        return whole.state("turns")
                .state("collect")
                .state("action")
                .state("worlds")
                .state("environments");
    }

    @Test
    void anAgentIsEvaluatedByItsTrainingStatisticsAndTrainsFurtherByThem() {
        try (LiveRun first = PPO.begin(7, 1)) {
            first.run();
            State trained = first.scheduler().save();
            double seen = normalised(trained).state("observed").real("count");
            try (LiveRun second = from(trained, PPO.totalSteps(256))) {
                assertThat(second.scores()).isEqualTo(first.scores());
                second.run();
                double more =
                        normalised(second.scheduler().save()).state("observed").real("count");
                assertThat(more - seen).isBetween(259.0, 261.0); // 4 · (1 + 64)
            }
            try (LiveRun other = PPO.begin(7, 1)) {
                other.parameters().restore(first.parameters().snapshot());
                assertThat(other.scores()).isNotEqualTo(first.scores());
            }
        }
    }

    @Test
    void aStateSavedBeforeTheFirstTurnKeepsThem() {
        State trained = trained(PPO);
        State begun;
        State whole;
        try (LiveRun run = from(trained, PPO)) {
            begun = run.scheduler().save();
            run.run();
            whole = run.scheduler().save();
        }
        try (LiveRun resumed = PPO.begin(7, 1)) {
            resumed.scheduler().restore(begun);
            assertThat(resumed.scheduler().save()).isEqualTo(begun);
            resumed.run();
            assertThat(resumed.scheduler().save()).isEqualTo(whole);
        }
    }

    private static State trained(Ppo ppo) {
        try (LiveRun run = ppo.totalSteps(256).begin(7, 1)) {
            run.run();
            return run.scheduler().save();
        }
    }

    @Test
    void statisticsAreKeptWhereThePolicyIsOnlyPartlyInherited() {
        Ppo plain = PPO.environments(EnvironmentSettings.of(4));
        State trained = trained(PPO);
        for (String taken : List.of("critic/**", "critic/**, actor/*/weight")) {
            try (LiveRun run = plain.begin(7, 1)) {
                run.setup().inherit(trained, paths(run, taken));
            }
            try (LiveRun run = PPO.begin(7, 1)) {
                State own = run.scheduler().save();
                run.setup().inherit(trained, paths(run, taken));
                assertThat(run.scheduler().save()).isEqualTo(own);
                run.setup().inherit(trained, paths(run, "actor/**"));
                assertThat(run.scheduler().save()).isNotEqualTo(own);
            }
        }
    }

    private static Set<Path> paths(LiveRun run, String selection) {
        return Selection.of(selection).of(run.setup().declarations()).keySet();
    }

    @Test
    void aCriticOfNormalisedValuesBringsTheStatisticsOfReturns() {
        Ppo normalised = PPO.environments(EnvironmentSettings.of(4)).normaliseValues(true);
        State trained = trained(normalised);
        try (LiveRun run = from(trained, normalised)) {
            assertThat(estimate(run.scheduler().save())).isEqualTo(estimate(trained));
            assertThat(estimate(trained).real("weight")).isPositive();
        }
        assertThatThrownBy(
                        () -> from(trained, normalised.normaliseValues(false)).close())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("normalise_values must be true, as where the parameters were trained, was false");
        try (LiveRun run = normalised
                .environments(new EnvironmentSettings(4, true, true, true))
                .begin(7, 1)) {
            State own = run.scheduler().save();
            assertThatThrownBy(() -> run.setup().inherit(trained))
                    .hasMessageStartingWith("environments.normalise_observations must be false");
            assertThat(run.scheduler().save()).isEqualTo(own);
        }
    }

    private static State estimate(State whole) {
        return whole.state("turns").state("collect").state("action").state("estimate");
    }

    @Test
    void observationsNormalisedInOnlyOneOfTheTwoAreRefused() {
        Ppo plain = PPO.environments(EnvironmentSettings.of(4));
        assertThatThrownBy(() -> from(trained(PPO), plain).close())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "environments.normalise_observations must be true, as where the parameters were trained, was false");
        assertThatThrownBy(() -> from(trained(plain), PPO).close())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "environments.normalise_observations must be false, as where the parameters were trained, was true");
        from(trained(plain), plain).close();
        from(trained(plain), PPO.environments(new EnvironmentSettings(2, false, true, true)))
                .close();
    }
}
