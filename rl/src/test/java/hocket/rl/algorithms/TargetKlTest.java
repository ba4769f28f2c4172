package hocket.rl.algorithms;

import static hocket.programs.Operators.scale;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import hocket.programs.Value;
import hocket.rl.actors.TrainingEnvironments;
import hocket.rl.networks.ActorCritic;
import hocket.rl.replay.TableCollector;
import hocket.rl.settings.EnvironmentSettings;
import hocket.schedulers.Budget;
import hocket.schedulers.Event;
import hocket.schedulers.Plan;
import hocket.schedulers.Resample;
import hocket.schedulers.Scheduler;
import hocket.schedulers.Setup;
import hocket.schedulers.Turn;
import hocket.schedulers.plans.Rehearsal;
import hocket.scopes.Parameters;
import hocket.scopes.Streams;
import hocket.scopes.Tensor;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Tests that PPO ends a round's updates as Stable-Baselines3: before the first minibatch that is too far from the old
 * policy.
 */
class TargetKlTest {
    private static final Ppo PPO = Ppo.usual("CartPole-v1")
            .rollout(64)
            .minibatch(16)
            .epochs(4)
            .rate(1e-2)
            .hidden(List.of(8))
            .totalSteps(128);

    /**
     * An update.
     *
     * @param byHand the mean of {@code exp(l) - 1 - l} over the minibatch, of {@code l = log π(a) - log π_old(a)}
     */
    private record Update(long round, double approximateKl, double byHand, boolean moved, Tensor bias) {}

    private static List<Update> updates(Ppo ppo) {
        TrainingEnvironments all = ppo.environments().open(EnvironmentSettings.named(ppo.environment()), ppo.gamma());
        ActorCritic agent = ppo.agent(all);
        TableCollector collector =
                TableCollector.of(all, agent, ppo.rollout(), ppo.returns().estimator());
        Turn.Descend plain = ppo.update(agent);
        Value old = scale(agent.graph().value("log_probability"), 1);
        Turn.Descend update = plain.observes(agent.logProbability(), old);
        List<Update> updates = new ArrayList<>();
        try (Parameters parameters = Parameters.initialise(agent.graph().declarations(), Streams.seed(3));
                Scheduler scheduler = Scheduler.over(parameters, 1)) {
            scheduler
                    .plan(Plan.sequence(Turn.act("collect", collector), ppo.updating(update)))
                    .feed(ppo.minibatches(collector.table()), Resample.EACH_TURN)
                    .listen(event -> {
                        if (event instanceof Event.Descended descended) {
                            double[] now = scheduler
                                    .observed(update, agent.logProbability())
                                    .doubles();
                            double[] before = scheduler.observed(update, old).doubles();
                            double sum = 0;
                            for (int i = 0; i < now.length; i++) {
                                double l = now[i] - before[i];
                                sum += Math.expm1(l) - l;
                            }
                            updates.add(new Update(
                                    descended.at().round(),
                                    descended.metrics().get("approximate_kl"),
                                    sum / now.length,
                                    !descended.metrics().names().contains(Turn.MOVED)
                                            || descended.metrics().get(Turn.MOVED) == 1,
                                    parameters.tensor("actor/out/bias")));
                        }
                    });
            scheduler.run(Budget.rounds(2));
        }
        return updates;
    }

    @Test
    void theApproximateKlIsThatOfTheMinibatchBeforeItsUpdate() {
        List<Update> updates = updates(PPO);
        assertThat(updates).hasSize(2 * 16).allMatch(Update::moved);
        assertThat(updates.get(0).approximateKl()).isCloseTo(0, within(1e-6));
        assertThat(updates.get(15).approximateKl()).isGreaterThan(1e-4);
        assertThat(updates)
                .allSatisfy(update -> assertThat(update.approximateKl()).isCloseTo(update.byHand(), within(1e-6)));
    }

    @Test
    void theFirstUpdateAboveOneAndAHalfOfTheTargetIsSkippedAndEndsItsRound() {
        List<Update> whole = updates(PPO).subList(0, 16);
        int last = 4;
        double below = whole.subList(0, last).stream()
                .mapToDouble(Update::approximateKl)
                .max()
                .orElseThrow();
        while (whole.get(last).approximateKl() <= below) {
            last++;
        }
        double limit = (below + whole.get(last).approximateKl()) / 2;
        List<Update> all = updates(PPO.targetKl(limit / 1.5));
        List<Update> first = all.stream().filter(update -> update.round() == 0).toList();
        assertThat(first).hasSize(last + 1);
        assertThat(first.stream().map(Update::approximateKl))
                .containsExactlyElementsOf(whole.stream()
                        .limit(last + 1)
                        .map(Update::approximateKl)
                        .toList());
        assertThat(first.subList(0, last)).allMatch(Update::moved);
        assertThat(first.get(last).moved()).isFalse();
        assertThat(first.get(last).bias()).isEqualTo(whole.get(last - 1).bias());
        assertThat(whole.get(last).bias()).isNotEqualTo(whole.get(last - 1).bias());
        // the next rollout begins with the policy that it is measured from
        assertThat(all.get(last + 1).round()).isEqualTo(1);
        assertThat(all.get(last + 1).approximateKl()).isCloseTo(0, within(1e-6));
    }

    @Test
    void aPlanShowsAsManyUpdatesAsThereMayBe() {
        Setup setup = PPO.targetKl(0.01).setup();
        assertThat(Rehearsal.of(setup.phases(), phase -> 1, 7, 100)
                        .intervals()
                        .get(0)
                        .turns())
                .hasSize(1 + 16)
                .startsWith("collect", "update");
        assertThat(setup.phases().get(0).plan())
                .hasToString(
                        "sequence(collect, until(Below[series=update/moved, value=1.0, window=1], update, at most 16))");
    }
}
