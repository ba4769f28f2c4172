package hocket.rl.replay;

import hocket.rl.actors.Policy;
import hocket.rl.actors.TrainingEnvironments;
import hocket.rl.envs.StateArrays;
import hocket.rl.sampling.Sampler;
import hocket.rl.spaces.Space;
import hocket.schedulers.Source.Column;
import hocket.schedulers.settings.Limits;
import hocket.schedulers.state.State;
import hocket.scopes.ElementType;
import hocket.scopes.Shape;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Sequences of an environment's steps as rows of a replay, with the state of the policy's memory before them (Kapturowski et
 * al. 2019, "Recurrent experience replay in distributed reinforcement learning"). Of the L = burn-in + T + n steps, the first
 * only warm the memory up, T are learnt, and n give the last of these their return. Sequences of an environment overlap, so
 * that each step after the first burn-in is learnt in one of them; they go over the ends of episodes.
 *
 * <p>Columns {@code observations} (L, …), {@code starts} (L), 1 in the first step of an episode, else 0; {@code state} before
 * the first step; and of the steps that are learnt {@code actions}, (T) of INT64, an index from 0, or (T, a); {@code rewards}
 * (T), discounted sums of n steps or until the episode terminated; {@code discounts} (T), the factor of the value n steps
 * later, 0 where the episode terminated before; {@code valid} (T), 0 where it was truncated before, whose last observation
 * no sequence has, else 1. A masked one has {@code next_masks} (T, n) too, of n steps later.
 *
 * <p>The saved state holds the steps that are in no row yet, and those that the next one begins with.
 */
public final class Sequences implements StepRecorder {
    private static final int OBSERVATIONS = 0;
    private static final int STARTS = 1;
    private static final int STATE = 2;
    private static final int ACTIONS = 3;
    private static final int REWARDS = 4;
    private static final int DISCOUNTS = 5;
    private static final int VALID = 6;
    private static final int MASKS = 7;

    private static final int TERMINATED = 1;
    private static final int TRUNCATED = 2;

    /**
     * The parts of a sequence.
     *
     * @param burnIn first steps that only warm a memory up, at least 0
     * @param learnt steps that are learnt, T, at least 1
     * @param nSteps the n of n-step returns, at least 1
     */
    public record Layout(int burnIn, int learnt, int nSteps) {
        public Layout {
            if (burnIn < 0 || learnt < 1 || nSteps < 1) {
                throw new IllegalArgumentException(
                        "sequences: must have at least 0 steps of burn-in, 1 that is learnt and 1 of a return, have "
                                + burnIn + ", " + learnt + " and " + nSteps);
            }
            Math.addExact(Math.addExact(burnIn, learnt), nSteps);
        }

        /** All steps, L. */
        public int steps() {
            return burnIn + learnt + nSteps;
        }
    }

    private final Replay replay;
    private final Layout layout;
    private final double gamma;
    private final int count;

    /** The last steps of all environments, at most L; each has the same number. */
    private int kept;

    private final Steps observations;
    private final Steps starts;
    private final Steps states;
    private final Steps actions;
    private final Steps masks;
    private final Steps rewards;

    /** How an episode ended in a step: {@link #TERMINATED}, {@link #TRUNCATED} or 0. */
    private final Steps ends;

    private final List<Steps> parts;

    /** Numbers of the steps of a row that are learnt. */
    private final float[] numbers;

    /** One kind of numbers of the last steps: of each environment, and of each step, a row of a width. */
    private final class Steps {
        private final String part;
        private final int width;
        private final float[] values;

        Steps(String part, int width) {
            this.part = part;
            this.width = width;
            values = new float
                    [Limits.elements(
                            "experience: " + part + " of environments and steps", count, layout.steps(), width)];
        }

        /** The index of an environment's step. */
        int at(int e, int step) {
            return (e * layout.steps() + step) * width;
        }

        /** Sets the newest step of each environment. */
        void set(float[] rows) {
            for (int e = 0; e < count; e++) {
                System.arraycopy(rows, e * width, values, at(e, kept), width);
            }
        }

        /** Drops the first steps of each environment. */
        void drop(int steps) {
            for (int e = 0; e < count; e++) {
                System.arraycopy(values, at(e, steps), values, at(e, 0), (layout.steps() - steps) * width);
            }
        }

        /** Writes a column of the learnt steps of an environment, a number of steps later. */
        void write(int column, int e, int later) {
            System.arraycopy(values, at(e, layout.burnIn() + later), numbers, 0, layout.learnt() * width);
            replay.set(column, numbers, 0);
        }
    }

    /**
     * Makes sequences of environments.
     *
     * @param replay of {@link #replay}
     * @param gamma the discount of a step
     */
    public Sequences(TrainingEnvironments all, Replay replay, Layout layout, double gamma) {
        this.replay = replay;
        this.layout = layout;
        this.gamma = gamma;
        count = all.count();
        int maskWidth = replay.keptColumns() > MASKS ? all.actionSpace().maskWidth() : 0;
        observations = new Steps("observations", all.observationSpace().width());
        starts = new Steps("starts", 1);
        states = new Steps("states", replay.columns().get(STATE).shape().size());
        actions = new Steps("actions", all.actionSpace().width());
        masks = new Steps("masks", maskWidth);
        rewards = new Steps("rewards", 1);
        ends = new Steps("ends", 1);
        parts = List.of(observations, starts, states, actions, masks, rewards, ends);
        numbers = new float[layout.learnt() * Math.max(1, Math.max(actions.width, maskWidth))];
    }

    /**
     * Makes an empty replay of sequences.
     *
     * @param isMasked whether a row also has {@code next_masks}
     * @param state the shape of the memory's state
     * @param capacity the number of sequences that are kept, at least 1
     * @param batch the sequences of a sample, at least 1
     * @param sampler draws them
     */
    public static Replay replay(
            Space observations,
            Space actions,
            boolean isMasked,
            Shape state,
            Layout layout,
            int capacity,
            int batch,
            Sampler sampler) {
        int steps = layout.learnt();
        List<Replay.Kept> kept = new ArrayList<>(List.of(
                of(
                        SpaceColumns.observation(observations),
                        "observations",
                        layout.steps(),
                        Replay.Kind.of(observations)),
                of("starts", layout.steps(), Replay.Kind.FLAG),
                new Replay.Kept(new Column(Policy.STATE, state, ElementType.FLOAT32), Replay.Kind.NUMBER),
                of(SpaceColumns.action(actions), "actions", steps, Replay.Kind.NUMBER),
                of("rewards", steps, Replay.Kind.REWARD),
                of("discounts", steps, Replay.Kind.NUMBER),
                of("valid", steps, Replay.Kind.FLAG)));
        if (isMasked) {
            kept.add(of(SpaceColumns.mask(actions), "next_masks", steps, Replay.Kind.FLAG));
        }
        return new Replay(kept, capacity, batch, sampler);
    }

    private static Replay.Kept of(Column each, String name, int steps, Replay.Kind kind) {
        return new Replay.Kept(each.with(name, each.shape().prepend(steps)), kind);
    }

    private static Replay.Kept of(String name, int steps, Replay.Kind kind) {
        return new Replay.Kept(new Column(name, Shape.of(steps), ElementType.FLOAT32), kind);
    }

    @Override
    public Replay replay() {
        return replay;
    }

    @Override
    public void acted(TrainingEnvironments now, float[] chosen, float[] memory) {
        observations.set(now.rawObservations());
        states.set(memory);
        actions.set(chosen);
        masks.set(now.masks());
        boolean[] isStart = now.episodeStarts();
        for (int e = 0; e < count; e++) {
            starts.values[starts.at(e, kept)] = isStart[e] ? 1 : 0;
        }
    }

    @Override
    public void stepped(TrainingEnvironments now) {
        kept++;
        if (kept == layout.steps()) {
            for (int e = 0; e < count; e++) {
                add(e);
            }
            parts.forEach(each -> each.drop(layout.learnt()));
            kept -= layout.learnt();
        }
        double[] given = now.rawRewards();
        boolean[] terminated = now.terminated();
        boolean[] truncated = now.truncated();
        for (int e = 0; e < count; e++) {
            rewards.values[rewards.at(e, kept - 1)] = (float) given[e];
            ends.values[ends.at(e, kept - 1)] = terminated[e] ? TERMINATED : truncated[e] ? TRUNCATED : 0;
        }
    }

    /** Adds the sequence of an environment. */
    private void add(int e) {
        int learnt = layout.learnt();
        replay.set(OBSERVATIONS, observations.values, e);
        replay.set(STARTS, starts.values, e);
        replay.set(STATE, states.values, e * layout.steps());
        actions.write(ACTIONS, e, 0);
        float[] discounts = new float[learnt];
        float[] valid = new float[learnt];
        for (int t = 0; t < learnt; t++) {
            double reward = 0;
            double discount = 1;
            int end = 0;
            for (int i = 0; i < layout.nSteps() && end == 0; i++) {
                int step = layout.burnIn() + t + i;
                reward += discount * rewards.values[rewards.at(e, step)];
                discount *= gamma;
                end = (int) ends.values[ends.at(e, step)];
            }
            numbers[t] = (float) reward;
            discounts[t] = end == 0 ? (float) discount : 0;
            valid[t] = end == TRUNCATED ? 0 : 1;
        }
        replay.set(REWARDS, numbers, 0);
        replay.set(DISCOUNTS, discounts, 0);
        replay.set(VALID, valid, 0);
        if (masks.width > 0) {
            masks.write(MASKS, e, layout.nSteps());
        }
        replay.add();
    }

    @Override
    public State save() {
        State state = State.empty()
                .with("kept", kept)
                .with("environments", count)
                .with("burn_in", layout.burnIn())
                .with("sequence", layout.learnt())
                .with("n_steps", layout.nSteps())
                .with("gamma", gamma);
        for (Steps steps : parts) {
            state = steps.width == 0 ? state : state.with(steps.part, StateArrays.tensor(steps.values));
        }
        return state;
    }

    @Override
    public Runnable restoring(State state) {
        require(state, "environments", count);
        require(state, "burn_in", layout.burnIn());
        require(state, "sequence", layout.learnt());
        require(state, "n_steps", layout.nSteps());
        if (state.real("gamma") != gamma) {
            throw new IllegalArgumentException(
                    "experience: was saved with gamma " + state.real("gamma") + ", here it is " + gamma);
        }
        long savedKept = state.whole("kept");
        if (savedKept < 0 || savedKept >= layout.steps()) {
            throw new IllegalArgumentException("experience: was saved with " + savedKept
                    + " steps in each environment, there can be 0 to " + (layout.steps() - 1));
        }
        Map<Steps, float[]> saved = new LinkedHashMap<>();
        for (Steps steps : parts) {
            if (steps.width > 0) {
                saved.put(steps, StateArrays.floats(state, steps.part, steps.values.length));
            }
        }
        return () -> {
            kept = (int) savedKept;
            saved.forEach((steps, values) -> System.arraycopy(values, 0, steps.values, 0, values.length));
        };
    }

    private static void require(State state, String setting, int here) {
        long saved = state.whole(setting);
        if (saved != here) {
            throw new IllegalArgumentException(
                    "experience: was saved with " + setting + " " + saved + ", here it is " + here);
        }
    }
}
