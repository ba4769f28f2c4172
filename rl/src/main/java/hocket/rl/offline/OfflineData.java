package hocket.rl.offline;

import hocket.rl.actors.Policy;
import hocket.rl.replay.SpaceColumns;
import hocket.rl.returns.RewardTransform;
import hocket.rl.spaces.Box;
import hocket.rl.spaces.Discrete;
import hocket.rl.spaces.Space;
import hocket.schedulers.Rows;
import hocket.schedulers.Source;
import hocket.schedulers.Source.Column;
import hocket.schedulers.SourceDescription;
import hocket.schedulers.checkpoint.DiskFailureText;
import hocket.schedulers.feeds.DataFingerprint;
import hocket.schedulers.feeds.ForwardingSource;
import hocket.schedulers.formats.FormatException;
import hocket.schedulers.formats.Npy;
import hocket.schedulers.formats.Npz;
import hocket.schedulers.settings.Limits;
import hocket.scopes.ElementType;
import hocket.scopes.Shape;
import hocket.scopes.Tensor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Recorded steps as transitions to learn from without acting; the file is read when training begins. It is the {@code
 * main_data.hdf5} of a data set of Minari, or a NumPy archive, {@code .npz}, whose arrays have a row a step, episodes one after the other, with the names of Minari or, in brackets, of D4RL:
 *
 * <ul>
 *   <li>{@code observations} (n, …), before the step
 *   <li>{@code actions} (n, …), as the environment received them
 *   <li>{@code rewards} (n)
 *   <li>{@code terminations} ({@code terminals}) and {@code truncations} ({@code timeouts}), (n): whether the step ended an
 *       episode
 *   <li>{@code next_observations} (n, …), after the step. Without them they are the observations of the next row, and a step
 *       that was truncated is left out
 *   <li>{@code ref_min_score} and {@code ref_max_score} (), the returns that normalised scores of 0 and 100 stand for; need not be
 *       there
 * </ul>
 *
 * @param file that ends in .npz, or in .hdf5 or .h5
 * @param observations the observation space
 * @param actions the action space
 * @param gamma discount of a step
 * @param isScaled whether actions of a box are scaled from its bounds to -1..1
 * @param batch steps of a draw
 * @param transform of the rewards
 */
public record OfflineData(
        Path file,
        Space observations,
        Space actions,
        double gamma,
        boolean isScaled,
        int batch,
        RewardTransform transform)
        implements SourceDescription {
    /** Steps whose rewards are learnt as they are. */
    public OfflineData(Path file, Space observations, Space actions, double gamma, boolean isScaled, int batch) {
        this(file, observations, actions, gamma, isScaled, batch, RewardTransform.NONE);
    }

    /** The array of the return that a normalised score of 0 stands for. */
    public static final String LOW = "ref_min_score";

    /** The array of the return that a normalised score of 100 stands for. */
    public static final String HIGH = "ref_max_score";

    /** Returns that scores of 0 and 100 stand for. */
    public record ReferenceReturns(double low, double high) {
        /** Returns {@code 100·(value - low)/(high - low)} (Fu et al. 2020, D4RL). */
        public double normalised(double value) {
            return 100 * (value - low) / (high - low);
        }
    }

    @Override
    public String name() {
        return "data";
    }

    @Override
    public List<Column> columns() {
        Column observation = SpaceColumns.observation(observations);
        return List.of(
                observation,
                SpaceColumns.action(actions),
                new Column("reward", Shape.of(), ElementType.FLOAT32),
                observation.with("next_observation", observation.shape()),
                new Column("discount", Shape.of(), ElementType.FLOAT32));
    }

    /** Returns the reference returns; empty if the file has none, or cannot be read. */
    public Optional<ReferenceReturns> references() {
        try {
            Map<String, Tensor> arrays = Files.exists(file) ? arrays() : Map.of();
            if (arrays.containsKey(LOW) && arrays.containsKey(HIGH)) {
                ReferenceReturns returns = new ReferenceReturns(
                        tensor(arrays, LOW).doubles()[0], tensor(arrays, HIGH).doubles()[0]);
                return returns.high() > returns.low() ? Optional.of(returns) : Optional.empty();
            }
            return Optional.empty();
        } catch (IOException | IllegalArgumentException e) { // training says what is wrong
            return Optional.empty();
        }
    }

    /**
     * Reads the file.
     *
     * @throws IllegalArgumentException if it cannot be read, an array is missing or does not fit the environment, or there are
     *     fewer transitions than a batch
     */
    @Override
    public Source open() {
        return new ForwardingSource(rows().batches(name(), batch)) {
            @Override
            public List<DataFingerprint> origins() {
                return List.of(DataFingerprint.of(file));
            }
        };
    }

    private Map<String, Tensor> arrays() throws IOException {
        if (file.toString().endsWith(".npz")) {
            Map<String, Tensor> arrays = new LinkedHashMap<>();
            for (Map.Entry<String, Npy> entry : Npz.read(file).entrySet()) {
                arrays.put(entry.getKey(), entry.getValue().tensor());
            }
            return arrays;
        }
        if (file.toString().endsWith(".hdf5") || file.toString().endsWith(".h5")) {
            return MinariFile.read(file);
        }
        throw new IllegalArgumentException("data must end in .npz or .hdf5, was " + file);
    }

    private Rows rows() {
        try {
            return rows(arrays());
        } catch (FormatException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        } catch (IOException e) {
            throw new IllegalArgumentException("data: " + file + " cannot be read: " + DiskFailureText.of(e), e);
        }
    }

    private Rows rows(Map<String, Tensor> arrays) {
        Tensor seen = tensor(arrays, name(arrays, "observations"));
        if (seen.shape().rank() == 0) {
            throw new IllegalArgumentException(
                    "data: observations of " + file + " must have a row a step, is one number");
        }
        int steps = seen.shape().get(0);
        require(seen, "observations", observations.shape().prepend(steps));
        Tensor taken = tensor(arrays, name(arrays, "actions"));
        require(taken, "actions", actions.actionShape().prepend(steps));
        double[] rewards = column(arrays, steps, "rewards");
        double[] terminated = flags(arrays, steps, "terminations", "terminals");
        double[] truncated = flags(arrays, steps, "truncations", "timeouts");
        boolean hasNext = arrays.containsKey("next_observations");
        Tensor next = hasNext ? tensor(arrays, "next_observations") : seen;
        require(next, "next_observations", seen.shape());
        int[] kept = kept(terminated, truncated, hasNext);
        if (kept.length < batch) {
            throw new IllegalArgumentException("data: " + file
                    + " must have at least as many transitions as batch, were " + kept.length + " and " + batch);
        }
        int width = observations.width();
        float[] observed = floats("observations", seen);
        float[] after = hasNext ? floats("next_observations", next) : observed;
        float[] before = new float[Limits.elements("data: observations of " + file, kept.length, width)];
        float[] following = new float[before.length];
        float[] reward = new float[kept.length];
        float[] discount = new float[kept.length];
        for (int i = 0; i < kept.length; i++) {
            int step = kept[i];
            boolean last = terminated[step] != 0;
            System.arraycopy(observed, step * width, before, i * width, width);
            System.arraycopy(after, (hasNext || last ? step : step + 1) * width, following, i * width, width);
            reward[i] = (float) transform.of(rewards[step]);
            discount[i] = last ? 0 : (float) gamma;
        }
        requireFinite("scaled rewards", reward);
        Shape shape = observations.shape().prepend(kept.length);
        return Rows.of(Policy.OBSERVATION, Tensor.of(shape, before))
                .and("action", actions(taken, kept))
                .and("reward", Tensor.of(Shape.of(kept.length), reward))
                .and("next_observation", Tensor.of(shape, following))
                .and("discount", Tensor.of(Shape.of(kept.length), discount));
    }

    /** The steps whose next observation is known or not needed. */
    private static int[] kept(double[] terminated, double[] truncated, boolean hasNext) {
        int[] kept = new int[terminated.length];
        int count = 0;
        for (int i = 0; i < kept.length; i++) {
            boolean isFollowed = truncated[i] == 0 && i + 1 < kept.length;
            if (hasNext || terminated[i] != 0 || isFollowed) {
                kept[count++] = i;
            }
        }
        return Arrays.copyOf(kept, count);
    }

    private Tensor actions(Tensor taken, int[] kept) {
        int width = actions.width();
        float[] all = floats("actions", taken);
        float[] some = new float[Limits.elements("data: actions of " + file, kept.length, width)];
        for (int i = 0; i < kept.length; i++) {
            if (!actions.contains(all, kept[i] * width)) {
                throw new IllegalArgumentException("data: actions of " + file + " must be of " + actions + ", row "
                        + kept[i] + " is "
                        + Arrays.toString(Arrays.copyOfRange(all, kept[i] * width, (kept[i] + 1) * width)));
            }
            System.arraycopy(all, kept[i] * width, some, i * width, width);
        }
        Shape shape = actions.actionShape().prepend(kept.length);
        if (actions.type() == ElementType.FLOAT32) {
            if (isScaled && actions instanceof Box box) {
                Policy.ActionTransform.SCALED.unapply(box, some);
            }
            return Tensor.of(shape, some);
        }
        int start = actions instanceof Discrete discrete ? discrete.start() : 0;
        long[] indices = new long[some.length];
        Arrays.setAll(indices, i -> (long) some[i] - start);
        return Tensor.of(shape, indices);
    }

    private String name(Map<String, Tensor> arrays, String... names) {
        for (String name : names) {
            if (arrays.containsKey(name)) {
                return name;
            }
        }
        throw new IllegalArgumentException("data: " + file + " must have an array " + String.join(" or ", names)
                + ", has " + List.copyOf(arrays.keySet()));
    }

    private double[] column(Map<String, Tensor> arrays, int steps, String... names) {
        String name = name(arrays, names);
        Tensor tensor = tensor(arrays, name);
        require(tensor, name, Shape.of(steps));
        return tensor.doubles();
    }

    private double[] flags(Map<String, Tensor> arrays, int steps, String... names) {
        double[] flags = column(arrays, steps, names);
        for (int i = 0; i < flags.length; i++) {
            if (flags[i] != 0 && flags[i] != 1) {
                throw new IllegalArgumentException("data: " + name(arrays, names) + " of " + file
                        + " must be 0 or 1, row " + i + " is " + flags[i]);
            }
        }
        return flags;
    }

    private static Tensor tensor(Map<String, Tensor> arrays, String name) {
        return Objects.requireNonNull(arrays.get(name));
    }

    private float[] floats(String name, Tensor tensor) {
        double[] numbers = tensor.doubles();
        float[] floats = new float[numbers.length];
        for (int i = 0; i < floats.length; i++) {
            floats[i] = (float) numbers[i];
        }
        requireFinite(name, floats);
        return floats;
    }

    private void requireFinite(String name, float[] numbers) {
        for (int i = 0; i < numbers.length; i++) {
            if (!Float.isFinite(numbers[i])) {
                throw new IllegalArgumentException("data: " + name + " of " + file
                        + " must be finite numbers of float32, number " + i + " is " + numbers[i]);
            }
        }
    }

    private void require(Tensor tensor, String name, Shape shape) {
        if (!tensor.shape().equals(shape)) {
            throw new IllegalArgumentException(
                    "data: " + name + " of " + file + " must have shape " + shape + ", has " + tensor.shape());
        }
    }
}
