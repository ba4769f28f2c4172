package hocket.rl.actors;

import hocket.rl.envs.Autoreset;
import hocket.rl.envs.Episodes;
import hocket.rl.envs.Pcg64;
import hocket.rl.envs.SeedSequence;
import hocket.rl.envs.Space;
import hocket.rl.envs.VectorEnvironment;
import hocket.rl.envs.VectorNormalisation;
import hocket.schedulers.Run;
import hocket.schedulers.State;
import hocket.schedulers.Stateful;
import hocket.scopes.Parameters;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * Environments that an agent steps in training: begun by the run's seed, counted, with the mean return and length of the
 * last hundred episodes. Its state is all of that, the environments included.
 */
public final class Worlds implements Stateful {
    private final VectorEnvironment environments;
    private final double rewardScale;
    private final double rewardClip;
    private final double[] scaled;
    private final List<String> notes = new ArrayList<>();
    private final Pcg64 random = Pcg64.of(0);
    private final Tally tally = new Tally();
    private final State unbegun;
    private @Nullable Parameters store;
    private boolean begun;
    private boolean inherited;

    /**
     * Environments at their beginning.
     *
     * @param environments which begin the next episode at once
     * @throws IllegalArgumentException if they begin it otherwise
     */
    public Worlds(VectorEnvironment environments) {
        this(environments, 1, 0);
    }

    /**
     * The same with other rewards; returns are reported as the environments give them.
     *
     * @param rewardScale what rewards are multiplied by
     * @param rewardClip how far from 0 they may be then; 0 any far
     */
    public Worlds(VectorEnvironment environments, double rewardScale, double rewardClip) {
        if (environments.autoreset() != Autoreset.SAME_STEP) {
            throw new IllegalArgumentException("worlds: environments must begin the next episode in the "
                    + Autoreset.SAME_STEP + ", do so in the " + environments.autoreset());
        }
        this.environments = environments;
        this.rewardScale = rewardScale;
        this.rewardClip = rewardClip;
        scaled = new double[environments.size()];
        this.unbegun = environments.save();
        environments.listen((environment, ret, length) -> tally.ended(ret, length));
    }

    /**
     * Begins the episodes by the run's seed, if they have not begun.
     *
     * @throws IllegalStateException if another run has stepped them: what is built is for one run
     */
    public void begin(Run run) {
        begin(run.parameters());
    }

    /** The same outside of a run, by the seed of a store. */
    @SuppressWarnings("ReferenceEquality")
    public void begin(Parameters parameters) {
        if (store != null && store != parameters) {
            throw new IllegalStateException(
                    "these environments are stepped by another run: build the algorithm anew for each");
        }
        store = parameters;
        if (!begun) {
            long seed = Seeds.of(parameters.streams());
            random.restore(Pcg64.of(SeedSequence.of(seed).child(1)).save());
            environments.reset(seed);
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

    /** By which observations are normalised, if they are. */
    public Optional<VectorNormalisation> normalisation() {
        return environments instanceof VectorNormalisation normalising ? Optional.of(normalising) : Optional.empty();
    }

    /** What is observed now, one row an environment. */
    public float[] observations() {
        return environments.observations();
    }

    /** Tells of each environment whether its observation is the first of an episode. */
    public boolean[] began() {
        return environments.began();
    }

    /** What the next step does, for the caller to fill. */
    public float[] actions() {
        return environments.actions();
    }

    /** The rewards of the last step. */
    public double[] rewards() {
        return changed(environments.rewards());
    }

    /** The rewards of the last step, not yet normalised: for what is normalised when it is drawn. */
    public double[] rawRewards() {
        return changed(normalisation().map(VectorNormalisation::rawRewards).orElseGet(environments::rewards));
    }

    private double[] changed(double[] rewards) {
        if (rewardScale == 1 && rewardClip == 0) {
            return rewards;
        }
        for (int i = 0; i < rewards.length; i++) {
            double reward = rewardScale * rewards[i];
            scaled[i] = rewardClip == 0 ? reward : Math.min(Math.max(reward, -rewardClip), rewardClip);
        }
        return scaled;
    }

    /** What is observed now, not yet normalised. */
    public float[] rawObservations() {
        return normalisation().map(VectorNormalisation::rawObservations).orElseGet(environments::observations);
    }

    /** The last observations of episodes, not yet normalised. */
    public float[] rawFinalObservations() {
        return normalisation()
                .map(VectorNormalisation::rawFinalObservations)
                .orElseGet(environments::finalObservations);
    }

    /** The most steps that an episode can have, where that is known. */
    public OptionalInt longest() {
        return environments.environment(0).longest();
    }

    /** What there is to say of them, for people: a line each. */
    public List<String> notes() {
        return List.copyOf(notes);
    }

    /** These, with lines more to say of them. */
    public Worlds noting(List<String> lines) {
        notes.addAll(lines);
        return this;
    }

    /** Whose episode the last step ended by its own rules. */
    public boolean[] terminated() {
        return environments.terminated();
    }

    /** Whose episode the last step ended from outside. */
    public boolean[] truncated() {
        return environments.truncated();
    }

    /** The last observations of episodes, valid where the last step ended one. */
    public float[] finalObservations() {
        return environments.finalObservations();
    }

    /** What actions are drawn by. */
    public Pcg64 random() {
        return random;
    }

    /** Steps taken in all environments together. */
    public long steps() {
        return tally.steps();
    }

    /** Steps all environments by what is in their actions. */
    public void step() {
        environments.step();
        tally.stepped(environments.size());
    }

    /** Tells of each episode that ends from now on; who listens is not saved. */
    public void listen(Episodes listener) {
        environments.listen(listener);
    }

    /**
     * Takes over the statistics by which other environments were normalised; where these stand stays as it is.
     *
     * @param saved what {@link #save} of the others gave
     * @throws IllegalArgumentException if observations are normalised in one of both only, or are of another width
     */
    public void inherit(State saved) {
        if (!saved.has("environments")) {
            return; // they were never stepped
        }
        State others = saved.state("environments");
        boolean wanted = VectorNormalisation.normalisedObservations(others);
        boolean normalises =
                normalisation().map(VectorNormalisation::normalisesObservations).orElse(false);
        if (wanted != normalises) {
            throw new IllegalArgumentException("worlds.normalise_observations must be " + wanted
                    + ", as where the parameters were trained, was " + normalises);
        }
        normalisation().ifPresent(each -> each.adopt(others));
        inherited = normalisation().isPresent();
    }

    /** Reports steps, and the mean return and length of the last episodes. */
    public void report(Run run) {
        tally.report(run);
    }

    @Override
    public State save() {
        State state = tally.save().with("begun", begun ? 1 : 0).with("random", random.save());
        return begun || inherited ? state.with("environments", environments.save()) : state;
    }

    @Override
    public void restore(State state) {
        boolean wasBegun = state.whole("begun") == 1;
        boolean kept = state.has("environments");
        environments.restore(kept ? state.state("environments") : unbegun);
        random.restore(state.state("random"));
        tally.restore(state);
        begun = wasBegun;
        inherited = kept && !wasBegun;
    }
}
