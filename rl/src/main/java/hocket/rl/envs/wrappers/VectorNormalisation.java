package hocket.rl.envs.wrappers;

import hocket.rl.envs.Autoreset;
import hocket.rl.envs.Environment;
import hocket.rl.envs.EpisodeListener;
import hocket.rl.envs.StateArrays;
import hocket.rl.envs.VectorArrays;
import hocket.rl.envs.VectorEnvironment;
import hocket.rl.returns.RunningMoments;
import hocket.rl.spaces.Space;
import hocket.schedulers.state.State;
import java.util.Arrays;

/**
 * A wrapper of a vector environment that normalises observations and rewards by statistics of all environments:
 * Stable-Baselines3's {@code VecNormalize}.
 *
 * <p>Observations are {@code (o - mean) / sqrt(variance + 1e-8)}, rewards {@code r / sqrt(variance of all g + 1e-8)}
 * with {@code g ← γ g + r}, which begins at 0 with each episode; both are clipped at ±10. Each reset and each step
 * first adds all environments' numbers to the statistics, unless they are frozen; final observations are normalised but
 * not added. Listeners receive the original rewards.
 */
public final class VectorNormalisation implements VectorEnvironment {
    private static final double LIMIT = 10;
    private static final double EPSILON = 1e-8;

    private final VectorEnvironment inner;
    private final boolean normalisesObservations;
    private final boolean normalisesRewards;
    private final double discount;
    private final int width;
    private final Space observationSpace;
    private final RunningMoments observed;
    private final RunningMoments returned = RunningMoments.of(1);
    private final double[] returns;
    private final boolean[] done;
    private final VectorArrays arrays;
    private final float[] observations;
    private final float[] finalObservations;
    private final double[] rewards;
    private boolean frozen;

    /** Normalises observations and rewards. */
    public VectorNormalisation(VectorEnvironment inner, double discount) {
        this(inner, true, true, discount);
    }

    /**
     * @param observations whether observations are normalised
     * @param rewards whether rewards are normalised
     * @param discount γ
     * @throws IllegalArgumentException if normalised observations are not of a box, or γ is not in [0, 1]
     */
    public VectorNormalisation(VectorEnvironment inner, boolean observations, boolean rewards, double discount) {
        Environment first = inner.environment(0);
        if (!(discount >= 0 && discount <= 1)) {
            throw new IllegalArgumentException(first.name() + ": a discount must be 0 to 1, was " + discount);
        }
        this.inner = inner;
        this.normalisesObservations = observations;
        this.normalisesRewards = rewards;
        this.discount = discount;
        width = inner.observationSpace().width();
        observationSpace = observations
                ? BoxSpaces.unbounded(BoxSpaces.require(first, inner.observationSpace(), "normalised observations")
                        .shape())
                : inner.observationSpace();
        observed = RunningMoments.of(width);
        returns = new double[inner.size()];
        done = new boolean[inner.size()];
        this.observations = new float[inner.size() * width];
        finalObservations = new float[inner.size() * width];
        this.rewards = new double[inner.size()];
        VectorArrays raw = inner.arrays();
        arrays = new VectorArrays(
                this.observations,
                finalObservations,
                raw.actions(),
                raw.masks(),
                raw.finalMasks(),
                this.rewards,
                raw.terminated(),
                raw.truncated(),
                raw.episodeStarts());
    }

    /** Sets whether observations and rewards leave the statistics unchanged, for evaluation. */
    public void freeze(boolean frozen) {
        this.frozen = frozen;
    }

    /**
     * Copies the statistics of another normalisation, such as the one used in training.
     *
     * @param saved the state of the other, or of environments that are not normalised, which has no statistics
     * @throws IllegalArgumentException if observations are of another width; then nothing has changed
     */
    public void adopt(State saved) {
        if (saved.has("observed")) {
            observed.restore(saved.state("observed"));
            returned.restore(saved.state("returned").state("moments"));
        }
    }

    /** Returns whether observations are normalised. */
    public boolean normalisesObservations() {
        return normalisesObservations;
    }

    /** Returns whether a saved state has normalised observations. */
    public static boolean normalisedObservations(State saved) {
        return saved.has("observed") && saved.state("observed").real("count") >= 1;
    }

    /**
     * Normalises in place one observation of an environment outside of this vector, without changing the statistics.
     */
    public void normalise(float[] observation) {
        normalise(observation, width);
    }

    /** Normalises in place such observations, one after the other, of a number of numbers in all. */
    public void normalise(float[] observations, int numbers) {
        normalise(observations, observations, 0, numbers / width);
    }

    /** Normalises a reward without changing the statistics. */
    public double normalise(double reward) {
        return normalisesRewards ? clipped(reward / Math.sqrt(returned.variance(0) + EPSILON)) : reward;
    }

    /** The current observations before normalisation. */
    public float[] rawObservations() {
        return inner.observations();
    }

    /** The final observations of episodes before normalisation. */
    public float[] rawFinalObservations() {
        return inner.finalObservations();
    }

    /** The rewards of the last step before normalisation. */
    public double[] rawRewards() {
        return inner.rewards();
    }

    @Override
    public void reset(long seed) {
        inner.reset(seed);
        begin();
    }

    @Override
    public void reset() {
        inner.reset();
        begin();
    }

    @Override
    public void reset(boolean[] which) {
        inner.reset(which);
        for (int i = 0; i < which.length; i++) {
            rewards[i] = which[i] ? 0 : rewards[i];
            returns[i] = which[i] ? 0 : returns[i];
        }
        updateObservations();
    }

    private void begin() {
        Arrays.fill(returns, 0);
        Arrays.fill(rewards, 0);
        updateObservations();
    }

    private void updateObservations() {
        if (normalisesObservations && !frozen) {
            observed.update(inner.observations(), inner.size());
        }
        normalise(inner.observations(), observations, 0, inner.size());
    }

    private void normalise(float[] from, float[] into, int first, int count) {
        if (!normalisesObservations) {
            System.arraycopy(from, first * width, into, first * width, count * width);
            return;
        }
        for (int i = first * width; i < (first + count) * width; i++) {
            into[i] = (float) clipped(observed.standardised(i % width, from[i]));
        }
    }

    private static double clipped(double value) {
        return Math.min(Math.max(value, -LIMIT), LIMIT);
    }

    @Override
    public void step() {
        inner.step();
        updateObservations();
        for (int i = 0; i < done.length; i++) {
            done[i] = inner.terminated()[i] || inner.truncated()[i];
            if (done[i]) {
                normalise(inner.finalObservations(), finalObservations, i, 1);
            }
        }
        updateRewards();
    }

    private void updateRewards() {
        if (normalisesRewards) {
            for (int i = 0; i < returns.length; i++) {
                returns[i] = discount * returns[i] + inner.rewards()[i];
            }
            if (!frozen) {
                returned.update(returns);
            }
        }
        for (int i = 0; i < rewards.length; i++) {
            rewards[i] = normalise(inner.rewards()[i]);
            returns[i] = done[i] ? 0 : returns[i];
        }
    }

    @Override
    public void listen(EpisodeListener listener) {
        inner.listen(listener);
    }

    @Override
    public int size() {
        return inner.size();
    }

    @Override
    public Environment environment(int index) {
        return inner.environment(index);
    }

    @Override
    public Autoreset autoreset() {
        return inner.autoreset();
    }

    @Override
    public Space observationSpace() {
        return observationSpace;
    }

    @Override
    public Space actionSpace() {
        return inner.actionSpace();
    }

    @Override
    public VectorArrays arrays() {
        return arrays;
    }

    @Override
    public State save() {
        return State.empty()
                .with("inner", inner.save())
                .with("observed", observed.save())
                .with(
                        "returned",
                        State.empty()
                                .with("returns", StateArrays.tensor(returns))
                                .with("moments", returned.save()))
                .with("observations", StateArrays.tensor(observations))
                .with("finalObservations", StateArrays.tensor(finalObservations))
                .with("rewards", StateArrays.tensor(rewards))
                .with("frozen", frozen ? 1 : 0);
    }

    @Override
    public void restore(State state) {
        RunningMoments savedObserved = RunningMoments.of(width);
        savedObserved.restore(state.state("observed"));
        RunningMoments savedReturned = RunningMoments.of(1);
        savedReturned.restore(state.state("returned").state("moments"));
        double[] savedReturns = StateArrays.read(state.state("returned"), "returns", returns.length);
        double[] savedObservations = StateArrays.read(state, "observations", observations.length);
        double[] savedFinal = StateArrays.read(state, "finalObservations", finalObservations.length);
        double[] savedRewards = StateArrays.read(state, "rewards", rewards.length);
        boolean savedFrozen = state.whole("frozen") != 0;
        inner.restore(state.state("inner"));
        observed.restore(savedObserved.save());
        returned.restore(savedReturned.save());
        System.arraycopy(savedReturns, 0, returns, 0, returns.length);
        System.arraycopy(savedRewards, 0, rewards, 0, rewards.length);
        for (int i = 0; i < observations.length; i++) {
            observations[i] = (float) savedObservations[i];
            finalObservations[i] = (float) savedFinal[i];
        }
        freeze(savedFrozen);
    }

    @Override
    public void close() {
        inner.close();
    }
}
