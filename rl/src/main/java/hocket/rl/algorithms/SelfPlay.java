package hocket.rl.algorithms;

import hocket.programs.Program;
import hocket.rl.actors.OpponentPool;
import hocket.rl.actors.OpponentRatings;
import hocket.rl.actors.Policy;
import hocket.rl.actors.TrainingEnvironments;
import hocket.rl.envs.Environment;
import hocket.rl.envs.games.AgentVector;
import hocket.rl.envs.games.Seat;
import hocket.rl.networks.ActorCritic;
import hocket.rl.replay.Rollout;
import hocket.rl.settings.AlgorithmSettings;
import hocket.rl.settings.EnvironmentSettings;
import hocket.schedulers.Budget;
import hocket.schedulers.Definition;
import hocket.schedulers.Plan;
import hocket.schedulers.Resample;
import hocket.schedulers.Schedule;
import hocket.schedulers.ScheduleView;
import hocket.schedulers.Setup;
import hocket.schedulers.Trigger;
import hocket.schedulers.Turn;
import hocket.schedulers.settings.Setting;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Self-play by {@link Ppo} in a game of two agents: it plays against itself and against a pool of frozen opponents, former
 * policies of its own (Bansal et al. 2018, "Emergent complexity via multi-agent competition").
 *
 * <p>A round is a rollout and its updates. From time to time the policy is rated by its games against the pool, and a turn
 * {@code freeze} copies it over the oldest opponent: {@code sequence(collect, update × n, when(every n rounds, sequence(rate,
 * choose(freeze-0, freeze-1, …))))}. The updates own {@code actor/**} and {@code critic/**}, each freeze owns {@code
 * opponents/i/**}, so nothing can train an opponent.
 */
public record SelfPlay(
        @Setting(
                help =
                        "the agent and its game: settings of hocket.rl.algorithms.Ppo; the opponent in the game's options"
                                + " is the one of evaluations")
        Ppo agent,

        @Setting(usually = "8", least = 1, most = 1000, help = "number of frozen opponents")
        int opponents,

        @Setting(usually = "10", least = 1, most = 1e9, help = "rounds from one frozen opponent to the next")
        long freezeEvery,

        @Setting(usually = "0.5", least = 0, most = 1, help = "share of the episodes against the latest policy")
        double latest,

        @Setting(
                usually = "0",
                least = 0,
                most = 1e6,
                help = "most moves at random that begin an episode of training; each number of them is as probable")
        int opening,

        @Setting(usually = "20", least = 2, most = 1e6, help = "games against each opponent for a rating")
        int ratingGames)
        implements Definition, SelfPlayCopies {
    private static final String FREEZE = "freeze-";

    /** Returns the default settings with this agent. */
    public static SelfPlay usual(Ppo agent) {
        return SelfPlayCopies.usual(agent);
    }

    @Override
    public Setup setup() {
        check();
        Supplier<? extends Environment> world = EnvironmentSettings.named(agent.environment());
        Seat seat =
                Seat.ofTwo("agent.environment", agent.environments().seen(world).get());
        AgentVector.requireOnePolicy(seat.game());
        requireFrozen();
        TrainingEnvironments all = agent.open(world);
        ActorCritic learner = agent.agent(all);
        OpponentPool pool = new OpponentPool(learner.acting(), opponents, latest, opening);
        all.environments().forEach(each -> Seat.ofTwo("agent.environment", each).meet(pool));
        Rollout collector =
                new Rollout(all, learner, agent.rollout(), agent.returns().estimator()).preparedBy(pool::begin);
        Turn.Descend update = agent.update(learner);
        Plan round = Plan.sequence(
                Turn.act("collect", collector),
                agent.updating(update),
                Plan.when(
                        new Trigger.EveryRounds(freezeEvery),
                        Plan.sequence(
                                Turn.act("rate", new OpponentRatings(pool, seat.game(), ratingGames)),
                                Plan.choose(new Oldest(opponents), freezes()))));
        Program[] programs = Stream.concat(
                        Stream.of(update.program()),
                        pool.policies().stream().skip(1).map(Policy::program))
                .toArray(Program[]::new);
        Setup setup = Setup.of(learner.programs(programs), round, Budget.rounds(agent.rounds()))
                .feed(agent.minibatches(collector.table()), Resample.EACH_TURN);
        for (int copy = 0; copy < opponents; copy++) {
            setup = setup.copy("actor/**", OpponentPool.path(copy));
        }
        return agent.environments().evaluated(setup, world, learner.best(), learner.acting(), all);
    }

    /** Chooses one freeze after the other. */
    private record Oldest(int opponents) implements Schedule<Oldest.Copy> {
        /** The copy that is frozen next. */
        record Copy(int next) {}

        @Override
        public Copy start() {
            return new Copy(0);
        }

        @Override
        public Choice<Copy> next(Copy oldest, ScheduleView view) {
            return new Choice<>(FREEZE + oldest.next(), new Copy((oldest.next() + 1) % opponents));
        }
    }

    private Plan[] freezes() {
        return IntStream.range(0, opponents)
                .mapToObj(copy -> Turn.follow(FREEZE + copy, "actor/**", OpponentPool.path(copy), 0))
                .toArray(Plan[]::new);
    }

    /** Each opponent is frozen at least once; one that is not would play as the policy began. */
    private void requireFrozen() {
        long frozen = agent.rounds() / freezeEvery;
        if (opponents > frozen) {
            throw new IllegalArgumentException("opponents must be at most " + frozen + ", was " + opponents + ": "
                    + agent.rounds() + " rounds freeze one every " + freezeEvery
                    + "; lower opponents or freeze_every, or raise agent.total_steps");
        }
    }

    private void check() {
        AlgorithmSettings.check(this);
        agent.check();
        if (agent.memory().remembers()) {
            throw new IllegalArgumentException(
                    "agent.memory must be none, was " + agent.memory() + ": opponents act without one");
        }
        agent.environments()
                .requireWholeGames("agent.environments", "opponents read observations as the game gives them");
    }
}
