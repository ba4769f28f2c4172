package hocket.rl.algorithms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hocket.rl.envs.Autoreset;
import hocket.rl.envs.CheckedEnvironment;
import hocket.rl.envs.Environment;
import hocket.rl.envs.EnvironmentChecker;
import hocket.rl.envs.EnvironmentPicture;
import hocket.rl.envs.Environments;
import hocket.rl.envs.EpisodicEnvironment;
import hocket.rl.envs.ForwardingEnvironment;
import hocket.rl.envs.VectorEnvironment;
import hocket.rl.envs.wrappers.TimeLimit;
import hocket.rl.random.Pcg64;
import hocket.rl.replay.Demonstrations;
import hocket.rl.settings.EnvironmentSettings;
import hocket.rl.spaces.Box;
import hocket.rl.spaces.Discrete;
import hocket.schedulers.settings.UserClassException;
import hocket.schedulers.state.State;
import java.awt.Graphics2D;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that environments with mistakes are named by the checker and stop the training. */
class FaultyEnvironmentTest {
    private static final int FAULT = 7;

    /** An environment that counts to ten, with a mistake at seven. */
    private static class Counter extends EpisodicEnvironment {
        private int count;

        Counter() {
            super("Counter", Box.of(1, 0, 10), new Discrete(2));
        }

        int count() {
            return count;
        }

        double worth() {
            return 1;
        }

        @Override
        protected void begin() {
            count = 0;
        }

        @Override
        protected void act(float[] action, int at) {
            count++;
            outcome(worth(), count == 10);
        }

        @Override
        public void observe(float[] into, int at) {
            into[at] = count;
        }

        @Override
        protected State saveOwnState() {
            return State.empty().with("count", count);
        }

        @Override
        protected void restoreOwnState(State state) {
            count = (int) state.whole("count");
        }
    }

    private static final class Outside extends Counter {
        @Override
        public void observe(float[] into, int at) {
            into[at] = count() == FAULT ? 11 : count();
        }
    }

    private static final class NotANumber extends Counter {
        @Override
        double worth() {
            return count() == FAULT ? Double.NaN : 1;
        }
    }

    /** A number that a double holds and a float does not. */
    private static final class Beyond extends Counter {
        @Override
        double worth() {
            return count() == FAULT ? 1e39 : 1;
        }
    }

    /** An environment that does not write its observation at seven. */
    private static final class Partly extends Counter {
        @Override
        public void observe(float[] into, int at) {
            if (count() != FAULT) {
                into[at] = count();
            }
        }
    }

    /** An environment that does not report its outcome. */
    private static final class Silent extends Counter {
        private int moves;

        @Override
        protected void act(float[] action, int at) {
            moves++;
            if (moves != FAULT) {
                super.act(action, at);
            }
        }
    }

    /** An environment that accepts steps after the end. */
    private static final class GoesOn extends ForwardingEnvironment {
        GoesOn() {
            super(new Counter());
        }

        @Override
        public void step(float[] action, int at) {
            if (!terminated()) {
                super.step(action, at);
            }
        }
    }

    /** A user's wrapper of a built-in environment, whose observation fails. */
    private static final class Blind extends ForwardingEnvironment {
        Blind() {
            super(Environments.make("CartPole-v1"));
        }

        @Override
        public void observe(float[] into, int at) {
            super.observe(into, at);
            into[at] = Float.NaN;
        }
    }

    /** An environment whose mask is of other numbers from seven on. */
    private static final class Masked extends Counter {
        private final float[] wrong;

        Masked(float... wrong) {
            this.wrong = wrong;
        }

        @Override
        public boolean masks() {
            return true;
        }

        @Override
        public void mask(float[] into, int at) {
            super.mask(into, at);
            for (int i = 0; i < wrong.length && count() >= FAULT; i++) {
                into[at + i] = wrong[i];
            }
        }
    }

    @Test
    void aWrongMaskEndsTheTrainingWithItsPlace() {
        assertThatThrownBy(() -> trained(() -> new Masked(0, 0)))
                .hasStackTraceContaining(
                        "step 7: a mask must allow at least one action of each choice, was [0.0, 0.0]");
        assertThatThrownBy(() -> trained(() -> new Masked(1, Float.NaN)))
                .hasStackTraceContaining(
                        "step 7: mask must write 1 for each action that is allowed, else 0, wrote NaN as number 1");
        Environment swing = new ForwardingEnvironment(Environments.make("Pendulum-v1")) {
            @Override
            public boolean masks() {
                return true;
            }
        };
        assertThatThrownBy(() -> VectorEnvironment.of(() -> swing, 1, Autoreset.SAME_STEP))
                .hasMessageStartingWith("Pendulum-v1: only discrete and multi-discrete actions can be masked");
    }

    private static void trained(Supplier<Environment> environment) {
        Training.whole(
                Ppo.usual("Counter")
                        .environments(EnvironmentSettings.of(1))
                        .rollout(16)
                        .minibatch(16)
                        .hidden(List.of(4))
                        .totalSteps(16)
                        .setup(environment),
                5);
    }

    /** An environment that fails in one method from seven on. */
    private static final class Failing extends Counter {
        private final String in;

        Failing(String in) {
            this.in = in;
        }

        private void fail(String here) {
            if (in.equals(here) && count() >= FAULT) {
                throw new UnsupportedOperationException("not here");
            }
        }

        @Override
        protected void begin() {
            fail("reset");
            super.begin();
        }

        @Override
        protected void act(float[] action, int at) {
            super.act(action, at);
            fail("step");
        }

        @Override
        public String text() {
            fail("text");
            return super.text();
        }

        @Override
        public void draw(Graphics2D graphics, int width, int height) {
            fail("draw");
            super.draw(graphics, width, height);
        }

        @Override
        protected State saveOwnState() {
            fail("save");
            return super.saveOwnState();
        }

        @Override
        protected void restoreOwnState(State state) {
            fail("restore");
            super.restoreOwnState(state);
        }
    }

    private static void stepped(Environment world, int times) {
        for (int i = 0; i < times; i++) {
            world.step(new float[1], 0);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"reset", "step", "text", "draw", "save", "restore"})
    void anExceptionOfAnEnvironmentIsNamedWithItsPlace(String in) {
        Environment world = CheckedEnvironment.unlessBuiltIn(new Failing(in), 3);
        world.reset(Pcg64.of(0));
        stepped(world, FAULT - 1);
        State before = in.equals("save") ? State.empty() : world.save();
        assertThatThrownBy(() -> {
                    stepped(world, 1);
                    switch (in) {
                        case "reset" -> world.reset();
                        case "text" -> world.text();
                        case "draw" -> EnvironmentPicture.of(world, 8, 8);
                        case "save" -> world.save();
                        default -> world.restore(before);
                    }
                })
                .isInstanceOf(UserClassException.class)
                .hasMessage("Counter, environment 3, episode "
                        + switch (in) {
                            case "reset" -> "2, step 0: ";
                            case "step" -> "1, step 7: ";
                            case "restore" -> "1, step 6: ";
                            default -> "1, step 7, in " + in + ": ";
                        }
                        + "class " + Failing.class.getName()
                        + (in.equals("restore") ? " could not be restored: " : " failed: ")
                        + "java.lang.UnsupportedOperationException: not here");
    }

    /** A wrapper that fails when one of its values is read. */
    private static final class Unreadable extends ForwardingEnvironment {
        private final String in;

        Unreadable(String in) {
            super(new Counter());
            this.in = in;
        }

        private void fail(String here) {
            if (in.equals(here)) {
                throw new UnsupportedOperationException("not here");
            }
        }

        @Override
        public double reward() {
            fail("reward");
            return super.reward();
        }

        @Override
        public boolean terminated() {
            fail("terminated");
            return super.terminated();
        }

        @Override
        public boolean truncated() {
            fail("truncated");
            return super.truncated();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"reward", "terminated", "truncated"})
    void anExceptionWhileAValueIsReadIsNamedWithItsPlace(String in) {
        VectorEnvironment world = VectorEnvironment.of(
                () -> CheckedEnvironment.unlessBuiltIn(new Unreadable(in), 3), 1, Autoreset.SAME_STEP);
        world.reset(1);
        assertThatThrownBy(world::step)
                .isInstanceOf(UserClassException.class)
                .hasMessageStartingWith("Counter, environment 3, episode 1, step 1, in " + in + ": class ")
                .hasMessageEndingWith(" failed: java.lang.UnsupportedOperationException: not here");
    }

    private static void train(Supplier<Environment> environment) {
        Training.whole(
                Ppo.usual(environment.get().name())
                        .rollout(32)
                        .minibatch(32)
                        .epochs(1)
                        .hidden(List.of(4))
                        .totalSteps(64)
                        .setup(environment),
                1);
    }

    @Test
    void aCorrectEnvironmentTrains() {
        assertThat(EnvironmentChecker.check(Counter::new)).isEmpty();
        train(Counter::new);
    }

    @Test
    void anObservationOutsideItsSpaceIsFoundAndStopsTheTraining() {
        assertThat(EnvironmentChecker.check(Outside::new))
                .anySatisfy(finding -> assertThat(finding)
                        .contains("Counter", "episode 1", "step 7", "must observe a point of its space", "11"));
        assertThatThrownBy(() -> train(Outside::new))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("Counter, environment 0, episode 1, step 7")
                .hasMessageContaining("11");
    }

    @Test
    void aRewardThatIsNoNumberIsFoundAndStopsTheTraining() {
        assertThat(EnvironmentChecker.check(NotANumber::new))
                .anySatisfy(finding -> assertThat(finding)
                        .contains("Counter", "episode 1", "step 7", "must give rewards that are finite floats", "NaN"));
        assertThatThrownBy(() -> train(NotANumber::new))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("Counter, environment 0, episode 1, step 7: the reward must be finite, was NaN");
    }

    @Test
    void aRewardThatNoFloatHoldsStopsTheTraining() {
        assertThatThrownBy(() -> train(Beyond::new))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage(
                        "Counter, environment 0, episode 1, step 7: the reward must be a float, within ±3.4028235E38,"
                                + " was 1.0E39");
    }

    @Test
    void theFailingEnvironmentOfSeveralIsNamed() {
        AtomicInteger made = new AtomicInteger();
        Ppo ppo = Ppo.usual("Counter")
                .environments(EnvironmentSettings.of(3))
                .rollout(32)
                .minibatch(32)
                .hidden(List.of(4));
        Supplier<Environment> secondIsWrong = () -> made.getAndIncrement() == 1 ? new Beyond() : new Counter();
        assertThatThrownBy(() -> Training.whole(ppo.setup(secondIsWrong), 1))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("Counter, environment 1, episode 1, step 7: ");
    }

    @Test
    void anObservationThatIsPartlyWrittenStopsTheTraining() {
        String message = "observe must write all 1 numbers of an observation each time, left number 0 as it was";
        assertThatThrownBy(() -> train(Partly::new))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("Counter, environment 0, episode 1, step 7: " + message);
        assertThatThrownBy(() -> Demonstrations.of(Partly::new, (seen, random, action) -> action[0] = 0, 1, 1))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("Counter, episode 1, step 7: " + message);
    }

    @Test
    void aStepWithoutAnOutcomeStopsTheTraining() {
        assertThatThrownBy(() -> train(Silent::new))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage(
                        "Counter, environment 0, episode 1, step 7: act must call outcome(reward, terminated) in every"
                                + " step, did not");
        assertThatThrownBy(() -> Demonstrations.of(Silent::new, (seen, random, action) -> action[0] = 0, 1, 1))
                .hasMessageStartingWith("Counter, episode 1, step 7: act must call outcome");
    }

    @Test
    void aCustomWrapperIsCheckedToo() {
        assertThatThrownBy(() -> train(() -> new TimeLimit(new Blind(), 50)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith(
                        "CartPole-v1, environment 0, episode 1, step 0: an observation must be finite, was [NaN");
        Environment builtIn = Environments.make("CartPole-v1");
        assertThat(CheckedEnvironment.unlessBuiltIn(builtIn)).isSameAs(builtIn);
    }

    @Test
    void aStepAfterTheEndMustBeRefused() {
        assertThat(EnvironmentChecker.check(GoesOn::new))
                .anySatisfy(finding -> assertThat(finding).contains("Counter", "must refuse a step after the end"));
    }
}
