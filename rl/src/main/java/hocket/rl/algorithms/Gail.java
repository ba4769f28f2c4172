package hocket.rl.algorithms;

import static hocket.programs.Operators.add;
import static hocket.programs.Operators.concat;
import static hocket.programs.Operators.flatten;
import static hocket.programs.Operators.greater;
import static hocket.programs.Operators.maximum;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.minimum;
import static hocket.programs.Operators.negate;
import static hocket.programs.Operators.oneHot;
import static hocket.programs.Operators.reshape;
import static hocket.programs.Operators.scale;
import static hocket.programs.Operators.softplus;
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
import hocket.rl.networks.ActorCritic;
import hocket.rl.networks.Mlp;
import hocket.rl.replay.Demonstrations;
import hocket.rl.replay.Rollout;
import hocket.rl.spaces.Box;
import hocket.rl.spaces.Discrete;
import hocket.rl.spaces.Space;
import hocket.schedulers.Budget;
import hocket.schedulers.Definition;
import hocket.schedulers.Plan;
import hocket.schedulers.Resample;
import hocket.schedulers.Setup;
import hocket.schedulers.Source;
import hocket.schedulers.Turn;
import hocket.schedulers.settings.Networks;
import hocket.schedulers.settings.Setting;
import hocket.scopes.Shape;
import hocket.scopes.Tensor;
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
        return in(world, Demonstrations.of(agent.worlds().seen(world), imitated, demonstrations, demonstrationSeed));
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
        Space actions = all.actionSpace();
        Value expertSaw =
                graph.input("expert_observation", learner.actor().observation().shape());
        Value expertDid = graph.input("expert_action", actions.actionShape(), actions.type());
        Mlp mlp = new Mlp(discriminatorHidden, Mlp.Activation.TANH, Mlp.Initialisation.ORTHOGONAL);
        Network<Value, Value> discriminator = mlp.network(graph, "discriminator", 1, 1);
        Value ofExpert = discriminator.apply(step(actions, expertSaw, expertDid));
        Value ofAgent = discriminator.apply(
                step(actions, learner.actor().observation(), learner.actor().action()));

        // binary cross-entropy of the logits: the expert's steps are true, the agent's false
        Value crossEntropy = add(mean(softplus(negate(ofExpert))), mean(softplus(ofAgent)));
        Program tell = Program.compile(
                "discriminator", Mode.TRAIN, Loss.of(crossEntropy).metric("error_rate", errorRate(ofExpert, ofAgent)));
        // -log(1 - sigmoid(logit))
        Program reward = Program.compile("reward", Mode.EVAL, reshape(softplus(ofAgent)));

        Rollout collector = new Rollout(all, learner.acting(), learner.evaluator(), agent.rollout(), agent.gae())
                .rewardedBy(reward);
        Turn.Descend update = agent.update(learner);
        Plan round = Plan.sequence(
                Turn.act("collect", collector),
                Turn.of("discriminator", tell)
                        .updates("discriminator/**", adam(discriminatorRate))
                        .times(agent.passes("discriminator_epochs", discriminatorEpochs)),
                agent.updating(update));
        Source shown = recorded.batches("agent.minibatch", agent.minibatch())
                .feeding("demonstrations", List.of("expert_observation", "expert_action"));
        return agent.worlds()
                .evaluated(
                        Setup.of(
                                        Networks.of(
                                                graph,
                                                update.program(),
                                                tell,
                                                reward,
                                                learner.acting().program(),
                                                learner.evaluator()),
                                        round,
                                        Budget.rounds(agent.rounds()))
                                .feed(agent.minibatches(collector.table()), Resample.EACH_TURN)
                                .feed(shown, Resample.EACH_TURN),
                        world,
                        learner.best(),
                        learner.acting(),
                        all);
    }

    private void check() {
        AlgorithmSettings.check(this);
        agent.check();
        if (agent.memory().remembers()) {
            throw new IllegalArgumentException(
                    "agent.memory must be none, was " + agent.memory() + ": the discriminator judges single steps");
        }
        if (agent.worlds().normaliseRewards()) {
            throw new IllegalArgumentException(
                    "agent.environments.normalise_rewards must be false, was true: the discriminator"
                            + " rewards the agent, and the environment's rewards are only counted");
        }
        if (agent.worlds().rewardScale() != 1 || agent.worlds().rewardClip() != 0) {
            throw new IllegalArgumentException(
                    "agent.environments.reward_scale and agent.environments.reward_clip must be 1 and 0, were "
                            + agent.worlds().rewardScale() + " and "
                            + agent.worlds().rewardClip()
                            + ": the discriminator rewards the agent, and the environment's"
                            + " rewards are only counted");
        }
        if (agent.worlds().normaliseObservations()) {
            throw new IllegalArgumentException("agent.environments.normalise_observations must be false, was true: the "
                    + demonstrations + " demonstrations of expert hold observations as the environment gives them");
        }
    }

    /** Concatenates observation and action of each row; an action of a box is as the environment receives it. */
    static Value step(Space actions, Value observation, Value action) {
        Value done = action;
        if (actions instanceof Discrete discrete) {
            done = oneHot(action, discrete.n());
        } else if (actions instanceof Box box) {
            done = clipped(box, action);
        } else {
            throw new IllegalArgumentException(
                    "environment: GAIL needs discrete actions or those of a box, these are " + actions);
        }
        return concat(0, observation.shape().rank() == 1 ? observation : flatten(observation), done);
    }

    /** The policy's actions are clipped only for the environment, as the expert's were. */
    private static Value clipped(Box box, Value action) {
        float[] low = new float[box.width()];
        float[] high = new float[box.width()];
        for (int i = 0; i < low.length; i++) {
            low[i] = box.low(i);
            high[i] = box.high(i);
        }
        Graph graph = action.graph();
        Shape shape = Shape.of(low.length);
        return minimum(maximum(action, graph.constant(Tensor.of(shape, low))), graph.constant(Tensor.of(shape, high)));
    }

    /** Returns the share of misclassified steps. */
    private static Value errorRate(Value ofExpert, Value ofAgent) {
        Value zero = ofExpert.graph().constant(0);
        return scale(add(mean(greater(zero, ofExpert)), mean(greater(ofAgent, zero))), 0.5);
    }
}
