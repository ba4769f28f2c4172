package hocket.workbench.command.bench;

import hocket.rl.algorithms.A2c;
import hocket.rl.algorithms.Ddpg;
import hocket.rl.algorithms.Dqn;
import hocket.rl.algorithms.Ppo;
import hocket.rl.algorithms.QrDqn;
import hocket.rl.algorithms.Rainbow;
import hocket.rl.algorithms.Sac;
import hocket.rl.algorithms.Td3;
import hocket.rl.losses.CategoricalReturn;
import hocket.rl.losses.RegressionLoss;
import hocket.rl.losses.ValueLoss;
import hocket.rl.networks.LstmMemory;
import hocket.rl.sampling.UniformSampler;
import hocket.rl.settings.EnvironmentSettings;
import hocket.rl.settings.RateDecay;
import hocket.schedulers.Budget;
import hocket.schedulers.Definition;
import hocket.schedulers.Event;
import hocket.schedulers.LiveRun;
import hocket.schedulers.Scheduler;
import java.util.List;

/** Rounds of an agent's training: environment steps, inference and updates. */
final class AgentRounds implements Work {
    private static final long NO_END = 1_000_000_000_000L;

    private final LiveRun run;
    private long rounds;
    private double steps;

    AgentRounds(Definition algorithm, int threads) {
        run = algorithm.begin(0, threads);
        Scheduler scheduler = run.scheduler();
        scheduler.listen(Event.Acted.class, acted -> steps = acted.metrics().get("steps"));
        run(1); // the first round may collect more steps than the others
    }

    /** PPO on CartPole-v1. */
    static Ppo ppo(int environments, int rollout, int epochs, int minibatch) {
        return Ppo.usual("CartPole-v1")
                .environments(EnvironmentSettings.of(environments))
                .rollout(rollout)
                .epochs(epochs)
                .minibatch(minibatch)
                .totalSteps(NO_END);
    }

    /** PPO on CartPole-v1 with the settings of CleanRL's ppo.py. */
    static Ppo ppoOfCleanRl() {
        return ppo(4, 128, 4, 128)
                .rate(2.5e-4)
                .rateDecay(RateDecay.LINEAR)
                .valueLoss(ValueLoss.CLEAN_RL)
                .valueClip(0.2)
                .entropyCoefficient(0.01);
    }

    /** PPO on CartPole-v1 whose networks have a layer of LSTM cells, then a dense one. */
    static Definition recurrentPpo() {
        return ppo(8, 128, 4, 256).memory(new LstmMemory(64)).hidden(List.of(64));
    }

    /** PPO on Taxi-v4, whose useless actions are masked, with the settings of taxi-ppo, but a constant rate. */
    static Definition maskedPpo() {
        return Ppo.usual("Taxi-v4")
                .environments(EnvironmentSettings.of(16))
                .rollout(128)
                .epochs(4)
                .minibatch(512)
                .rate(1e-3)
                .entropyCoefficient(0.01)
                .hidden(List.of(128))
                .totalSteps(NO_END);
    }

    /** A2C on CartPole-v1 with rl-baselines3-zoo's settings. */
    static Definition a2c() {
        return A2c.usual("CartPole-v1").environments(EnvironmentSettings.of(8)).totalSteps(NO_END);
    }

    /** DQN on CartPole-v1 with rl-baselines3-zoo's settings. */
    static Definition dqn() {
        return Dqn.usual("CartPole-v1")
                .totalSteps(50_000)
                .replay(100_000)
                .learningStarts(1000)
                .batch(64)
                .collect(256)
                .updates(128)
                .targetEvery(10)
                .rate(2.3e-3)
                .epsilonTo(0.04)
                .explorationFraction(0.16)
                .hidden(List.of(256, 256));
    }

    /** DQN on CartPole-v1 with the settings of CleanRL's dqn.py, but fewer steps before learning and of exploration. */
    static Definition dqnOfCleanRl() {
        return Dqn.usual("CartPole-v1")
                .totalSteps(500_000)
                .replay(10_000)
                .learningStarts(1000)
                .batch(128)
                .collect(10)
                .targetEvery(500)
                .rate(2.5e-4)
                .clipGradients(0)
                .explorationFraction(0.002)
                .regression(RegressionLoss.SQUARED)
                .hidden(List.of(120, 84));
    }

    /** C51 on CartPole-v1 with the settings of CleanRL's c51.py, but fewer steps before learning and of exploration. */
    static Definition c51OfCleanRl() {
        return Rainbow.usual("CartPole-v1")
                .distribution(new CategoricalReturn(101, -100, 100))
                .sigma(0)
                .sampler(new UniformSampler())
                .nSteps(1)
                .doubleQ(false)
                .dueling(false)
                .totalSteps(500_000)
                .replay(10_000)
                .learningStarts(1000)
                .batch(128)
                .collect(10)
                .targetEvery(500)
                .rate(2.5e-4)
                .clipGradients(0)
                .epsilonFrom(1)
                .epsilonTo(0.05)
                .explorationFraction(0.002)
                .hidden(List.of(120, 84));
    }

    /** QR-DQN on CartPole-v1 with the settings of rl-baselines3-zoo. */
    static Definition qrDqn() {
        return QrDqn.usual("CartPole-v1")
                .totalSteps(50_000)
                .replay(100_000)
                .learningStarts(1000)
                .batch(64)
                .collect(256)
                .updates(128)
                .targetEvery(10)
                .quantiles(10)
                .rate(2.3e-3)
                .epsilonTo(0.04)
                .explorationFraction(0.16)
                .hidden(List.of(256, 256));
    }

    /** SAC on Pendulum-v1, two hidden layers of 256. */
    static Definition sac() {
        return Sac.usual("Pendulum-v1").rate(1e-3).totalSteps(NO_END);
    }

    /** SAC on Pendulum-v1 with the settings of CleanRL's sac_continuous_action.py, but one rate for all networks. */
    static Definition sacOfCleanRl() {
        return Sac.usual("Pendulum-v1").totalSteps(NO_END);
    }

    /** TD3 on Pendulum-v1, hidden layers of 400 and 300. */
    static Definition td3() {
        return Td3.usual("Pendulum-v1").totalSteps(NO_END);
    }

    /** TD3 on Pendulum-v1 with the settings of CleanRL's td3_continuous_action.py. */
    static Definition td3OfCleanRl() {
        return Td3.usual("Pendulum-v1").rate(3e-4).hidden(List.of(256, 256)).totalSteps(NO_END);
    }

    /** DDPG on Pendulum-v1 with the settings of CleanRL's ddpg_continuous_action.py, but an update of the actor in each step. */
    static Definition ddpgOfCleanRl() {
        return Ddpg.usual("Pendulum-v1").rate(3e-4).hidden(List.of(256, 256)).totalSteps(NO_END);
    }

    /** DDPG on Pendulum-v1, hidden layers of 400 and 300. */
    static Definition ddpg() {
        return Ddpg.usual("Pendulum-v1").totalSteps(NO_END);
    }

    /** Returns the environment steps of a round. */
    double stepsOfRound() {
        double before = steps;
        run(1);
        return steps - before;
    }

    @Override
    public void run(int times) {
        rounds += times;
        run.scheduler().run(Budget.rounds(rounds));
    }

    @Override
    public void close() {
        run.close();
    }
}
