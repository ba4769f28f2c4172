package hocket.rl.envs;

import hocket.rl.returns.RewardNormaliser;
import hocket.rl.returns.RunningMoments;
import hocket.schedulers.State;
import java.util.Arrays;

/**
 * A vector of environments whose observations and rewards are normalised by statistics that all of them share, as
 * Stable-Baselines3's {@code VecNormalize}.
 *
 * <p>Observations are {@code (o - mean) / sqrt(variance + 1e-8)}, rewards {@code r / sqrt(variance of all g + 1e-8)} with
 * {@code g ← γ g + r}, which begins at 0 with each episode; both are cut at ±10. Each reset and each step adds what all
 * environments show to the statistics first, unless they are frozen; final observations are normalised but not added.
 * Who listens to episodes hears the rewards as the environments gave them.
 */
public final class VectorNormalisation implements VectorEnvironment {
    private static final double FARTHEST = 10;

    private final VectorEnvironment inner;
    private final boolean normalisesObservations;
    private final boolean normalisesRewards;
    private final double discount;
    private final int width;
    private final Space observationSpace;
    private final RunningMoments observed;
    private final RewardNormaliser returned;
    private final boolean[] done;
    private final float[] observations;
    private final float[] finalObservations;
    private final double[] rewards;
    private boolean frozen;

    /** Normalises both. */
    public VectorNormalisation(VectorEnvironment inner, double discount) {
        this(inner, true, true, discount);
    }

    /**
     * @param observations whether observations are normalised
     * @param rewards whether rewards are
     * @param discount γ
     * @throws IllegalArgumentException if observations to be normalised are not of a box, or γ is not in [0, 1]
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
                ? Points.unbounded(Points.box(first, inner.observationSpace(), "normalised observations")
                        .shape())
                : inner.observationSpace();
        observed = RunningMoments.of(width);
        returned = new RewardNormaliser(inner.size(), discount);
        done = new boolean[inner.size()];
        this.observations = new float[inner.size() * width];
        finalObservations = new float[inner.size() * width];
        this.rewards = new double[inner.size()];
    }

    /** Whether what is seen leaves the statistics as they are, for evaluation. */
    public void freeze(boolean frozen) {
        this.frozen = frozen;
        returned.freeze(frozen);
    }

    /**
     * Takes over the statistics that another saved, such as the one that trained.
     *
     * @param saved what {@link #save} gave, or the state of environments that are not normalised, which has none
     * @throws IllegalArgumentException if observations are of another width; then nothing has changed
     */
    public void adopt(State saved) {
        if (saved.has("observed")) {
            observed.restore(saved.state("observed"));
            returned.adopt(saved.state("returned"));
        }
    }

    /** Whether observations are normalised. */
    public boolean normalisesObservations() {
        return normalisesObservations;
    }

    /** Whether what was saved had normalised observations. */
    public static boolean normalisedObservations(State saved) {
        return saved.has("observed") && saved.state("observed").real("count") >= 1;
    }

    /** Normalises one observation in place by the statistics as they are, as an environment outside of this vector gave it. */
    public void normalise(float[] observation) {
        normalise(observation, observation, 0, 1);
    }

    /** A reward by the statistics as they are, as an environment gave it; nothing is taken in. */
    public double normalise(double reward) {
        return normalisesRewards ? returned.scaled(reward) : reward;
    }

    /** What is observed now, as the environments give it. */
    public float[] rawObservations() {
        return inner.observations();
    }

    /** The last observations of episodes, as the environments gave them. */
    public float[] rawFinalObservations() {
        return inner.finalObservations();
    }

    /** The rewards of the last step as the environments gave them. */
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
        returned.begin(which);
        for (int i = 0; i < which.length; i++) {
            rewards[i] = which[i] ? 0 : rewards[i];
        }
        look();
    }

    private void begin() {
        returned.begin();
        Arrays.fill(rewards, 0);
        look();
    }

    private void look() {
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
            into[i] = (float) cut(observed.standardised(i % width, from[i]));
        }
    }

    private static double cut(double value) {
        return Math.min(Math.max(value, -FARTHEST), FARTHEST);
    }

    @Override
    public void step() {
        inner.step();
        look();
        for (int i = 0; i < done.length; i++) {
            done[i] = inner.terminated()[i] || inner.truncated()[i];
            if (done[i]) {
                normalise(inner.finalObservations(), finalObservations, i, 1);
            }
        }
        if (normalisesRewards) {
            returned.step(inner.rewards(), done, rewards);
        } else {
            System.arraycopy(inner.rewards(), 0, rewards, 0, rewards.length);
        }
    }

    @Override
    public void listen(Episodes listener) {
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
    public float[] observations() {
        return observations;
    }

    @Override
    public float[] actions() {
        return inner.actions();
    }

    @Override
    public double[] rewards() {
        return rewards;
    }

    @Override
    public boolean[] terminated() {
        return inner.terminated();
    }

    @Override
    public boolean[] truncated() {
        return inner.truncated();
    }

    @Override
    public boolean[] began() {
        return inner.began();
    }

    @Override
    public float[] finalObservations() {
        return finalObservations;
    }

    @Override
    public State save() {
        return State.empty()
                .with("inner", inner.save())
                .with("observed", observed.save())
                .with("returned", returned.save())
                .with("observations", Points.saved(observations))
                .with("finalObservations", Points.saved(finalObservations))
                .with("rewards", Points.saved(rewards))
                .with("frozen", frozen ? 1 : 0);
    }

    @Override
    public void restore(State state) {
        RunningMoments savedObserved = RunningMoments.of(width);
        savedObserved.restore(state.state("observed"));
        RewardNormaliser savedReturned = new RewardNormaliser(done.length, discount);
        savedReturned.restore(state.state("returned"));
        double[] savedObservations = Points.restored(state, "observations", observations.length);
        double[] savedFinal = Points.restored(state, "finalObservations", finalObservations.length);
        double[] savedRewards = Points.restored(state, "rewards", rewards.length);
        boolean savedFrozen = state.whole("frozen") != 0;
        inner.restore(state.state("inner"));
        observed.restore(savedObserved.save());
        returned.restore(savedReturned.save());
        System.arraycopy(savedRewards, 0, rewards, 0, rewards.length);
        for (int i = 0; i < observations.length; i++) {
            observations[i] = (float) savedObservations[i];
            finalObservations[i] = (float) savedFinal[i];
        }
        freeze(savedFrozen);
    }
}
