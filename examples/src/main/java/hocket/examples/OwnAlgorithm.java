package hocket.examples;

import static hocket.programs.Mode.TRAIN;
import static hocket.programs.Operators.add;
import static hocket.programs.Operators.exp;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.multiply;
import static hocket.programs.Operators.scale;
import static hocket.programs.Operators.subtract;
import static hocket.schedulers.optimizers.Optimizers.adam;
import static hocket.schedulers.optimizers.Optimizers.chain;
import static hocket.schedulers.optimizers.Optimizers.clipByGlobalNorm;

import hocket.programs.Loss;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.rl.actors.TrainingEnvironments;
import hocket.rl.envs.Environment;
import hocket.rl.losses.KlEstimator;
import hocket.rl.losses.ValueLoss;
import hocket.rl.networks.ActorCritic;
import hocket.rl.networks.Encoder;
import hocket.rl.networks.Mlp;
import hocket.rl.networks.NetworkBody;
import hocket.rl.replay.Minibatches;
import hocket.rl.replay.Rollout;
import hocket.rl.replay.Table;
import hocket.rl.returns.Gae;
import hocket.rl.returns.Truncation;
import hocket.rl.settings.AlgorithmSettings;
import hocket.rl.settings.EnvironmentSettings;
import hocket.rl.settings.StepBudgets;
import hocket.schedulers.Budget;
import hocket.schedulers.Definition;
import hocket.schedulers.LiveRun;
import hocket.schedulers.Plan;
import hocket.schedulers.Resample;
import hocket.schedulers.Setup;
import hocket.schedulers.Turn;
import hocket.schedulers.settings.Networks;
import hocket.schedulers.settings.Setting;
import hocket.schedulers.triggers.Above;
import hocket.scopes.Shape;
import java.util.List;
import java.util.SortedMap;
import java.util.function.Supplier;

/**
 * A custom algorithm: PPO with a penalty instead of clipping (Schulman et al. 2017, section 4), which repeats passes
 * over a rollout until the policy diverges too far from the old one.
 *
 * <p>{@code examples/run OwnAlgorithm [steps]}: with the default 50,000 steps it reaches 500 of 500 in CartPole in each
 * of 100 episodes, in about five seconds on two cores. An experiment file names it by class, and its components are its
 * settings: {@code algorithm: {class: hocket.examples.OwnAlgorithm, environment: CartPole-v1, environments: {count: 8},
 * penalty: 2}}.
 */
public record OwnAlgorithm(
        @Setting(help = "the environment: a name such as CartPole-v1, or a user's class")
        String environment,

        @Setting(usually = "{}", help = "number of environments, and their wrappers")
        EnvironmentSettings environments,

        @Setting(usually = "50000", least = 1, most = 1e12, help = "total number of environment steps")
        long totalSteps,

        @Setting(usually = "256", least = 1, most = 1e6, help = "steps of a rollout, summed over all environments")
        int rollout,

        @Setting(usually = "20", least = 1, most = 1e4, help = "maximum number of passes over a rollout")
        int epochs,

        @Setting(usually = "1e-3", least = 0, most = 1e3, help = "learning rate")
        double rate,

        @Setting(usually = "1", least = 0, most = 1e9, help = "weight of the divergence in the loss")
        double penalty,

        @Setting(
                usually = "0.03",
                least = 0,
                most = 1e9,
                help = "divergence in nats that ends the updates of a rollout")
        double farthest)
        implements Definition {

    @Override
    public Setup setup() {
        AlgorithmSettings.check(this);
        Supplier<Environment> world = EnvironmentSettings.named(environment);
        TrainingEnvironments all = environments.open(world, 0.98);
        Mlp layers = new Mlp(List.of(64, 64), Mlp.Activation.TANH, Mlp.Initialisation.ORTHOGONAL);
        ActorCritic agent =
                ActorCritic.of(new NetworkBody(all.observationSpace(), Encoder.flat(), layers), all.actionSpace());
        int steps = Math.max(1, rollout / environments.count());
        Rollout collector =
                new Rollout(all, agent.acting(), agent.evaluator(), steps, new Gae(0.98, 0.8, Truncation.BOOTSTRAP));
        Table rows = collector.table();

        // The rollout's table has columns, which feed inputs of the same names.
        Value old = agent.graph().input("log_probability", Shape.of());
        Value advantage = agent.graph().input("advantage", Shape.of());
        Value target = agent.graph().input("return", Shape.of());
        Value gain = mean(multiply(exp(subtract(agent.logProbability(), old)), advantage));
        Value divergence = mean(KlEstimator.K3.of(agent.logProbability(), old));
        Value ofValue = ValueLoss.STABLE_BASELINES3.loss(agent.value(), target);
        Value loss = add(subtract(scale(divergence, penalty), gain), scale(ofValue, 0.5));

        Turn.Descend update = Turn.of(
                        "update", Program.compile("update", TRAIN, Loss.of(loss).metric("kl", divergence)))
                .updates("actor/**, critic/**", chain(clipByGlobalNorm(0.5), adam(rate)))
                .measuresAfter(); // update/kl is the divergence before the update, update/after/kl the one after it
        Plan round = Plan.sequence(
                Turn.act("collect", collector), Plan.until(new Above("update/after/kl", farthest, 1), update, epochs));
        return environments.evaluated(
                Setup.of(
                                Networks.of(
                                        agent.graph(),
                                        update.program(),
                                        agent.acting().program(),
                                        agent.evaluator()),
                                round,
                                Budget.rounds(StepBudgets.rounds(totalSteps, rows.rows())))
                        .feed(new Minibatches(rows, rows.rows()).normalising("advantage"), Resample.EACH_TURN),
                world,
                agent.best(),
                all);
    }

    public static void main(String[] args) {
        System.out.println(run(args.length > 0 ? Long.parseLong(args[0]) : 50_000));
    }

    /** Returns the scores of 100 episodes after a number of training steps. */
    static SortedMap<String, Double> run(long steps) {
        var penalised = new OwnAlgorithm("CartPole-v1", EnvironmentSettings.of(8), steps, 256, 20, 1e-3, 1, 0.03);
        try (LiveRun run = penalised.begin(7)) {
            run.run();
            return run.scores();
        }
    }
}
