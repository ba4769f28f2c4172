package hocket.scopes;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The values of parameters at one moment, by path: a copy that nothing changes and any thread may read.
 *
 * <p>For example:
 *
 * <pre>{@code
 * Snapshot moment = new Snapshot(new TreeMap<>(Map.of(Path.of("line/weight"), Tensor.of(Shape.of(1), 2f))));
 * Tensor weight = moment.tensor("line/weight");
 * String digest = moment.digest(); // equal for equal bits
 * }</pre>
 *
 * @param tensors the values by path, in path order
 */
public record Snapshot(SortedMap<Path, Tensor> tensors) {
    /** Copies the map. */
    public Snapshot {
        TreeMap<Path, Tensor> copy = new TreeMap<>();
        copy.putAll(tensors);
        tensors = Collections.unmodifiableSortedMap(copy);
    }

    /**
     * The values of one parameter.
     *
     * @throws IllegalArgumentException if the snapshot does not hold it; the message lists similar paths
     */
    public Tensor tensor(String path) {
        return SimilarNames.get(tensors, Path.of(path), "the snapshot holds no parameter ");
    }

    /** SHA-256 over paths, types, shapes and values in path order, as 64 hexadecimal digits. */
    public String digest() {
        Digest digest = new Digest();
        for (Map.Entry<Path, Tensor> entry : tensors.entrySet()) {
            Tensor tensor = entry.getValue();
            digest.add(entry.getKey().text(), tensor.type(), tensor.shape(), tensor.buffer());
        }
        return digest.hex();
    }
}
