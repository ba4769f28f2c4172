package hocket.rl.envs.wrappers;

import hocket.rl.envs.Environment;
import hocket.schedulers.settings.Keyed;
import hocket.schedulers.settings.Setting;
import java.util.List;

/**
 * A change of an environment, as a file names it: {@code {action_repeat: 4}}, {@code unmasked} or {@code {class: my.Wrapper,
 * …}}. The same wrappers are around environments of training, evaluation and films.
 */
@Keyed
@FunctionalInterface
public interface Wrapper {
    /**
     * Wraps an environment.
     *
     * @throws IllegalArgumentException if it does not fit the environment
     */
    Environment around(Environment inner);

    /** Returns what it does, for people: {@code each action 4 times}. */
    default String note() {
        return getClass().getName();
    }

    /** Truncates episodes after a number of steps. See {@link hocket.rl.envs.wrappers.TimeLimit}. */
    record TimeLimit(
            @Setting(least = 1, most = 1e9, help = "truncates an episode after this many steps")
            int timeLimit) implements Wrapper, TimeLimitCopies {
        /** @throws IllegalArgumentException if it is below 1 */
        public TimeLimit {
            TimeLimitCopies.check(timeLimit);
        }

        @Override
        public Environment around(Environment inner) {
            return new hocket.rl.envs.wrappers.TimeLimit(inner, timeLimit);
        }

        @Override
        public String note() {
            return "episodes of at most " + timeLimit + " steps";
        }
    }

    /** Repeats each action several times and sums the rewards. See {@link hocket.rl.envs.wrappers.ActionRepeat}. */
    record ActionRepeat(
            @Setting(least = 1, most = 1e4, help = "repeats each action this often, and adds the rewards")
            int actionRepeat)
            implements Wrapper, ActionRepeatCopies {
        /** @throws IllegalArgumentException if it is below 1 */
        public ActionRepeat {
            ActionRepeatCopies.check(actionRepeat);
        }

        @Override
        public Environment around(Environment inner) {
            return new hocket.rl.envs.wrappers.ActionRepeat(inner, actionRepeat);
        }

        @Override
        public String note() {
            return "each action " + actionRepeat + " times";
        }
    }

    /** Takes the last action in place of the agent's with a probability. See {@link hocket.rl.envs.wrappers.StickyActions}. */
    record StickyActions(
            @Setting(least = 0, most = 1, help = "probability that the last action is taken in place of the agent's")
            double stickyActions)
            implements Wrapper, StickyActionsCopies {
        /** @throws IllegalArgumentException if it is no probability */
        public StickyActions {
            StickyActionsCopies.check(stickyActions);
        }

        @Override
        public Environment around(Environment inner) {
            return new hocket.rl.envs.wrappers.StickyActions(inner, stickyActions);
        }

        @Override
        public String note() {
            return "the last action again with probability " + stickyActions;
        }
    }

    /** Shows some of an observation's numbers only. See {@link ObservationSelection}. */
    record Observed(
            @Setting(least = 0, most = 1e9, help = "indices of the numbers of an observation that are seen")
            List<Integer> observed)
            implements Wrapper, ObservedCopies {
        /** @throws IllegalArgumentException if an index is below 0 */
        public Observed {
            ObservedCopies.check(observed);
            observed = List.copyOf(observed);
        }

        @Override
        public Environment around(Environment inner) {
            return new ObservationSelection(inner, observed);
        }

        @Override
        public String note() {
            return "numbers " + observed + " of observations";
        }
    }

    /** Observes the last few observations, the newest last. See {@link hocket.rl.envs.wrappers.FrameStack}. */
    record FrameStack(
            @Setting(least = 1, most = 1e4, help = "number of last observations that are stacked along a first axis")
            int frameStack)
            implements Wrapper, FrameStackCopies {
        /** @throws IllegalArgumentException if it is below 1 */
        public FrameStack {
            FrameStackCopies.check(frameStack);
        }

        @Override
        public Environment around(Environment inner) {
            return new hocket.rl.envs.wrappers.FrameStack(inner, frameStack);
        }

        @Override
        public String note() {
            return "the last " + frameStack + " observations together";
        }
    }

    /** Shows pictures of three channels in grey. See {@link hocket.rl.envs.wrappers.Greyscale}. */
    record Greyscale() implements Wrapper {
        @Override
        public Environment around(Environment inner) {
            return new hocket.rl.envs.wrappers.Greyscale(inner);
        }

        @Override
        public String note() {
            return "pictures in grey";
        }
    }

    /** Makes pictures smaller by means over areas. See {@link hocket.rl.envs.wrappers.Resize}. */
    record Resize(
            @Setting(least = 1, most = 4096, help = "height of the pictures")
            int height,

            @Setting(least = 1, most = 4096, help = "width of the pictures")
            int width)
            implements Wrapper, ResizeCopies {
        /** @throws IllegalArgumentException if a side is below 1 */
        public Resize {
            ResizeCopies.check(height, width);
        }

        @Override
        public Environment around(Environment inner) {
            return new hocket.rl.envs.wrappers.Resize(inner, height, width);
        }

        @Override
        public String note() {
            return "pictures of " + height + "×" + width;
        }
    }

    /** Takes actions in -1..1, stretched over the bounds. See {@link hocket.rl.envs.wrappers.RescaleAction}. */
    record RescaleAction() implements Wrapper {
        @Override
        public Environment around(Environment inner) {
            return new hocket.rl.envs.wrappers.RescaleAction(inner);
        }

        @Override
        public String note() {
            return "actions of -1 to 1";
        }
    }

    /** Hides which actions an environment forbids. See {@link hocket.rl.envs.wrappers.Unmasked}. */
    record Unmasked() implements Wrapper {
        @Override
        public Environment around(Environment inner) {
            return new hocket.rl.envs.wrappers.Unmasked(inner);
        }

        @Override
        public String note() {
            return "masks ignored";
        }
    }
}
