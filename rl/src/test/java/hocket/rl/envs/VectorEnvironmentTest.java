package hocket.rl.envs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import hocket.rl.envs.classic.Acrobot;
import hocket.rl.envs.classic.CartPole;
import hocket.rl.envs.wrappers.TimeLimit;
import hocket.rl.random.Pcg64;
import hocket.rl.random.SeedSequence;
import hocket.schedulers.state.State;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests vectors of environments: seeds, ends of episodes and saved states. */
class VectorEnvironmentTest {
    /** A corridor: 0, 1, 2, ...; the third step of environment 0 ends an episode, the fifth of environment 1. */
    private static VectorEnvironment corridors(Autoreset autoreset) {
        Iterator<Integer> limits = List.of(3, 5).iterator();
        return VectorEnvironment.of(() -> new TimeLimit(new Corridor(), limits.next()), 2, autoreset);
    }

    @Test
    void whatWasMadeIsClosedIfTheVectorCannotBe() {
        List<Integer> closed = new ArrayList<>();
        Iterator<Integer> numbers = List.of(0, 1).iterator();
        assertThatIllegalStateException()
                .isThrownBy(() -> VectorEnvironment.of(
                        () -> {
                            if (!numbers.hasNext()) {
                                throw new IllegalStateException("no third one");
                            }
                            return closing(numbers.next(), closed);
                        },
                        3,
                        Autoreset.SAME_STEP))
                .withMessage("no third one");
        assertThat(closed).containsExactly(0, 1);
    }

    private static Environment closing(int number, List<Integer> closed) {
        return new ForwardingEnvironment(new Corridor()) {
            @Override
            public void close() {
                closed.add(number);
            }
        };
    }

    private static float[] starts(long seed, int environment, int episodes) {
        SeedSequence ofSeed = SeedSequence.of(seed);
        Pcg64 random = Pcg64.of(environment == 0 ? ofSeed : ofSeed.child(2).child(environment));
        float[] starts = new float[episodes];
        for (int i = 0; i < episodes; i++) {
            starts[i] = 100 * random.choice(9);
        }
        return starts;
    }

    @Test
    void theFirstEnvironmentHasTheSeedsGeneratorAndTheOthersItsChildren() {
        VectorEnvironment vector = corridors(Autoreset.SAME_STEP);
        float[] first = starts(7, 0, 2);
        float[] second = starts(7, 1, 3);
        vector.reset(7);
        assertThat(vector.observations()).containsExactly(first[0], second[0]);
        vector.reset();
        assertThat(vector.observations()).containsExactly(first[1], second[1]);
        vector.reset(new boolean[] {false, true});
        assertThat(vector.observations()).containsExactly(first[1], second[2]);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> vector.reset(new boolean[1]))
                .withMessage("a vector of 2 environments needs as many marks, got 1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> vector.reset(-1))
                .withMessage("a seed must be at least 0, was -1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"CartPole-v1", "Pendulum-v1", "Acrobot-v1"})
    void noTwoEnvironmentsOfNeighbouringSeedsShareAnEpisodeAndTheFirstIsGymnasiums(String name) {
        Set<String> starts = new HashSet<>();
        int count = 8;
        int seeds = 20;
        int episodes = 3;
        for (long seed = 7; seed < 7 + seeds; seed++) {
            VectorEnvironment vector = VectorEnvironment.of(() -> Environments.make(name), count, Autoreset.SAME_STEP);
            Environment alone = Environments.make(name);
            alone.reset(Pcg64.of(seed));
            vector.reset(seed);
            int width = vector.observationSpace().width();
            for (int episode = 0; episode < episodes; episode++) {
                float[] seen = new float[width];
                alone.observe(seen, 0);
                assertThat(Arrays.copyOf(vector.observations(), width)).isEqualTo(seen);
                for (int i = 0; i < count; i++) {
                    starts.add(Arrays.toString(Arrays.copyOfRange(vector.observations(), i * width, (i + 1) * width)));
                }
                vector.reset();
                alone.reset();
            }
        }
        assertThat(starts).hasSize(seeds * count * episodes);
    }

    @Test
    void inTheSameStepTheNextEpisodeIsSeenAtOnce() {
        VectorEnvironment vector = corridors(Autoreset.SAME_STEP);
        List<String> heard = new ArrayList<>();
        vector.listen((environment, ret, length) -> heard.add(environment + " " + ret + " " + length));
        float[] first = starts(0, 0, 3);
        float[] second = starts(0, 1, 3);
        vector.reset(0);
        assertThat(vector.episodeStarts()).containsExactly(true, true);
        vector.step();
        vector.step();
        assertThat(vector.observations()).containsExactly(first[0] + 2, second[0] + 2);
        assertThat(vector.episodeStarts()).containsExactly(false, false);
        vector.step();
        assertThat(vector.observations()).containsExactly(first[1], second[0] + 3);
        assertThat(vector.truncated()).containsExactly(true, false);
        assertThat(vector.terminated()).containsExactly(false, false);
        assertThat(vector.rewards()).containsExactly(3, 3);
        assertThat(vector.finalObservations()[0]).isEqualTo(first[0] + 3);
        assertThat(vector.episodeStarts()).containsExactly(true, false);
        assertThat(heard).containsExactly("0 6.0 3");
        vector.step();
        assertThat(vector.truncated()).containsExactly(false, false);
        assertThat(vector.rewards()).containsExactly(1, 4);
        vector.step();
        assertThat(vector.observations()).containsExactly(first[1] + 2, second[1]);
        assertThat(heard).containsExactly("0 6.0 3", "1 15.0 5");
    }

    @Test
    void inTheNextStepTheResetTakesTheStep() {
        VectorEnvironment vector = corridors(Autoreset.NEXT_STEP);
        List<String> heard = new ArrayList<>();
        vector.listen((environment, ret, length) -> heard.add(environment + " " + ret + " " + length));
        float[] first = starts(0, 0, 3);
        float[] second = starts(0, 1, 3);
        vector.reset(0);
        vector.step();
        vector.step();
        vector.step();
        assertThat(vector.observations()).containsExactly(first[0] + 3, second[0] + 3);
        assertThat(vector.truncated()).containsExactly(true, false);
        assertThat(vector.finalObservations()[0]).isEqualTo(first[0] + 3);
        vector.actions()[0] = 17; // ignored: it is not an action
        vector.step();
        assertThat(vector.observations()).containsExactly(first[1], second[0] + 4);
        assertThat(vector.rewards()).containsExactly(0, 4);
        assertThat(vector.truncated()).containsExactly(false, false);
        assertThat(vector.episodeStarts()).containsExactly(true, false);
        vector.actions()[0] = 0;
        vector.step();
        vector.step();
        vector.step();
        assertThat(heard).containsExactly("0 6.0 3", "1 15.0 5", "0 6.0 3");
    }

    @Test
    void withoutAutoresetTheCallerBeginsTheNextEpisode() {
        VectorEnvironment vector = corridors(Autoreset.DISABLED);
        vector.reset(0);
        vector.step();
        vector.step();
        vector.step();
        assertThatIllegalStateException().isThrownBy(vector::step);
        vector.reset(vector.truncated().clone());
        assertThat(vector.truncated()).containsExactly(false, false);
        assertThat(vector.observations()).containsExactly(starts(0, 0, 2)[1], starts(0, 1, 1)[0] + 3);
        vector.step();
        assertThat(vector.rewards()).containsExactly(1, 4);
    }

    @ParameterizedTest
    @EnumSource(names = {"NEXT_STEP", "SAME_STEP"})
    void aRestoredStateContinuesBitForBit(Autoreset autoreset) {
        for (String name : Environments.names()) {
            VectorEnvironment vector = VectorEnvironment.of(() -> Environments.make(name), 3, autoreset);
            vector.reset(11);
            Pcg64 chooser = Pcg64.of(2);
            play(vector, chooser, 150);
            State saved = vector.save();
            State chooserSaved = chooser.save();
            List<String> wanted = play(vector, chooser, 300);
            VectorEnvironment other = VectorEnvironment.of(() -> Environments.make(name), 3, autoreset);
            other.restore(saved);
            assertThat(other.save()).isEqualTo(saved);
            assertThat(play(other, Pcg64.of(chooserSaved), 300)).as(name).isEqualTo(wanted);
        }
    }

    private static List<String> play(VectorEnvironment vector, Pcg64 chooser, int steps) {
        List<String> log = new ArrayList<>();
        EpisodeListener listener = (environment, ret, length) -> log.add(environment + " " + ret + " " + length);
        vector.listen(listener);
        int width = vector.actionSpace().width();
        for (int i = 0; i < steps; i++) {
            for (int j = 0; j < vector.size(); j++) {
                vector.actionSpace().sample(chooser, vector.actions(), j * width);
            }
            vector.step();
            log.add(Arrays.toString(vector.observations())
                    + Arrays.toString(vector.rewards())
                    + Arrays.toString(vector.terminated())
                    + Arrays.toString(vector.truncated())
                    + Arrays.toString(vector.episodeStarts())
                    + Arrays.toString(vector.finalObservations()));
        }
        return new ArrayList<>(log);
    }

    @Test
    void aRefusedStateChangesNothing() {
        VectorEnvironment vector = corridors(Autoreset.SAME_STEP);
        vector.reset(0);
        vector.step();
        State saved = vector.save();
        vector.step();
        State before = vector.save();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> vector.restore(saved.with("environment1", State.empty())));
        assertThat(vector.save()).isEqualTo(before);
        VectorEnvironment three = VectorEnvironment.of(Corridor::new, 3, Autoreset.SAME_STEP);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> three.restore(saved))
                .withMessage("the saved state's observations must hold 3 numbers, has 2");
    }

    /** Allows nothing at the end of an episode. */
    private static final class Deadlock extends ForwardingEnvironment {
        Deadlock(Environment inner) {
            super(inner);
        }

        @Override
        public boolean masks() {
            return true;
        }

        @Override
        public void mask(float[] into, int at) {
            Arrays.fill(into, at, at + actions().maskWidth(), truncated() ? 0 : 1);
            into[at] = 0;
        }
    }

    /** A target of the last observation has a maximum over some actions then. */
    @Test
    void whereAMaskAllowsNoActionAtATruncatedEndAllAreAllowed() {
        VectorEnvironment all = VectorEnvironment.of(
                () -> new Deadlock(new TimeLimit(Environments.make("MountainCar-v0"), 2)), 2, Autoreset.SAME_STEP);
        all.reset(1);
        Arrays.fill(all.actions(), 1);
        all.step();
        all.step();
        assertThat(all.truncated()).containsExactly(true, true);
        assertThat(all.finalMasks()).containsExactly(1, 1, 1, 1, 1, 1);
        assertThat(all.masks()).containsExactly(0, 1, 1, 0, 1, 1);
    }

    @Test
    void aWrongActionChangesNoEnvironment() {
        VectorEnvironment vector = corridors(Autoreset.SAME_STEP);
        vector.reset(0);
        vector.actions()[1] = 2;
        State before = vector.save();
        assertThatIllegalArgumentException()
                .isThrownBy(vector::step)
                .withMessage("Corridor, environment 1: an action must be of Discrete(2), was 2");
        assertThat(vector.save()).isEqualTo(before);
    }

    @Test
    void aStepAllocatesNothing() {
        VectorEnvironment vector = VectorEnvironment.of(() -> Environments.make("CartPole-v1"), 8, Autoreset.SAME_STEP);
        vector.listen((environment, ret, length) -> {});
        vector.reset(0);
        Pcg64 chooser = Pcg64.of(2);
        Runnable play = () -> {
            for (int i = 0; i < 5_000; i++) {
                for (int j = 0; j < vector.size(); j++) {
                    vector.actionSpace().sample(chooser, vector.actions(), j);
                }
                vector.step();
            }
        };
        play.run();
        // the JIT may still be at work; a byte a step of an environment would be 40,000
        assertThat(Allocation.of(play)).isLessThan(20_000);
    }

    @Test
    void environmentsOfAVectorAreAlike() {
        Iterator<Environment> mixed =
                List.<Environment>of(new CartPole(), new Acrobot()).iterator();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> VectorEnvironment.of(mixed::next, 2, Autoreset.SAME_STEP))
                .withMessageStartingWith("Acrobot-v1: the environments of a vector must observe alike, one has Box(4)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> VectorEnvironment.of(CartPole::new, 0, Autoreset.SAME_STEP))
                .withMessage("a vector must have at least 1 environment, had none");
    }
}
