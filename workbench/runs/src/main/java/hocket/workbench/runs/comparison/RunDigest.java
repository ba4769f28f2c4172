package hocket.workbench.runs.comparison;

import hocket.schedulers.state.Saved;
import hocket.schedulers.state.State;
import hocket.scopes.Digest;
import hocket.scopes.Tensor;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Digests of a checkpoint: of parameters and running statistics under their paths, and of optimizer slots under the
 * path of their parameter, a space, turn and slot, all in path order. Two runs are the same when their digests are.
 */
public final class RunDigest {
    private final SortedMap<String, Tensor> tensors = new TreeMap<>();

    /** @param state state of a scheduler */
    public RunDigest(State state) {
        State values = state.state("parameters");
        values.items().keySet().forEach(path -> tensors.put(path, values.tensor(path)));
        State turns = state.state("turns");
        turns.items().keySet().forEach(turn -> {
            State saved = turns.state(turn);
            saved.items().forEach((name, item) -> {
                if (item instanceof Saved.Array slot) {
                    int end = name.lastIndexOf('/');
                    tensors.put(name.substring(0, end) + " " + turn + name.substring(end), slot.value());
                }
            });
        });
    }

    /** Returns the digest of the complete state. */
    public String whole() {
        Digest digest = new Digest();
        tensors.forEach((path, tensor) -> digest.add(path, tensor.type(), tensor.shape(), tensor.buffer()));
        return digest.hex();
    }

    /** Returns the digest of each array, by path. */
    public SortedMap<String, String> byPath() {
        SortedMap<String, String> digests = new TreeMap<>();
        tensors.forEach((path, tensor) -> digests.put(
                path,
                new Digest()
                        .add(path, tensor.type(), tensor.shape(), tensor.buffer())
                        .hex()));
        return digests;
    }
}
