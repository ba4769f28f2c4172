package hocket.rl.algorithms;

import hocket.programs.Loss;
import hocket.programs.Mode;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.rl.actors.TrainingEnvironments;
import hocket.rl.envs.Environment;
import hocket.rl.losses.ClippedSurrogate;
import hocket.rl.losses.ValueLoss;
import hocket.rl.networks.ActorCritic;
import hocket.rl.replay.Minibatches;
import hocket.rl.replay.Table;
import hocket.rl.replay.TableCollector;
import hocket.rl.settings.AlgorithmSettings;
import hocket.rl.settings.GradientSettings;
import hocket.rl.settings.LossSettings;
import hocket.rl.settings.MinibatchSettings;
import hocket.rl.settings.NetworkSettings;
import hocket.rl.settings.OptimizerRule;
import hocket.rl.settings.PolicySettings;
import hocket.rl.settings.RateDecay;
import hocket.rl.settings.ReturnSettings;
import hocket.rl.settings.TaskSettings;
import hocket.schedulers.Budget;
import hocket.schedulers.Plan;
import hocket.schedulers.Resample;
import hocket.schedulers.Setup;
import hocket.schedulers.Turn;
import hocket.schedulers.optimizers.UpdateRule;
import hocket.schedulers.optimizers.rates.RateUnit;
import hocket.schedulers.settings.Setting;
import hocket.schedulers.settings.SettingGroup;
import hocket.schedulers.triggers.Below;
import hocket.scopes.Shape;
import java.util.function.Supplier;

/**
 * Proximal policy optimisation (Schulman et al. 2017), with the details that its implementations agree on (Huang et al.
 * 2022, "The 37 implementation details of proximal policy optimization"): rollouts in several environments at once,
 * generalised advantages, minibatches in a new order each epoch, advantages normalised in each, one norm of all
 * gradients clipped. The setting of each is in {@code docs/agents.md}.
 *
 * <p>A round is a rollout and its epochs: {@code sequence(collect, update × n)}. With a target KL, as in
 * Stable-Baselines3, an update whose minibatch shows an approximate KL above 1.5 of it, before the update, is skipped
 * and is the last of its round.
 */
public record Ppo(
        @SettingGroup TaskSettings task,
        @SettingGroup MinibatchSettings batches,
        @SettingGroup(usually = "rate: 3e-4") GradientSettings gradients,
        @SettingGroup ReturnSettings returns,

        @Setting(usually = "1e-5", least = 0, most = 1, help = "epsilon of Adam")
        double adamEpsilon,

        @Setting(usually = "0.2", least = 1e-9, most = 1e3, help = "clip range of probability ratios")
        double clipRange,

        @Setting(usually = "none", former = "clip_range_falls", help = "decay of clip_range: none, linear or cosine")
        RateDecay clipRangeDecay,

        @Setting(usually = "0", least = 0, most = 1e9, help = "ends a round's updates above 1.5 × this KL; 0 for never")
        double targetKl,

        @Setting(usually = "0", least = 0, most = 1e9, help = "clip range of values; 0 for no clipping")
        double valueClip,

        @Setting(usually = "stable-baselines3", help = "library of the value loss; they differ in factor and clipping")
        ValueLoss valueLoss,

        @SettingGroup LossSettings losses,
        @SettingGroup PolicySettings policy,
        @SettingGroup NetworkSettings network)
        implements EnvironmentDefinition, PpoCopies {

    /** Returns the default settings. */
    public static Ppo usual(String environment) {
        return PpoCopies.usual(environment);
    }

    @Override
    public Setup in(Supplier<? extends Environment> world) {
        check();
        TrainingEnvironments all = open(world);
        ActorCritic agent = agent(all);
        TableCollector collector = TableCollector.of(all, agent, rollout(), returns.estimator());
        Turn.Descend update = update(agent);
        Plan round = Plan.sequence(Turn.act("collect", collector), updating(update));
        Setup setup = Setup.of(agent.programs(update.program()), round, Budget.rounds(rounds()))
                .feed(minibatches(collector.table()), Resample.EACH_TURN);
        return environments().evaluated(setup, world, agent.best(), agent.acting(), all);
    }

    TrainingEnvironments open(Supplier<? extends Environment> world) {
        return task.open(world, gamma(), environments().rows(rollout()));
    }

    long rounds() {
        return task.rounds(environments().rows(rollout()));
    }

    /** @throws IllegalArgumentException if a setting is outside its bounds, or some do not go together */
    void check() {
        AlgorithmSettings.check(this);
        batches.check(environments(), memory());
        policy.check(network);
    }

    ActorCritic agent(TrainingEnvironments all) {
        return policy.actorCritic(network, all, rollout());
    }

    /** The updates of a round: all of them, or until the policy has changed too much. */
    Plan updating(Turn.Descend update) {
        int all = batches.updates(environments());
        return targetKl == 0 ? update.times(all) : Plan.until(new Below("update/" + Turn.MOVED, 1, 1), update, all);
    }

    Minibatches minibatches(Table collected) {
        Minibatches rows = batches.of(collected, memory());
        return clipRangeDecay == RateDecay.NONE
                ? rows
                : rows.with("clip_range", clipRangeDecay.over(clipRange, rounds(), RateUnit.ROUND));
    }

    Turn.Descend update(ActorCritic agent) {
        UpdateRule rule = gradients.rule(OptimizerRule.ADAM, rounds(), adamEpsilon);
        Turn.Descend update = Turn.of("update", Program.compile("update", Mode.TRAIN, loss(agent)))
                .updates("actor/**, critic/**", rule); // one norm of both gradients
        return targetKl == 0 ? update : update.unlessAbove("approximate_kl", 1.5 * targetKl);
    }

    private Loss loss(ActorCritic agent) {
        Value old = agent.input("log_probability");
        Value advantage = agent.input("advantage");
        Value target = agent.input("return");
        ClippedSurrogate surrogate = clipRangeDecay == RateDecay.NONE
                ? ClippedSurrogate.of(agent.logProbability(), old, advantage, clipRange)
                : ClippedSurrogate.of(
                        agent.logProbability(), old, advantage, agent.graph().input("clip_range", Shape.of()));
        Value ofValue = valueClip == 0
                ? valueLoss.loss(agent.value(), target)
                : valueLoss.clipped(agent.value(), agent.input("value"), target, valueClip);
        return losses.loss(surrogate.loss(), ofValue, agent.entropy())
                .metric("approximate_kl", surrogate.approximateKl())
                .metric("clip_fraction", surrogate.clipFraction());
    }
}
