package hocket.rl.offline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hocket.programs.Session.Feeds;
import hocket.rl.returns.RewardTransform;
import hocket.rl.spaces.Box;
import hocket.rl.spaces.Discrete;
import hocket.rl.spaces.Space;
import hocket.schedulers.formats.Npz;
import hocket.scopes.Shape;
import hocket.scopes.Streams;
import hocket.scopes.Tensor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OfflineDataTest {
    private static final Space SEEN = Box.of(2, -9, 9);
    private final SortedMap<String, Tensor> arrays = new TreeMap<>();

    @TempDir
    Path folder;

    /** Three episodes: one terminates after two steps, one is truncated after one, one is not finished. */
    @BeforeEach
    void fill() {
        arrays.put("observations", Tensor.of(Shape.of(5, 2), 0f, 1f, 2f, 3f, 4f, 5f, 6f, 7f, 8f, 9f));
        arrays.put("actions", Tensor.of(Shape.of(5), 3L, 4L, 3L, 3L, 4L));
        arrays.put("rewards", Tensor.of(Shape.of(5), 0.5, 1.5, 2.5, 3.5, 4.5));
        arrays.put("terminations", Tensor.of(Shape.of(5), 0L, 1L, 0L, 0L, 0L));
        arrays.put("truncations", Tensor.of(Shape.of(5), 0L, 0L, 1L, 0L, 0L));
    }

    private OfflineData data(Space actions, boolean isScaled, int batch) {
        Path file = folder.resolve("steps.npz");
        Npz.write(file, arrays);
        return new OfflineData(file, SEEN, actions, 0.9, isScaled, batch);
    }

    private static double[] column(Feeds rows, String name) {
        double[] numbers = Objects.requireNonNull(rows.tensors().get(name)).doubles();
        Arrays.sort(numbers);
        return numbers;
    }

    @Test
    void stepsAreTransitionsWithTheNextRowWhereItIsOfTheSameEpisode() {
        Feeds rows = data(new Discrete(2, 3), false, 3).open().draw(any -> true, Streams.seed(1));
        assertThat(column(rows, "reward")).containsExactly(0.5, 1.5, 3.5);
        assertThat(column(rows, "action")).containsExactly(0, 0, 1);
        assertThat(column(rows, "discount")).containsExactly(0, 0.9f, 0.9f);
        assertThat(column(rows, "observation")).containsExactly(0, 1, 2, 3, 6, 7);
        assertThat(column(rows, "next_observation")).containsExactly(2, 2, 3, 3, 8, 9);
    }

    @Test
    void namesOfD4rlAreRead() {
        arrays.put("terminals", arrays.remove("terminations"));
        arrays.put("timeouts", arrays.remove("truncations"));
        Tensor seen = arrays.get("observations");
        arrays.put("next_observations", seen);
        Feeds rows = data(new Discrete(2, 3), false, 5).open().draw(any -> true, Streams.seed(1));
        assertThat(column(rows, "reward")).containsExactly(0.5, 1.5, 2.5, 3.5, 4.5);
        assertThat(column(rows, "next_observation")).containsExactly(column(rows, "observation"));
    }

    /** The fixture has episodes 0, 2 and 10 of 2, 1 and 1 steps; its README says what wrote it. */
    @Test
    void aFileOfMinariIsRead() throws Exception {
        Path file = Path.of(Objects.requireNonNull(getClass().getResource("/minari/main_data.hdf5"))
                .toURI());
        OfflineData data = new OfflineData(file, SEEN, new Discrete(2), 0.9, false, 4);
        Feeds rows = data.open().draw(any -> true, Streams.seed(1));
        assertThat(column(rows, "reward")).containsExactly(0.5, 1.5, 20.5, 100.5);
        assertThat(column(rows, "action")).containsExactly(0, 0, 0, 1);
        assertThat(column(rows, "discount")).containsExactly(0, 0, 0.9f, 0.9f);
        assertThat(column(rows, "observation")).containsExactly(0, 0.125, 0.25, 0.375, 20, 20.125, 100, 100.125);
        assertThat(column(rows, "next_observation"))
                .containsExactly(0.25, 0.375, 0.5, 0.625, 20.25, 20.375, 100.25, 100.375);
        assertThat(data.references()).isEmpty();
    }

    @Test
    void aDamagedFileOfMinariIsRefusedByName() throws Exception {
        Path file = folder.resolve("main_data.hdf5");
        byte[] bytes;
        try (var in = Objects.requireNonNull(getClass().getResourceAsStream("/minari/main_data.hdf5"))) {
            bytes = in.readAllBytes();
        }
        OfflineData data = new OfflineData(file, SEEN, new Discrete(2), 0.9, false, 4);
        assertRefused(data, "main_data.hdf5");
        Files.write(file, Arrays.copyOf(bytes, bytes.length / 2));
        assertRefused(data, "main_data.hdf5");
        Files.write(file, new byte[100]);
        assertRefused(data, "main_data.hdf5");
    }

    @Test
    void actionsOfABoxAreScaledWhereAnAlgorithmWantsIt() {
        arrays.put("actions", Tensor.of(Shape.of(5, 1), -2f, -1f, 0f, 1f, 3f));
        Space box = Box.of(1, -2, 2);
        Feeds scaled = data(box, true, 3).open().draw(any -> true, Streams.seed(1));
        assertThat(column(scaled, "action")).containsExactly(-1, -0.5, 0.5);
        Feeds plain = data(box, false, 3).open().draw(any -> true, Streams.seed(1));
        assertThat(column(plain, "action")).containsExactly(-2, -1, 1);
    }

    @Test
    void rewardsAreScaledAndThenClipped() {
        OfflineData plain = data(new Discrete(2, 3), false, 3);
        OfflineData data = new OfflineData(
                plain.file(), plain.observations(), plain.actions(), 0.9, false, 3, new RewardTransform(-2, 4));
        assertThat(column(data.open().draw(any -> true, Streams.seed(1)), "reward"))
                .containsExactly(-4, -3, -1);
    }

    @Test
    void scoresAreNormalisedByTheReferencesOfTheFile() {
        Discrete two = new Discrete(2, 3);
        assertThat(data(two, false, 3).references()).isEmpty();
        arrays.put("ref_min_score", Tensor.of(Shape.scalar(), new double[] {20}));
        arrays.put("ref_max_score", Tensor.of(Shape.scalar(), new double[] {120}));
        OfflineData data = data(two, false, 3);
        assertThat(data.references().orElseThrow().normalised(70)).isEqualTo(50);
        assertThat(new OfflineData(folder.resolve("gone.npz"), SEEN, two, 0.9, false, 3).references())
                .isEmpty();
    }

    @Test
    void whatDoesNotFitIsRefusedByName() {
        Discrete two = new Discrete(2, 3);
        assertRefused(data(two, false, 4), "must have at least as many transitions as batch, were 3 and 4");
        assertRefused(data(new Discrete(2), false, 3), "must be of", "row 0 is [3.0]");
        assertRefused(data(Box.of(1, -2, 2), false, 3), "actions of", "must have shape (5,1), has (5)");
        arrays.put("rewards", Tensor.of(Shape.of(5), 0, 0, 0, Double.NaN, 0));
        assertRefused(data(two, false, 3), "rewards of", "must be finite numbers of float32, number 2 is NaN");
        arrays.put("rewards", Tensor.of(Shape.of(4), 0.0, 0.0, 0.0, 0.0));
        assertRefused(data(two, false, 3), "rewards of", "must have shape (5), has (4)");
        arrays.put("rewards", Tensor.of(Shape.of(5), 0, 0, 0, 1e300, 0));
        assertRefused(data(two, false, 3), "scaled rewards of", "must be finite numbers of float32");
        arrays.put("terminations", Tensor.of(Shape.of(5), 0.0, 1.0, 0.0, 0.5, 0.0));
        assertRefused(data(two, false, 3), "terminations of", "must be 0 or 1, row 3 is 0.5");
        arrays.remove("rewards");
        assertRefused(
                data(two, false, 3),
                "must have an array rewards, has [actions, observations, terminations, truncations]");
        arrays.remove("terminations");
        arrays.put("rewards", Tensor.of(Shape.of(5), 0.0, 0.0, 0.0, 0.0, 0.0));
        assertRefused(data(two, false, 3), "must have an array terminations or terminals");
    }

    @Test
    void aFileThatIsNotThereOrDamagedIsRefusedByName() throws Exception {
        OfflineData data = data(new Discrete(2, 3), false, 3);
        byte[] bytes = Files.readAllBytes(data.file());
        bytes[bytes.length / 2] ^= 1;
        Files.write(data.file(), bytes);
        assertRefused(data, "steps.npz");
        Files.delete(data.file());
        assertRefused(data, "steps.npz", "there is no such file");
        OfflineData table = new OfflineData(folder.resolve("steps.csv"), SEEN, new Discrete(2, 3), 0.9, false, 3);
        assertRefused(table, "data must end in .npz or .hdf5, was ", "steps.csv");
    }

    private static void assertRefused(OfflineData data, String... words) {
        assertThatThrownBy(data::open)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll(words);
    }
}
