package hocket.rl.offline;

import hocket.scopes.ElementType;
import hocket.scopes.Shape;
import hocket.scopes.Tensor;
import io.jhdf.HdfFile;
import io.jhdf.api.Dataset;
import io.jhdf.api.Group;
import io.jhdf.api.Node;
import java.io.IOException;
import java.lang.reflect.Array;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * The steps of a data set of Minari, {@code main_data.hdf5}: a group an episode, {@code episode_0}, with {@code observations} (T + 1,
 * …), {@code actions} (T, …), {@code rewards}, {@code terminations} and {@code truncations} (T).
 */
final class MinariFile {
    private static final String EPISODE = "episode_";

    /** An array of an episode. */
    private record Part(int[] extents, double[] numbers) {
        int[] row() {
            return Arrays.copyOfRange(extents, 1, extents.length);
        }
    }

    private final Path file;
    private final Map<String, List<double[]>> numbers = new TreeMap<>();
    private final Map<String, Shape> rows = new TreeMap<>();

    private MinariFile(Path file) {
        this.file = file;
    }

    /**
     * Reads all episodes, one after the other, as arrays of {@link OfflineData} with {@code next_observations}.
     *
     * @throws IOException if it cannot be read
     * @throws IllegalArgumentException if it is not such a file
     */
    static Map<String, Tensor> read(Path file) throws IOException {
        if (!Files.exists(file)) {
            throw new NoSuchFileException(file.toString());
        }
        MinariFile joined = new MinariFile(file);
        Map<Integer, Map<String, Part>> episodes = episodes(file);
        if (episodes.isEmpty()) {
            throw joined.refused("", "must have a group " + EPISODE + "0 at its root");
        }
        episodes.forEach(joined::add);
        return joined.arrays();
    }

    private static Map<Integer, Map<String, Part>> episodes(Path file) {
        Map<Integer, Map<String, Part>> episodes = new TreeMap<>();
        try (HdfFile hdf = new HdfFile(file)) {
            for (Node node : hdf) {
                if (node instanceof Group group && group.getName().matches(EPISODE + "[0-9]{1,9}")) {
                    Map<String, Part> parts = new TreeMap<>();
                    for (Node child : group) {
                        if (child instanceof Dataset dataset && dataset.getDimensions().length > 0) {
                            parts.put(child.getName(), part(dataset));
                        }
                    }
                    episodes.put(Integer.valueOf(group.getName().substring(EPISODE.length())), parts);
                }
            }
            return episodes;
        } catch (RuntimeException e) { // the library has no common type for damaged files
            throw new IllegalArgumentException("data: " + file + " is not a sound HDF5 file: " + e, e);
        }
    }

    /** Reads an array; h5py writes booleans as an enumeration, which are 0 and 1 here. */
    private static Part part(Dataset dataset) {
        Object flat = dataset.getDataFlat();
        double[] numbers = new double[Array.getLength(flat)];
        for (int i = 0; i < numbers.length; i++) {
            Object element = Array.get(flat, i);
            numbers[i] = element instanceof Number number
                    ? number.doubleValue()
                    : "TRUE".equals(element) || Boolean.TRUE.equals(element) ? 1 : 0;
        }
        return new Part(dataset.getDimensions(), numbers);
    }

    private void add(int episode, Map<String, Part> parts) {
        String place = ": " + EPISODE + episode;
        for (String name : List.of("observations", "actions", "rewards", "terminations", "truncations")) {
            if (!parts.containsKey(name)) {
                throw refused(
                        place,
                        "must have an array " + name + ", has " + parts.keySet()
                                + "; observations and actions of several parts are not read");
            }
        }
        int steps = Objects.requireNonNull(parts.get("rewards")).extents()[0];
        parts.forEach((name, part) -> {
            int needed = name.equals("observations") ? steps + 1 : steps;
            if (part.extents()[0] != needed) {
                throw refused(
                        place,
                        name + " must have " + needed + " rows, as there are " + steps + " rewards, has "
                                + part.extents()[0]);
            }
            if (name.equals("observations")) {
                double[] all = part.numbers();
                int width = all.length / needed;
                add(place, name, part, Arrays.copyOf(all, steps * width));
                add(place, "next_observations", part, Arrays.copyOfRange(all, width, all.length));
            } else {
                add(place, name, part, part.numbers());
            }
        });
    }

    private void add(String place, String name, Part part, double[] more) {
        Shape row = Shape.of(part.row());
        Shape before = rows.putIfAbsent(name, row);
        if (before != null && !before.equals(row)) {
            throw refused(place, name + " must have rows of " + before + ", as before, has " + row);
        }
        numbers.computeIfAbsent(name, key -> new ArrayList<>()).add(more);
    }

    private Map<String, Tensor> arrays() {
        Map<String, Tensor> arrays = new TreeMap<>();
        rows.forEach((name, row) -> {
            double[] all = numbers.getOrDefault(name, List.of()).stream()
                    .flatMapToDouble(Arrays::stream)
                    .toArray();
            arrays.put(name, Tensor.rounded(row.prepend(all.length / row.size()), ElementType.FLOAT64, all));
        });
        return arrays;
    }

    private IllegalArgumentException refused(String place, String rule) {
        return new IllegalArgumentException("data: " + file + place + " " + rule);
    }
}
