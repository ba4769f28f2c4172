package hocket.rl.actors;

import hocket.programs.Program;
import hocket.programs.Session.Feeds;
import hocket.programs.execution.BoundProgram;
import hocket.programs.execution.Lowering;
import hocket.rl.envs.wrappers.VectorNormalisation;
import hocket.rl.random.Pcg64;
import hocket.rl.spaces.MultiDiscrete;
import hocket.rl.spaces.Space;
import hocket.schedulers.Source.Column;
import hocket.schedulers.inference.InferenceFunction;
import hocket.scopes.ElementType;
import hocket.scopes.Parameters;
import hocket.scopes.Shape;
import hocket.scopes.Tensor;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A policy as an {@link InferenceFunction} from {@code observation}, as the environment gives it, to {@code action}, as
 * the environment expects it. Observations are normalised as in training. A discrete action is a whole number; an
 * action of a box lies within its bounds. A policy with a memory also reads {@code start}, 1 in the first step of an
 * episode, else 0, and {@code state}, and gives the next {@code state}; the first one may be zeros. A policy in environments that
 * forbid actions reads a {@code mask}.
 *
 * @param best the policy for calls without a seed
 * @param acting the policy for calls with a seed, which samples its actions
 * @param actions the environment's action space
 * @param normalisation of observations in training; nothing may change it from now on
 */
public record PolicyInference(Policy best, Policy acting, Space actions, Optional<VectorNormalisation> normalisation)
        implements InferenceFunction {
    @Override
    public String name() {
        return "policy";
    }

    @Override
    public List<Program> programs() {
        return Stream.of(best.program(), acting.program()).distinct().toList();
    }

    @Override
    public List<Column> inputs() {
        return best.program().inputs().stream()
                .map(input -> new Column(input.path().text(), input.shape(), input.type()))
                .toList();
    }

    @Override
    public List<Column> noises() {
        return List.of();
    }

    @Override
    public List<Column> outputs() {
        Column action = new Column("action", actions.shape(), actions.type());
        return best.stateShape()
                .map(shape -> List.of(action, new Column(Policy.STATE, shape, ElementType.FLOAT32)))
                .orElse(List.of(action));
    }

    @Override
    public Bound bind(Parameters parameters, int threads) {
        return new Playing(parameters, threads);
    }

    private final class Playing implements Bound {
        private final Parameters parameters;
        private final int threads;
        private @Nullable BoundProgram certain;
        private @Nullable BoundProgram random;

        Playing(Parameters parameters, int threads) {
            this.parameters = parameters;
            this.threads = threads;
        }

        private BoundProgram bound(Policy policy) {
            return new BoundProgram(
                    policy.program(), parameters, Lowering.of(policy.program()), threads, new TreeSet<>(), "infer/");
        }

        private BoundProgram bound(boolean drawn) {
            if (drawn) {
                random = random == null ? bound(acting) : random;
                return random;
            }
            certain = certain == null ? bound(best) : certain;
            return certain;
        }

        @Override
        public List<Tensor> infer(Feeds rows, OptionalLong seed) {
            Policy policy = seed.isPresent() ? acting : best;
            BoundProgram bound = bound(seed.isPresent());
            bound.feed(rows.tensors()); // rejects invalid rows
            for (Column input : inputs()) { // a buffer keeps what was fed before
                if (!rows.tensors().containsKey(input.name())) {
                    throw new IllegalArgumentException("input " + input.name() + " is needed and was not fed");
                }
            }
            Tensor masks = rows.tensors().get(Policy.MASK);
            if (masks != null) {
                requireMasks(masks, rows.rows());
            }
            Tensor given = Objects.requireNonNull(rows.tensors().get(Policy.OBSERVATION));
            int count = rows.rows();
            float[] chosen = new float[count * actions.width()];
            long turn = seed.orElse(0);
            policy.act(bound, normalised(given, count), count, turn, Pcg64.of(turn), chosen);
            float[] fitted = new float[chosen.length];
            policy.transform().apply(actions, chosen, fitted, count);
            Tensor action = column(fitted, count);
            return policy.stateShape().isPresent()
                    ? List.of(action, bound.target(policy.program().targets().size() - 1))
                    : List.of(action);
        }

        /** @throws IllegalArgumentException if a number is neither 0 nor 1, or a row allows no action of a choice */
        private void requireMasks(Tensor masks, int count) {
            int width = masks.shape().size() / count;
            List<Integer> choices = actions instanceof MultiDiscrete several ? several.counts() : List.of(width);
            for (int row = 0; row < count; row++) {
                int at = row * width;
                for (int choice = 0; choice < choices.size(); choice++) {
                    double allowed = 0;
                    for (int i = 0; i < choices.get(choice); i++) {
                        double number = masks.get(at++);
                        allowed += number;
                        if (number != 0 && number != 1) {
                            throw new IllegalArgumentException(
                                    "input mask must be 0 or 1, was " + number + " in row " + row);
                        }
                    }
                    if (allowed == 0) {
                        throw new IllegalArgumentException("input mask must allow an action"
                                + (choices.size() > 1 ? " of each choice" : "") + ", allows none in row " + row
                                + (choices.size() > 1 ? " of choice " + choice : ""));
                    }
                }
            }
        }

        @Override
        public void close() {
            Stream.of(Optional.ofNullable(certain), Optional.ofNullable(random))
                    .flatMap(Optional::stream)
                    .forEach(BoundProgram::close);
        }
    }

    private float[] normalised(Tensor observations, int rows) {
        float[] all = observations.floats();
        int width = all.length / rows;
        for (int row = 0; row < rows; row++) {
            float[] one = new float[width];
            System.arraycopy(all, row * width, one, 0, width);
            for (float number : one) {
                if (!Float.isFinite(number)) {
                    throw new IllegalArgumentException("input " + Policy.OBSERVATION + " must be finite numbers, was "
                            + number + " in row " + row);
                }
            }
            normalisation.ifPresent(each -> each.normalise(one));
            System.arraycopy(one, 0, all, row * width, width);
        }
        return all;
    }

    private Tensor column(float[] fitted, int rows) {
        Column action = outputs().get(0);
        Shape shape = action.shape().prepend(rows);
        if (action.type() == ElementType.FLOAT32) {
            return Tensor.of(shape, fitted);
        }
        long[] numbers = new long[fitted.length];
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = (long) fitted[i];
        }
        return Tensor.of(shape, numbers);
    }
}
