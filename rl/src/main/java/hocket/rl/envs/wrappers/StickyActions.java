package hocket.rl.envs.wrappers;

import hocket.rl.envs.AllowedActions;
import hocket.rl.envs.Environment;
import hocket.rl.envs.ForwardingEnvironment;
import hocket.rl.envs.StateArrays;
import hocket.rl.random.Pcg64;
import hocket.rl.random.SeedSequence;
import hocket.schedulers.state.State;

/**
 * A wrapper that takes the last action in place of the agent's with a probability, so that no sequence of actions can be learnt by
 * heart (Machado et al. 2018). The first step of an episode takes the agent's, and so does one that forbids the last action.
 */
public final class StickyActions extends ForwardingEnvironment {
    private final double probability;
    private final float[] last;
    private Pcg64 random = Pcg64.of(0);
    private boolean isFirst = true;

    /** @throws IllegalArgumentException if the probability is not in [0, 1] */
    public StickyActions(Environment inner, double probability) {
        super(inner);
        if (!(probability >= 0 && probability <= 1)) {
            throw new IllegalArgumentException(
                    inner.name() + ": the probability of the last action must be 0 to 1, was " + probability);
        }
        this.probability = probability;
        last = new float[inner.actions().width()];
    }

    /** {@inheritDoc} Its own draws are of a generator that the given one seeds, which the environment receives as it was. */
    @Override
    public void reset(Pcg64 generator) {
        Pcg64 copy = Pcg64.of(generator.save());
        random = Pcg64.of(SeedSequence.of(copy.nextInt() & Integer.MAX_VALUE).child(1));
        super.reset(generator);
    }

    @Override
    protected void afterReset() {
        isFirst = true;
    }

    /** Announces nothing, because the action may be replaced. */
    @Override
    public void prepare(float[] action, int at) {}

    @Override
    public void step(float[] action, int at) {
        boolean isAgain = random.random() < probability && !isFirst && AllowedActions.isAllowed(inner(), last, 0);
        if (!isAgain) {
            System.arraycopy(action, at, last, 0, last.length);
        }
        isFirst = false;
        super.step(last, 0);
    }

    @Override
    public State save() {
        return super.save()
                .with("random", random.save())
                .with("last", StateArrays.tensor(last))
                .with("first", isFirst ? 1 : 0);
    }

    @Override
    public void restore(State state) {
        float[] saved = StateArrays.floats(state, "last", last.length);
        Pcg64 generator = Pcg64.of(state.state("random"));
        boolean wasFirst = state.whole("first") == 1;
        super.restore(state);
        random = generator;
        isFirst = wasFirst;
        System.arraycopy(saved, 0, last, 0, last.length);
    }
}
