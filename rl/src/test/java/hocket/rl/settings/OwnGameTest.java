package hocket.rl.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hocket.rl.algorithms.MultiAgentPpo;
import hocket.rl.algorithms.Ppo;
import hocket.rl.algorithms.SelfPlay;
import hocket.rl.envs.Environment;
import hocket.rl.envs.EnvironmentChecker;
import hocket.rl.envs.games.AgentVector;
import hocket.rl.envs.games.MultiAgentEnvironment;
import hocket.rl.envs.games.Seat;
import hocket.rl.random.Pcg64;
import hocket.rl.spaces.Box;
import hocket.rl.spaces.Discrete;
import hocket.rl.spaces.Space;
import hocket.schedulers.Budget;
import hocket.schedulers.Scheduler;
import hocket.schedulers.Setup;
import hocket.schedulers.state.State;
import hocket.scopes.Parameters;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A game of a user's own class, named in a file. */
class OwnGameTest {
    /** Two agents show a coin at once; the first one wins if both show the same. An episode has three throws. */
    public static class Coins implements MultiAgentEnvironment {
        private final String fault;
        private int throwsTaken = 3;
        private double first;
        private int resets;

        public Coins() {
            this("");
        }

        Coins(String fault) {
            this.fault = fault;
        }

        private boolean is(String other) {
            return fault.equals(other) && throwsTaken == 2;
        }

        @Override
        public String name() {
            return "Coins";
        }

        @Override
        public List<String> agents() {
            return fault.equals("no agents") ? List.of() : List.of("same", "other");
        }

        @Override
        @SuppressWarnings("NullAway") // as a faulty class does
        public Space observations(int agent) {
            return fault.equals("no space") ? null : new Box(new float[] {0}, new float[] {3});
        }

        @Override
        public Space actions(int agent) {
            return new Discrete(2);
        }

        @Override
        public void reset(Pcg64 random) {
            resets++;
            boolean isOver = fault.equals("never") || fault.equals("early") && resets % 4 != 0;
            throwsTaken = isOver ? 3 : 0;
            first = 0;
        }

        @Override
        public boolean acts(int agent) {
            return throwsTaken < 3 && !is("nobody");
        }

        @Override
        public void step(float[][] actions, Pcg64 random) {
            if (throwsTaken >= 3) {
                throw new IllegalStateException("no episode is under way");
            }
            if (fault.equals("throws") && throwsTaken == 1) {
                throw new UnsupportedOperationException("the coin is lost");
            }
            throwsTaken++;
            first = actions[0][0] == actions[1][0] ? 1 : -1;
        }

        @Override
        public void observe(int agent, float[] into, int at) {
            if (!is("unwritten")) {
                into[at] = is("outside") && agent == 1 ? 7 : is("nan") ? Float.NaN : throwsTaken;
            }
        }

        @Override
        public double reward(int agent) {
            return is("reward") && agent == 1 ? Double.NaN : agent == 0 ? first : -first;
        }

        @Override
        public boolean terminated() {
            return throwsTaken == 3;
        }

        @Override
        public boolean masks() {
            return fault.equals("mask");
        }

        @Override
        public void mask(int agent, float[] into, int at) {
            into[at] = is("mask") ? 0 : 1;
            into[at + 1] = 0;
        }

        @Override
        public String text() {
            return "throw " + throwsTaken;
        }

        @Override
        public State save() {
            return State.empty().with("throws", throwsTaken).with("first", first);
        }

        @Override
        public void restore(State state) {
            throwsTaken = (int) state.whole("throws");
            first = state.real("first");
        }
    }

    private static final Ppo AGENT = Ppo.usual(Coins.class.getName())
            .environments(EnvironmentSettings.of(4))
            .rollout(8)
            .minibatch(32)
            .hidden(List.of(4))
            .totalSteps(64);

    private static void trains(Setup setup) {
        assertThat(setup.warnings()).isEmpty();
        try (Parameters parameters = setup.initialise(7);
                Scheduler scheduler = setup.schedule(parameters, 1)) {
            scheduler.run(Budget.rounds(2));
            State saved = scheduler.save();
            scheduler.run(Budget.rounds(3));
            State ahead = scheduler.save();
            scheduler.restore(saved);
            scheduler.run(Budget.rounds(3));
            assertThat(scheduler.save()).isEqualTo(ahead);
        }
    }

    @Test
    void agentsLearnToPlayItTogetherAgainstThemselvesAndAlone() {
        trains(MultiAgentPpo.usual(AGENT).setup());
        trains(SelfPlay.usual(AGENT).opponents(2).freezeEvery(1).ratingGames(2).setup());
        trains(AGENT.setup());
    }

    @Test
    void anEpisodeBeginsWhereTheAgentActsHoweverManyEndedBefore() {
        Environment early = Seat.amongRandomPlayers(new Coins("early"));
        for (int episode = 0; episode < 3; episode++) {
            early.reset(Pcg64.of(1));
            early.step(new float[] {1}, 0);
            assertThat(early.terminated()).isFalse();
        }
        Environment never = Seat.amongRandomPlayers(new Coins("never"));
        assertThatThrownBy(() -> never.reset(Pcg64.of(1)))
                .hasMessageContaining("Coins: each agent must act in some episodes, 1000 in turn ended before");
    }

    private static void failing(String fault, String message) {
        Environment seat = Seat.amongRandomPlayers(new Coins(fault));
        seat.reset(Pcg64.of(1));
        assertThatThrownBy(() -> {
                    seat.step(new float[] {0}, 0);
                    seat.step(new float[] {0}, 0);
                })
                .hasMessageStartingWith("Coins, episode 1, step 2" + message);
        AgentVector all = new AgentVector(() -> new Coins(fault), 1, true);
        all.reset(1);
        assertThatThrownBy(() -> {
                    all.step();
                    all.step();
                })
                .hasMessageStartingWith("Coins, episode 1, step 2" + message);
    }

    @Test
    void aFaultyOneIsStoppedAtItsFirstMistakeByEpisodeStepAndAgent() {
        failing("reward", ", agent other: the reward must be finite, was NaN");
        failing("nan", ", agent same: an observation must be finite, was");
        failing("outside", ", agent other: an observation must be of Box");
        failing("unwritten", ", agent same: observe must write all 1 numbers of an observation each time");
        failing("mask", ", agent same: a mask must allow at least one action of each choice, was [0.0, 0.0]");
        failing("nobody", ": an agent must act in an unfinished episode");
    }

    @Test
    void theGameThatASeatGivesForRatingsIsCheckedToo() {
        MultiAgentEnvironment game =
                Seat.amongRandomPlayers(new Coins("reward")).game();
        Pcg64 random = Pcg64.of(1);
        game.reset(random);
        game.step(new float[][] {{0}, {0}}, random);
        assertThatThrownBy(() -> game.step(new float[][] {{0}, {0}}, random))
                .hasMessage("Coins, episode 1, step 2, agent other: the reward must be finite, was NaN");
    }

    @Test
    void oneWithoutAgentsOrSpacesIsRefusedByName() {
        assertThatThrownBy(() -> Seat.amongRandomPlayers(new Coins("no agents")))
                .hasMessage("Coins: a game must have an agent, agents() was empty");
        assertThatThrownBy(() -> Seat.amongRandomPlayers(new Coins("no space")))
                .hasMessageContaining("observations(0)")
                .hasMessageContaining("null");
    }

    @Test
    void anExceptionOfItsClassNamesThePlace() {
        Environment seat = Seat.amongRandomPlayers(new Coins("throws"));
        seat.reset(Pcg64.of(1));
        seat.step(new float[] {0}, 0);
        assertThatThrownBy(() -> seat.step(new float[] {0}, 0))
                .hasMessageStartingWith("Coins, episode 1, step 2: ")
                .hasMessageContaining("the coin is lost")
                .hasMessageContaining("Coins");
    }

    @Test
    void itIsCheckedBeforeTrainingAsEnvironmentsAre() {
        assertThat(EnvironmentChecker.checkUnlessBuiltIn(() -> Seat.amongRandomPlayers(new Coins())))
                .isEmpty();
        assertThat(EnvironmentChecker.checkUnlessBuiltIn(() -> Seat.amongRandomPlayers(new Coins("reward"))))
                .singleElement()
                .asString()
                .contains("the reward must be finite, was NaN");
        assertThat(EnvironmentSettings.named(Coins.class.getName()).get().name())
                .isEqualTo("Coins");
    }
}
