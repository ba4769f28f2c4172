package hocket.rl.actors;

import hocket.rl.envs.Autoreset;
import hocket.rl.envs.CheckedEnvironment;
import hocket.rl.envs.Environment;
import hocket.rl.envs.EpisodeListener;
import hocket.rl.envs.VectorEnvironment;
import hocket.rl.envs.wrappers.VectorNormalisation;
import hocket.rl.random.Pcg64;
import hocket.rl.random.SeedSequence;
import hocket.rl.returns.RewardTransform;
import hocket.rl.spaces.Space;
import hocket.schedulers.Run;
import hocket.schedulers.state.State;
import hocket.schedulers.state.Stateful;
import hocket.scopes.Parameters;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The environments of an agent in training, seeded by the run, with counts of steps and the mean return and length of
 * the last hundred episodes. The saved state holds all of this, the environments included.
 */
public final class TrainingEnvironments implements Stateful {
    private final VectorEnvironment environments;
    private final RewardTransform transform;
    private final boolean isTransforming;
    private final double[] scaled;
    private final List<String> notes = new ArrayList<>();
    private final Pcg64 random = Pcg64.of(0);
    private final EpisodeStatistics statistics = new EpisodeStatistics();
    private final State initial;
    private final Space observationSpace;
    private final Space actionSpace;
    private final boolean isMasked;
    private @Nullable Parameters store;
    private boolean begun;
    private boolean inherited;

    /**
     * Wraps environments that have not started an episode.
     *
     * @param environments with {@link Autoreset#SAME_STEP}
     * @throws IllegalArgumentException if they reset otherwise
     */
    public TrainingEnvironments(VectorEnvironment environments) {
        this(environments, RewardTransform.NONE);
    }

    /**
     * Wraps environments and changes their rewards; reported returns are of the original ones.
     *
     * @param transform of the rewards
     */
    public TrainingEnvironments(VectorEnvironment environments, RewardTransform transform) {
        if (environments.autoreset() != Autoreset.SAME_STEP) {
            throw new IllegalArgumentException("environments: environments must begin the next episode in the "
                    + Autoreset.SAME_STEP + ", do so in the " + environments.autoreset());
        }
        this.environments = environments;
        this.transform = transform;
        isTransforming = !transform.equals(RewardTransform.NONE);
        scaled = new double[environments.size()];
        this.initial = environments.save();
        observationSpace = environments.observationSpace();
        actionSpace = environments.actionSpace();
        isMasked = environments.masks().length > 0;
        environments.listen((environment, ret, length) -> statistics.addEpisode(ret, length));
    }

    /**
     * Starts the episodes from the run's seed, unless they have started.
     *
     * @throws IllegalStateException if another run has stepped them: an algorithm is built for one run
     */
    public void begin(Run run) {
        begin(run.parameters());
    }

    /** Starts the episodes outside of a run, from the seed of a store. */
    @SuppressWarnings("ReferenceEquality")
    public void begin(Parameters parameters) {
        if (store != null && store != parameters) {
            throw new IllegalStateException(
                    "these environments are stepped by another run: build a new algorithm for each");
        }
        store = parameters;
        if (!begun) {
            long seed = NumpySeed.of(parameters.streams());
            random.restore(Pcg64.of(SeedSequence.of(seed).child(1)).save());
            environments.reset(seed);
            begun = true;
        }
    }

    /** Returns whether a step may fail, as environments have code that is not Hocket's own. */
    public boolean mayFail() {
        return environments().stream().anyMatch(CheckedEnvironment::mayFail);
    }

    /** The number of environments. */
    public int count() {
        return environments.size();
    }

    /** The environments. Do not step them. */
    public List<Environment> environments() {
        return IntStream.range(0, count()).mapToObj(environments::environment).toList();
    }

    /** The observation space of one environment. */
    public Space observationSpace() {
        return observationSpace;
    }

    /** The action space of one environment. */
    public Space actionSpace() {
        return actionSpace;
    }

    /** The normalisation of observations and rewards, if there is one. */
    public Optional<VectorNormalisation> normalisation() {
        return environments instanceof VectorNormalisation normalising ? Optional.of(normalising) : Optional.empty();
    }

    /** The current observations, one row an environment. */
    public float[] observations() {
        return environments.observations();
    }

    /** Returns, for each environment, whether its observation is the first of an episode. */
    public boolean[] episodeStarts() {
        return environments.episodeStarts();
    }

    /** The actions of the next step, which the caller fills. */
    public float[] actions() {
        return environments.actions();
    }

    /** Returns whether the environments forbid actions at times. */
    public boolean isMasked() {
        return isMasked;
    }

    /** Which actions the next step may take, one mask after the other; empty if the environments forbid none. */
    public float[] masks() {
        return environments.masks();
    }

    /** The masks at the final observations of episodes, valid where the last step truncated one. */
    public float[] finalMasks() {
        return environments.finalMasks();
    }

    /** The rewards of the last step. */
    public double[] rewards() {
        return transformed(environments.rewards());
    }

    /** The rewards of the last step before normalisation, for a replay that normalises when it is sampled. */
    public double[] rawRewards() {
        return transformed(normalisation().map(VectorNormalisation::rawRewards).orElseGet(environments::rewards));
    }

    private double[] transformed(double[] rewards) {
        if (!isTransforming) {
            return rewards;
        }
        for (int i = 0; i < rewards.length; i++) {
            scaled[i] = transform.of(rewards[i]);
        }
        return scaled;
    }

    /** The current observations before normalisation. */
    public float[] rawObservations() {
        return normalisation().map(VectorNormalisation::rawObservations).orElseGet(environments::observations);
    }

    /** The final observations of episodes before normalisation. */
    public float[] rawFinalObservations() {
        return normalisation()
                .map(VectorNormalisation::rawFinalObservations)
                .orElseGet(environments::finalObservations);
    }

    /** The maximum number of steps of an episode, where it is known. */
    public OptionalInt maxEpisodeSteps() {
        return environments.environment(0).maxEpisodeSteps();
    }

    /** Notes about the environments for people, one line each. */
    public List<String> notes() {
        return List.copyOf(notes);
    }

    /** Adds notes; returns this object. */
    public TrainingEnvironments withNotes(List<String> lines) {
        notes.addAll(lines);
        return this;
    }

    /** Returns, for each environment, whether the last step terminated its episode. */
    public boolean[] terminated() {
        return environments.terminated();
    }

    /** Returns, for each environment, whether the last step truncated its episode. */
    public boolean[] truncated() {
        return environments.truncated();
    }

    /** The final observations of episodes, valid where the last step ended one. */
    public float[] finalObservations() {
        return environments.finalObservations();
    }

    /** The generator of actions. */
    public Pcg64 random() {
        return random;
    }

    /** The number of steps of all environments together. */
    public long steps() {
        return statistics.steps();
    }

    /** Steps all environments by {@link #actions}. */
    public void step() {
        environments.step();
        statistics.addSteps(environments.size());
    }

    /** Adds a listener for episodes that end from now on; listeners are not saved. */
    public void listen(EpisodeListener listener) {
        environments.listen(listener);
    }

    /**
     * Copies the normalisation statistics of other environments; the state of these environments stays.
     *
     * @param saved the state of the others by {@link #save}
     * @throws IllegalArgumentException if observations are normalised in only one of the two, or have another width
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
            throw new IllegalArgumentException("environments.normalise_observations must be " + wanted
                    + ", as where the parameters were trained, was " + normalises);
        }
        normalisation().ifPresent(each -> each.adopt(others));
        inherited = normalisation().isPresent();
    }

    /** Reports steps, and the mean return and length of the last episodes. */
    public void report(Run run) {
        statistics.report(run);
    }

    @Override
    public State save() {
        State state = statistics.save().with("begun", begun ? 1 : 0).with("random", random.save());
        return begun || inherited ? state.with("environments", environments.save()) : state;
    }

    @Override
    public void restore(State state) {
        boolean wasBegun = state.whole("begun") == 1;
        boolean kept = state.has("environments");
        environments.restore(kept ? state.state("environments") : initial);
        random.restore(state.state("random"));
        statistics.restore(state);
        begun = wasBegun;
        inherited = kept && !wasBegun;
    }

    /** Closes the environments; their spaces and the statistics of their normalisation stay. */
    public void close() {
        environments.close();
    }
}
