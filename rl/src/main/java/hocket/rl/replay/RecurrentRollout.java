package hocket.rl.replay;

import hocket.programs.Program;
import hocket.programs.Value;
import hocket.programs.execution.BoundProgram;
import hocket.programs.operators.Operator.Result;
import hocket.rl.actors.Policy;
import hocket.rl.actors.TrainingEnvironments;
import hocket.rl.envs.StateArrays;
import hocket.rl.returns.AdvantageEstimator;
import hocket.rl.returns.ExplainedVariance;
import hocket.rl.returns.RolloutLayout;
import hocket.rl.spaces.Space;
import hocket.schedulers.Run;
import hocket.schedulers.Source.Column;
import hocket.schedulers.state.State;
import hocket.schedulers.turns.DivergedException;
import hocket.scopes.ElementType;
import hocket.scopes.Shape;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * A turn of Java that steps environments by a policy with a state. Its {@linkplain #table table} has a row for each
 * environment, with all steps of the last rollout. The state goes from step to step, and from the end of a
 * rollout to the next; the policy itself replaces it where {@code start} is 1.
 *
 * <p>Columns of T steps: {@code observations} (T, …), {@code starts} (T), 1 in the first step of an episode, else 0;
 * {@code actions}, (T) of INT64, an index from 0, or (T, a) as drawn; {@code state}, before the first step; {@code masks} (T, n)
 * of a policy that keeps to them; and, (T) each,
 * {@code advantage}, {@code return}, {@code value} and, if the policy gives it, {@code log_probability} in nats.
 *
 * <p>It reports {@code steps}, {@code episode_return}, {@code episode_length} and {@code explained_variance}. The saved state
 * holds the environments, the policy's state and the rows.
 */
public final class RecurrentRollout extends OnPolicyRollout {
    private static final int ACTION = 0;
    private static final int VALUE = 1;
    private static final int STATE = 2;
    private static final int LOG_PROBABILITY = 3;
    private static final List<String> NUMBERS = List.of("advantage", "return", "value", "log_probability");

    private final Program act;
    private final RolloutLayout layout;
    private final float[] observations;
    private final float[] starts;
    private final float[] actions;
    private final float[] masks;
    private final float[] advantages;
    private final float[] returns;
    private final float[] before;
    private final float[] carried;
    private final float[] chosen;
    private final float[] values;
    private final float[] logProbabilities;
    private final float[] rewards;
    private final float[] finalValues;
    private final boolean[] terminated;
    private final boolean[] truncated;

    /**
     * Makes a rollout.
     *
     * @param environments with {@link hocket.rl.envs.Autoreset#SAME_STEP}
     * @param act an EVAL program with inputs {@code observation} (…), {@code start} (), which is 1 in the first step of an
     *     episode, else 0, {@code state} and, if it keeps to masks, {@code mask} (n) of the actions that are allowed; its targets are the action (() of INT64, an index from 0, or (a)), the value
     *     of the observation (), the next state and, optionally, the log-probability of the action (). Its noise depends on
     *     the number of steps so far
     * @param steps the number of steps T in each environment, at least 1
     * @param estimate the advantage estimator
     * @throws IllegalArgumentException if the program has no such inputs or targets
     */
    public RecurrentRollout(TrainingEnvironments environments, Program act, int steps, AdvantageEstimator estimate) {
        super(environments, estimate, table(environments, act, steps));
        this.act = act;
        int count = environments.count();
        int width = environments.observationSpace().width();
        int actionWidth = environments.actionSpace().width();
        layout = new RolloutLayout(steps, count, 1, steps);
        int rows = count * steps;
        observations = new float[rows * width];
        starts = new float[rows];
        actions = new float[rows * actionWidth];
        masks = new float
                [act.input(Policy.MASK).isPresent()
                        ? rows * environments.actionSpace().maskWidth()
                        : 0];
        advantages = new float[rows];
        returns = new float[rows];
        before = new float[count * act.input(Policy.STATE).orElseThrow().shape().size()];
        carried = new float[before.length];
        chosen = new float[count * actionWidth];
        values = new float[rows];
        logProbabilities = new float[hasProbability(act) ? rows : 0];
        rewards = new float[rows];
        finalValues = new float[rows];
        terminated = new boolean[rows];
        truncated = new boolean[rows];
    }

    private static Table table(TrainingEnvironments environments, Program act, int steps) {
        Shape state = state(act, environments.observationSpace(), environments.actionSpace());
        Column action = SpaceColumns.action(environments.actionSpace());
        Column observation = SpaceColumns.observation(environments.observationSpace());
        List<Column> columns = new ArrayList<>(List.of(
                observation.with("observations", observation.shape().prepend(steps)),
                new Column("starts", Shape.of(steps), ElementType.FLOAT32),
                action.with("actions", action.shape().prepend(steps)),
                new Column("state", state, ElementType.FLOAT32)));
        if (act.input(Policy.MASK).isPresent()) {
            Column mask = SpaceColumns.mask(environments.actionSpace());
            columns.add(mask.with("masks", mask.shape().prepend(steps)));
        }
        for (String number : hasProbability(act) ? NUMBERS : NUMBERS.subList(0, LOG_PROBABILITY)) {
            columns.add(new Column(number, Shape.of(steps), ElementType.FLOAT32));
        }
        return new Table("rollout", environments.count(), columns, environments::notes);
    }

    private static boolean hasProbability(Program act) {
        return act.targets().size() > LOG_PROBABILITY;
    }

    /** Checks inputs and targets of the policy's program; returns the shape of its state. */
    private static Shape state(Program act, Space observations, Space actions) {
        Result seen = of(observations.shape(), ElementType.FLOAT32);
        Result scalar = of(Shape.scalar(), ElementType.FLOAT32);
        Value state = act.input(Policy.STATE).orElse(null);
        boolean isMasked = actions.maskWidth() > 0
                && isInput(act, Policy.MASK, of(Shape.of(actions.maskWidth()), ElementType.FLOAT32));
        if (act.inputs().size() != (isMasked ? 4 : 3)
                || state == null
                || !state.result().equals(of(state.shape(), ElementType.FLOAT32))
                || !isInput(act, Policy.OBSERVATION, seen)
                || !isInput(act, Policy.START, scalar)) {
            throw new IllegalArgumentException("program " + act.name() + " needs inputs observation " + seen.shape()
                    + ", start () and state (…), and perhaps a mask of the actions, all of FLOAT32, it reads "
                    + act.inputs());
        }
        Result action = of(actions.actionShape(), actions.type());
        List<Result> targets = act.targets().stream().map(Value::result).toList();
        List<Result> needed = List.of(action, scalar, state.result());
        List<Result> most = List.of(action, scalar, state.result(), scalar);
        if (!targets.equals(needed) && !targets.equals(most)) {
            throw new IllegalArgumentException("program " + act.name() + " needs targets action " + action.shape()
                    + " of " + action.type() + ", value (), next state as its input " + state
                    + ", and perhaps the action's log-probability (), it has " + act.targets());
        }
        return state.shape();
    }

    private static Result of(Shape shape, ElementType type) {
        return new Result(shape, true, type);
    }

    private static boolean isInput(Program act, String name, Result result) {
        return act.input(name).filter(input -> input.result().equals(result)).isPresent();
    }

    @Override
    void collect(Run run) {
        begin(run);
        BoundProgram program = run.bind(act);
        System.arraycopy(carried, 0, before, 0, carried.length);
        for (int t = 0; t < layout.steps(); t++) {
            step(program, t);
        }
        float[] lastValues = new float[layout.environments()];
        look(program, environments.observations());
        program.result(VALUE).asFloatBuffer().get(lastValues);
        estimate.advantages(
                layout, rewards, values, terminated, truncated, finalValues, lastValues, advantages, returns);
        table.set("observations", observations);
        table.set("starts", starts);
        table.set("actions", actions);
        table.set("state", before);
        if (masks.length > 0) {
            table.set("masks", masks);
        }
        table.set("advantage", advantages);
        table.set("return", returns);
        table.set("value", values);
        if (logProbabilities.length > 0) {
            table.set("log_probability", logProbabilities);
        }
        table.collected();
        ExplainedVariance.report(run, values, returns);
        environments.report(run);
    }

    private void step(BoundProgram program, int t) {
        int width = environments.observationSpace().width();
        int actionWidth = environments.actionSpace().width();
        int maskWidth = masks.length / rewards.length;
        look(program, environments.observations());
        program.result(STATE).asFloatBuffer().get(carried);
        read(program, ACTION, chosen);
        for (int e = 0; e < layout.environments(); e++) {
            int at = layout.at(t, e);
            System.arraycopy(environments.observations(), e * width, observations, at * width, width);
            System.arraycopy(chosen, e * actionWidth, actions, at * actionWidth, actionWidth);
            System.arraycopy(environments.masks(), e * maskWidth, masks, at * maskWidth, maskWidth);
            starts[at] = environments.episodeStarts()[e] ? 1 : 0;
            values[at] = program.result(VALUE).getFloat(e * Float.BYTES);
            if (logProbabilities.length > 0) {
                logProbabilities[at] = program.result(LOG_PROBABILITY).getFloat(e * Float.BYTES);
            }
        }
        Policy.ActionTransform.CLIPPED.apply(
                environments.actionSpace(), chosen, environments.actions(), layout.environments());
        environments.step();
        boolean any = false;
        double[] paid = environments.rewards();
        for (int e = 0; e < layout.environments(); e++) {
            int at = layout.at(t, e);
            rewards[at] = (float) paid[e];
            terminated[at] = environments.terminated()[e];
            truncated[at] = environments.truncated()[e] && !terminated[at];
            any |= truncated[at];
        }
        if (any) {
            evaluateTruncated(program, t);
        }
    }

    /** Computes the values of the last observations of episodes that a time limit truncated. */
    private void evaluateTruncated(BoundProgram program, int t) {
        run(program, environments.finalObservations(), new boolean[layout.environments()]);
        for (int e = 0; e < layout.environments(); e++) {
            finalValues[layout.at(t, e)] = program.result(VALUE).getFloat(e * Float.BYTES);
        }
    }

    private void look(BoundProgram program, float[] seen) {
        run(program, seen, environments.episodeStarts());
    }

    private void run(BoundProgram program, float[] seen, boolean[] start) {
        int count = layout.environments();
        input(program, Policy.OBSERVATION).asFloatBuffer().put(seen);
        input(program, Policy.STATE).asFloatBuffer().put(carried);
        if (masks.length > 0) {
            input(program, Policy.MASK).asFloatBuffer().put(environments.masks());
        }
        ByteBuffer flags = input(program, Policy.START);
        for (int e = 0; e < count; e++) {
            flags.putFloat(e * Float.BYTES, start[e] ? 1 : 0);
        }
        program.run(count, environments.steps(), environments.steps());
        program.nonFinite().ifPresent(value -> {
            throw new DivergedException(
                    "program " + act.name() + ", which acts, gives " + value.path() + " that is not finite",
                    program.given());
        });
    }

    private ByteBuffer input(BoundProgram program, String name) {
        return program.feed(program.position(name), layout.environments());
    }

    private static void read(BoundProgram program, int target, float[] into) {
        ElementType type = program.program().targets().get(target).type();
        for (int i = 0; i < into.length; i++) {
            into[i] = (float) type.get(program.result(target), i);
        }
    }

    @Override
    State savedRows(State turn) {
        return turn.has("rows") ? turn.state("rows") : turn; // before 0.1 the turn itself saved the columns
    }

    @Override
    State saveSteps() {
        return super.saveSteps().with("carried", StateArrays.tensor(carried));
    }

    @Override
    void restoreSteps(State state) {
        float[] last = StateArrays.floats(state, "carried", carried.length);
        super.restoreSteps(state);
        System.arraycopy(last, 0, carried, 0, carried.length);
    }

    /** The policy's program, which reads observations normalised as in training. */
    @Override
    public Program program() {
        return act;
    }
}
