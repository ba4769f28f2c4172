package hocket.rl.envs;

import hocket.rl.random.Pcg64;
import hocket.rl.spaces.Box;
import hocket.rl.spaces.Space;
import hocket.schedulers.settings.NonNull;
import hocket.schedulers.state.State;
import hocket.scopes.Shape;
import hocket.scopes.Tensor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A vector environment that steps its environments one after the other in the calling thread: Gymnasium's {@code
 * SyncVectorEnv}.
 */
final class SyncVectorEnvironment implements VectorEnvironment {
    private final Environment[] environments;
    private final Autoreset autoreset;
    private final int width;
    private final int actionWidth;
    private final int maskWidth;
    private final VectorArrays arrays;
    private final float[] observations;
    private final float[] finalObservations;
    private final float[] actions;
    private final float[] masks;
    private final double[] rewards;
    private final boolean[] terminated;
    private final boolean[] truncated;
    private final boolean[] began;
    private final double[] returns;
    private final long[] lengths;
    private final List<EpisodeListener> listeners = new ArrayList<>();

    SyncVectorEnvironment(Environment[] environments, Autoreset autoreset) {
        if (environments.length == 0) {
            throw new IllegalArgumentException("a vector must have at least 1 environment, had none");
        }
        for (Environment environment : environments) {
            requireEqual(environment, "observe", environments[0].observations(), environment.observations());
            requireEqual(environment, "do", environments[0].actions(), environment.actions());
            requireEqual(environment, "mask", environments[0].masks(), environment.masks());
        }
        int count = environments.length;
        this.environments = environments;
        this.autoreset = autoreset;
        width = environments[0].observations().width();
        actionWidth = environments[0].actions().width();
        maskWidth = environments[0].masks() ? maskWidth(environments[0]) : 0;
        arrays = VectorArrays.of(count, environments[0].observations(), environments[0].actions(), maskWidth);
        observations = arrays.observations();
        finalObservations = arrays.finalObservations();
        actions = arrays.actions();
        masks = arrays.masks();
        rewards = arrays.rewards();
        terminated = arrays.terminated();
        truncated = arrays.truncated();
        began = arrays.episodeStarts();
        returns = new double[count];
        lengths = new long[count];
    }

    private static int maskWidth(Environment environment) {
        int width = environment.actions().maskWidth();
        if (width == 0) {
            throw new IllegalArgumentException(environment.name()
                    + ": only discrete and multi-discrete actions can be masked, its are of " + environment.actions());
        }
        return width;
    }

    private static void requireEqual(Environment environment, String what, Object wanted, Object found) {
        if (!wanted.equals(found)) {
            throw new IllegalArgumentException(environment.name() + ": the environments of a vector must " + what
                    + " alike, one has " + wanted + " and another " + found);
        }
    }

    @Override
    public void reset(long seed) {
        for (int i = 0; i < environments.length; i++) {
            environments[i].reset(Pcg64.of(VectorEnvironment.seed(seed, i)));
            begin(i);
        }
    }

    @Override
    public void reset() {
        for (int i = 0; i < environments.length; i++) {
            environments[i].reset();
            begin(i);
        }
    }

    @Override
    public void reset(boolean[] which) {
        if (which.length != environments.length) {
            throw new IllegalArgumentException("a vector of " + environments.length
                    + " environments needs as many marks," + " got " + which.length);
        }
        for (int i = 0; i < environments.length; i++) {
            if (which[i]) {
                environments[i].reset();
                begin(i);
            }
        }
    }

    private void begin(int index) {
        rewards[index] = 0;
        terminated[index] = false;
        truncated[index] = false;
        enter(index);
    }

    private void enter(int index) {
        returns[index] = 0;
        lengths[index] = 0;
        began[index] = true;
        environments[index].observe(observations, index * width);
        mask(index, masks);
    }

    private void mask(int index, float[] into) {
        if (maskWidth > 0) {
            environments[index].mask(into, index * maskWidth);
        }
    }

    @Override
    public void step() {
        if (!(actionSpace() instanceof Box)) {
            requireActions(actionSpace());
        }
        for (int i = 0; i < environments.length; i++) {
            if (!isToBegin(i)) {
                environments[i].prepare(actions, i * actionWidth);
            }
        }
        for (int i = 0; i < environments.length; i++) {
            if (isToBegin(i)) {
                environments[i].reset();
                begin(i);
            } else {
                step(environments[i], i);
            }
        }
    }

    private boolean isToBegin(int index) {
        return autoreset == Autoreset.NEXT_STEP && (terminated[index] || truncated[index]);
    }

    /** Checks all actions before any environment steps, so that a wrong action changes nothing. */
    private void requireActions(Space space) {
        for (int i = 0; i < environments.length; i++) {
            if (!isToBegin(i) && !space.contains(actions, i * actionWidth)) {
                throw new IllegalArgumentException(environments[i].name() + ", environment " + i
                        + ": an action must be of " + space + ", was " + space.text(actions, i * actionWidth));
            }
        }
    }

    private void step(Environment environment, int index) {
        environment.step(actions, index * actionWidth);
        environment.observe(observations, index * width);
        rewards[index] = environment.reward();
        terminated[index] = environment.terminated();
        truncated[index] = environment.truncated();
        began[index] = false;
        returns[index] += rewards[index];
        lengths[index]++;
        if (terminated[index] || truncated[index]) {
            System.arraycopy(observations, index * width, finalObservations, index * width, width);
            if (truncated[index] && !terminated[index]) {
                mask(index, arrays.finalMasks());
                AllowedActions.fillEmpty(environment.actions(), arrays.finalMasks(), index * maskWidth, maskWidth);
            }
            for (int i = 0; i < listeners.size(); i++) {
                listeners.get(i).ended(index, returns[index], (int) lengths[index]);
            }
            if (autoreset == Autoreset.SAME_STEP) {
                environment.reset();
                enter(index);
            }
        } else {
            mask(index, masks);
        }
    }

    @Override
    public void listen(EpisodeListener listener) {
        listeners.add(listener);
    }

    @Override
    public int size() {
        return environments.length;
    }

    @Override
    public Environment environment(int index) {
        return environments[index];
    }

    @Override
    public Autoreset autoreset() {
        return autoreset;
    }

    @Override
    public Space observationSpace() {
        return environments[0].observations();
    }

    @Override
    public Space actionSpace() {
        return environments[0].actions();
    }

    @Override
    public VectorArrays arrays() {
        return arrays;
    }

    @Override
    public State save() {
        State state = masks.length == 0 ? State.empty() : State.empty().with("masks", StateArrays.tensor(masks));
        state = state.with("observations", StateArrays.tensor(observations))
                .with("finalObservations", StateArrays.tensor(finalObservations))
                .with("actions", StateArrays.tensor(actions))
                .with("rewards", StateArrays.tensor(rewards))
                .with("terminated", saved(terminated))
                .with("truncated", saved(truncated))
                .with("began", saved(began))
                .with("returns", StateArrays.tensor(returns))
                .with("lengths", Tensor.of(Shape.of(lengths.length), lengths));
        for (int i = 0; i < environments.length; i++) {
            state = state.with("environment" + i, NonNull.by(environments[i], "save()", environments[i].save()));
        }
        return state;
    }

    private static Tensor saved(boolean[] flags) {
        long[] numbers = new long[flags.length];
        Arrays.setAll(numbers, i -> flags[i] ? 1 : 0);
        return Tensor.of(Shape.of(numbers.length), numbers);
    }

    /** Restores all environments, or none: if one rejects its state, those before it are set back. */
    @Override
    public void restore(State state) {
        int count = environments.length;
        double[] savedObservations = StateArrays.read(state, "observations", count * width);
        double[] savedFinal = StateArrays.read(state, "finalObservations", count * width);
        double[] savedActions = StateArrays.read(state, "actions", count * actionWidth);
        boolean hasMasks = masks.length > 0 && state.has("masks"); // a state of before 0.1 has none
        double[] savedMasks = hasMasks ? StateArrays.read(state, "masks", masks.length) : new double[0];
        double[] savedRewards = StateArrays.read(state, "rewards", count);
        double[] savedTerminated = StateArrays.read(state, "terminated", count);
        double[] savedTruncated = StateArrays.read(state, "truncated", count);
        double[] savedBegan = StateArrays.read(state, "began", count);
        double[] savedReturns = StateArrays.read(state, "returns", count);
        double[] savedLengths = StateArrays.read(state, "lengths", count);
        restoreEnvironments(state);
        for (int i = 0; i < count * width; i++) {
            observations[i] = (float) savedObservations[i];
            finalObservations[i] = (float) savedFinal[i];
        }
        for (int i = 0; i < count * actionWidth; i++) {
            actions[i] = (float) savedActions[i];
        }
        for (int i = 0; i < savedMasks.length; i++) {
            masks[i] = (float) savedMasks[i];
        }
        for (int i = 0; i < count && !hasMasks; i++) {
            mask(i, masks);
        }
        for (int i = 0; i < count; i++) {
            rewards[i] = savedRewards[i];
            terminated[i] = savedTerminated[i] != 0;
            truncated[i] = savedTruncated[i] != 0;
            began[i] = savedBegan[i] != 0;
            returns[i] = savedReturns[i];
            lengths[i] = (long) savedLengths[i];
        }
    }

    private void restoreEnvironments(State state) {
        List<State> before = new ArrayList<>();
        try {
            for (int i = 0; i < environments.length; i++) {
                State saved = state.state("environment" + i);
                State now = environments[i].save();
                environments[i].restore(saved);
                before.add(now);
            }
        } catch (Throwable e) {
            for (int i = 0; i < before.size(); i++) {
                environments[i].restore(before.get(i));
            }
            throw e;
        }
    }
}
