package hocket.rl.actors;

import hocket.rl.envs.Pcg64;
import hocket.rl.envs.SeedSequence;
import hocket.rl.envs.Space;
import hocket.rl.envs.VectorEnvironment;
import hocket.rl.returns.RewardNormaliser;
import hocket.schedulers.Run;
import hocket.schedulers.State;
import hocket.schedulers.Stateful;
import java.util.Optional;

/**
 * Environments that an agent steps in training: begun by the run's seed, counted, with the mean return and length of the
 * last hundred episodes; what they give is normalised where that is wished, as {@code VecNormalize} of Stable-Baselines3.
 * Its state is all of that, the environments included.
 */
public final class Worlds implements Stateful {
    private final VectorEnvironment environments;
    private final Optional<ObservationNormaliser> observationNormaliser;
    private final Optional<RewardNormaliser> rewardNormaliser;
    private final Pcg64 random = Pcg64.of(0);
    private final Recent returns = new Recent();
    private final Recent lengths = new Recent();
    private final float[] observations;
    private final float[] finalObservations;
    private final float[] rewards;
    private final boolean[] ended;
    private boolean begun;
    private long steps;

    /**
     * Environments at their beginning.
     *
     * @param environments which begin the next episode at once
     * @param observationNormaliser by which observations are normalised; empty where they are not
     * @param rewardNormaliser by which rewards are scaled; empty where they are not
     */
    public Worlds(
            VectorEnvironment environments,
            Optional<ObservationNormaliser> observationNormaliser,
            Optional<RewardNormaliser> rewardNormaliser) {
        this.environments = environments;
        this.observationNormaliser = observationNormaliser;
        this.rewardNormaliser = rewardNormaliser;
        observations = new float[environments.observations().length];
        finalObservations = new float[observations.length];
        rewards = new float[environments.size()];
        ended = new boolean[environments.size()];
        environments.listen((environment, ret, length) -> {
            returns.add(ret);
            lengths.add(length);
        });
    }

    /** Begins the episodes by the run's seed, if they have not begun. */
    public void begin(Run run) {
        if (!begun) {
            long seed = run.parameters().streams().seed() & Long.MAX_VALUE;
            random.restore(Pcg64.of(SeedSequence.of(seed).child(1)).save());
            environments.reset(seed);
            observe();
            begun = true;
        }
    }

    /** How many. */
    public int count() {
        return environments.size();
    }

    /** What one of them observes. */
    public Space observationSpace() {
        return environments.observationSpace();
    }

    /** What may be done in one of them. */
    public Space actionSpace() {
        return environments.actionSpace();
    }

    /** By which observations are normalised. */
    public Optional<ObservationNormaliser> observationNormaliser() {
        return observationNormaliser;
    }

    /** What is observed now, one row an environment; normalised. */
    public float[] observations() {
        return observations;
    }

    /** What the next step does, for the caller to fill. */
    public float[] actions() {
        return environments.actions();
    }

    /** The rewards of the last step; scaled. */
    public float[] rewards() {
        return rewards;
    }

    /** Whose episode the last step ended by its own rules. */
    public boolean[] terminated() {
        return environments.terminated();
    }

    /** Whose episode the last step ended from outside. */
    public boolean[] truncated() {
        return environments.truncated();
    }

    /** The last observations of episodes, valid where the last step ended one; normalised. */
    public float[] finalObservations() {
        return finalObservations;
    }

    /** What actions are drawn by. */
    public Pcg64 random() {
        return random;
    }

    /** Steps taken in all environments together. */
    public long steps() {
        return steps;
    }

    /** Steps all environments by what is in their actions. */
    public void step() {
        environments.step();
        steps += environments.size();
        observe();
        boolean any = false;
        for (int e = 0; e < rewards.length; e++) {
            rewards[e] = (float) environments.rewards()[e];
            ended[e] = environments.terminated()[e] || environments.truncated()[e];
            any |= ended[e];
        }
        rewardNormaliser.ifPresent(normaliser -> normaliser.step(rewards, ended, rewards));
        if (any) {
            float[] last = environments.finalObservations();
            System.arraycopy(last, 0, finalObservations, 0, last.length);
            observationNormaliser.ifPresent(normaliser -> normaliser.normalise(finalObservations));
        }
    }

    private void observe() {
        float[] seen = environments.observations();
        System.arraycopy(seen, 0, observations, 0, seen.length);
        if (observationNormaliser.isPresent()) {
            observationNormaliser.get().update(seen);
            observationNormaliser.get().normalise(observations);
        }
    }

    /** Reports steps, and the mean return and length of the last episodes. */
    public void report(Run run) {
        run.report("steps", steps);
        if (!returns.isEmpty()) {
            run.report("episode_return", returns.mean());
            run.report("episode_length", lengths.mean());
        }
    }

    @Override
    public State save() {
        State state = State.empty()
                .with("begun", begun ? 1 : 0)
                .with("steps", steps)
                .with("random", random.save())
                .with("returns", returns.save())
                .with("lengths", lengths.save());
        if (observationNormaliser.isPresent()) {
            state = state.with("observations", observationNormaliser.get().save());
        }
        if (rewardNormaliser.isPresent()) {
            state = state.with("rewards", rewardNormaliser.get().save());
        }
        return begun ? state.with("environments", environments.save()) : state;
    }

    @Override
    public void restore(State state) {
        boolean wasBegun = state.whole("begun") == 1;
        if (wasBegun) {
            environments.restore(state.state("environments"));
        }
        random.restore(state.state("random"));
        returns.restore(state.state("returns"));
        lengths.restore(state.state("lengths"));
        observationNormaliser.ifPresent(normaliser -> normaliser.restore(state.state("observations")));
        rewardNormaliser.ifPresent(normaliser -> normaliser.restore(state.state("rewards")));
        steps = state.whole("steps");
        begun = wasBegun;
        if (begun) {
            System.arraycopy(environments.observations(), 0, observations, 0, observations.length);
            observationNormaliser.ifPresent(normaliser -> normaliser.normalise(observations));
        }
    }
}
