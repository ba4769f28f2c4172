package hocket.rl.algorithms;

import hocket.rl.actors.AgentReturns;
import hocket.rl.actors.PolicyInference;
import hocket.rl.actors.TrainingEnvironments;
import hocket.rl.envs.Environment;
import hocket.rl.envs.games.AgentVector;
import hocket.rl.envs.games.Seat;
import hocket.rl.networks.ActorCritic;
import hocket.rl.replay.TableCollector;
import hocket.rl.settings.AlgorithmSettings;
import hocket.rl.settings.EnvironmentSettings;
import hocket.schedulers.Budget;
import hocket.schedulers.Definition;
import hocket.schedulers.Plan;
import hocket.schedulers.Resample;
import hocket.schedulers.Setup;
import hocket.schedulers.Turn;
import hocket.schedulers.settings.Setting;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * {@link Ppo} of several agents that act at once and share a policy, each by what it observes itself and its number. With a joint
 * critic, which sees what all agents of a game observe, it is MAPPO; with an own one the agents are independent learners, IPPO
 * (Yu et al. 2022, "The surprising effectiveness of PPO in cooperative multi-agent games"). The critic is needed in training alone.
 *
 * <p>Its environments are games, each with a row for each agent: total steps and minibatches count rows.
 */
public record MultiAgentPpo(
        @Setting(help = "the policy and its environment, such as Pursuit-v0: settings of hocket.rl.algorithms.Ppo")
        Ppo agent,

        @Setting(
                usually = "joint",
                help = "whose observations the critic sees: joint for all agents' of a game, or own")
        Critic critic)
        implements Definition, MultiAgentPpoCopies {
    /** The agents whose observations a critic sees. */
    public enum Critic {
        /** The critic sees the observations of all agents of a game, as in MAPPO. */
        JOINT,
        /** The critic sees the observations of its agent alone, as independent learners do. */
        OWN
    }

    /** Returns the default settings with this agent. */
    public static MultiAgentPpo usual(Ppo agent) {
        return MultiAgentPpoCopies.usual(agent);
    }

    @Override
    public Setup setup() {
        check();
        Supplier<? extends Environment> named = EnvironmentSettings.named(agent.environment());
        Supplier<Environment> world = agent.environments().seen(named);
        IntFunction<AgentVector> games = several -> new AgentVector(
                () -> Seat.of("agent.environment", world.get()).game(), several, critic == Critic.JOINT);
        int count = agent.environments().count();
        AgentVector rows = games.apply(count);
        int[] others = IntStream.range(
                        rows.ownNumbers(), rows.observationSpace().width())
                .toArray();
        Ppo of = agent.environments(agent.environments().count(rows.size()))
                .onlyCriticSees(IntStream.of(others).boxed().toList());
        String columns = "environments.count " + count + " × " + rows.size() / count + " agents";
        of.batches().check(of.environments(), of.memory(), columns);
        TrainingEnvironments all = agent.environments()
                .open(rows, agent.gamma())
                .withNotes(EnvironmentSettings.versions(named))
                .withNotes(of.task().notes(of.environments().rows(of.rollout())));
        ActorCritic learner = of.agent(all);
        TableCollector collector =
                TableCollector.of(all, learner, of.rollout(), of.returns().estimator());
        Turn.Descend update = of.update(learner);
        Plan round = Plan.sequence(Turn.act("collect", collector), of.updating(update));
        AgentReturns returns = AgentReturns.of(games, learner.best(), learner.acting(), 100);
        Setup setup = Setup.of(learner.programs(update.program()), round, Budget.rounds(of.rounds()));
        return agent.environments()
                .warned(setup, named)
                .feed(of.minibatches(collector.table()), Resample.EACH_TURN)
                .evaluated(returns)
                .filmed(returns)
                .inferred(new PolicyInference(learner.best(), learner.acting(), all.actionSpace(), Optional.empty()));
    }

    private void check() {
        AlgorithmSettings.check(this);
        if (agent.memory().remembers()) {
            throw new IllegalArgumentException("agent.memory must be none, was " + agent.memory()
                    + ": agents that share a policy are evaluated without one");
        }
        if (!agent.policy().onlyCriticSees().isEmpty()) {
            throw new IllegalArgumentException("agent.only_critic_sees must be empty, was "
                    + agent.policy().onlyCriticSees() + ": critic says what it sees");
        }
        if (agent.policy().sharedLayers() && critic == Critic.JOINT) {
            throw new IllegalArgumentException(
                    "agent.shared_layers must be false where critic is joint: the shared layers"
                            + " would show the observations of others to the policy");
        }
        agent.policy().check(agent.network());
        agent.environments().requireWholeGames("agent.environments", "agents play the game as it is");
    }
}
