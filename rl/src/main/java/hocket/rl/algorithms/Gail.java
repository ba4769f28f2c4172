package hocket.rl.algorithms;

import static hocket.schedulers.optimizers.Optimizers.adam;

import hocket.programs.Graph;
import hocket.programs.Loss;
import hocket.programs.Mode;
import hocket.programs.Network;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.rl.actors.Expert;
import hocket.rl.actors.TrainingEnvironments;
import hocket.rl.envs.Environment;
import hocket.rl.losses.AdversarialImitation;
import hocket.rl.networks.ActorCritic;
import hocket.rl.networks.Mlp;
import hocket.rl.networks.StepDiscriminator;
import hocket.rl.replay.Demonstrations;
import hocket.rl.replay.Rollout;
import hocket.rl.settings.AlgorithmSettings;
import hocket.rl.settings.EnvironmentSettings;
import hocket.rl.settings.UserClass;
import hocket.schedulers.Budget;
import hocket.schedulers.Definition;
import hocket.schedulers.Plan;
import hocket.schedulers.Resample;
import hocket.schedulers.Setup;
import hocket.schedulers.Source;
import hocket.schedulers.Turn;
import hocket.schedulers.settings.Setting;
import java.util.List;
import java.util.function.Supplier;

/**
 * Generative adversarial imitation learning (Ho and Ermon 2016), with {@link Ppo} in the place of TRPO: a discriminator
 * learns to tell an expert's steps from the policy's, and the policy is rewarded for being taken for the expert, by
 * {@code -log(1 - D(s, a))} with D the probability that a step is the expert's. The environment's rewards are only
 * counted.
 *
 * <p>A round is a rollout, rewarded by the discriminator as it is: {@code sequence(collect, discriminator × m, update ×
 * n)}.
 */
public record Gail(
        @Setting(help = "the agent and its environment: settings of hocket.rl.algorithms.Ppo")
        Ppo agent,

        @Setting(help = "the expert to imitate: a class that implements hocket.rl.actors.Expert")
        String expert,

        @Setting(usually = "10", least = 1, most = 1e6, help = "number of recorded episodes")
        int demonstrations,

        @Setting(usually = "0", least = 0, most = 9e15, help = "seed of these episodes")
        long demonstrationSeed,

        @Setting(usually = "2", least = 1, most = 1e4, help = "passes of the discriminator over a rollout")
        int discriminatorEpochs,

        @Setting(usually = "1e-3", least = 0, most = 1e3, help = "the discriminator's learning rate")
        double discriminatorRate,

        @Setting(usually = "[64, 64]", least = 1, most = 1e5, help = "units of the discriminator's hidden layers")
        List<Integer> discriminatorHidden)
        implements Definition, GailCopies {

    /** Returns the default settings with this agent. */
    public static Gail usual(Ppo agent, String expert) {
        return GailCopies.usual(agent, expert);
    }

    @Override
    public Setup setup() {
        check();
        Supplier<? extends Environment> world = EnvironmentSettings.named(agent.environment());
        Expert imitated = UserClass.named("expert", expert, Expert.class).get();
        return in(
                world,
                Demonstrations.of(agent.environments().seen(world), imitated, demonstrations, demonstrationSeed));
    }

    /**
     * Sets the algorithm up with given environments and demonstrations.
     *
     * @throws IllegalArgumentException also if the agent's {@code environment} is not their name
     */
    public Setup setup(Supplier<? extends Environment> world, Demonstrations recorded) {
        check();
        return in(EnvironmentSettings.own("agent.environment", agent.environment(), world), recorded);
    }

    private Setup in(Supplier<? extends Environment> world, Demonstrations recorded) {
        TrainingEnvironments all = agent.open(world);
        ActorCritic learner = agent.agent(all);
        Graph graph = learner.graph();
        Value saw = learner.actor().observation();
        Value did = learner.actor().action();
        Mlp mlp = new Mlp(discriminatorHidden, Mlp.Activation.TANH, Mlp.Initialisation.ORTHOGONAL);
        Network<StepDiscriminator.Step, Value> discriminator = StepDiscriminator.network(graph, all.actionSpace(), mlp);
        Value ofAgent = discriminator.apply(new StepDiscriminator.Step(saw, did));
        Value ofExpert = discriminator.apply(new StepDiscriminator.Step(
                graph.input("expert_observation", saw.shape()), graph.input("expert_action", did.shape(), did.type())));
        Program tell = Program.compile(
                "discriminator",
                Mode.TRAIN,
                Loss.of(AdversarialImitation.loss(ofExpert, ofAgent))
                        .metric("error_rate", AdversarialImitation.errorRate(ofExpert, ofAgent)));
        Program reward = Program.compile("reward", Mode.EVAL, AdversarialImitation.reward(ofAgent));

        Rollout collector =
                new Rollout(all, learner, agent.rollout(), agent.returns().estimator()).rewardedBy(reward);
        Turn.Descend update = agent.update(learner);
        Plan round = Plan.sequence(
                Turn.act("collect", collector),
                Turn.of("discriminator", tell)
                        .updates("discriminator/**", adam(discriminatorRate))
                        .times(agent.batches()
                                .passes(agent.environments(), "discriminator_epochs", discriminatorEpochs)),
                agent.updating(update));
        Source shown = recorded.batches("agent.minibatch", agent.minibatch())
                .feeding("demonstrations", recorded.columns("expert_"));
        Setup setup = Setup.of(learner.programs(update.program(), tell, reward), round, Budget.rounds(agent.rounds()))
                .feed(agent.minibatches(collector.table()), Resample.EACH_TURN)
                .feed(shown, Resample.EACH_TURN);
        return agent.environments().evaluated(setup, world, learner.best(), learner.acting(), all);
    }

    private void check() {
        AlgorithmSettings.check(this);
        agent.check();
        if (agent.memory().remembers()) {
            throw new IllegalArgumentException(
                    "agent.memory must be none, was " + agent.memory() + ": the discriminator judges single steps");
        }
        agent.environments()
                .requireRewardsAsTheyAre(
                        "agent.",
                        "the discriminator rewards the agent, and the environment's rewards are only counted");
        if (agent.environments().normaliseObservations()) {
            throw new IllegalArgumentException("agent.environments.normalise_observations must be false, was true: the "
                    + demonstrations + " demonstrations of expert hold observations as the environment gives them");
        }
    }
}
