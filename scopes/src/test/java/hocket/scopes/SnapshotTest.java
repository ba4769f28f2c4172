package hocket.scopes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class SnapshotTest {
    private static final Tensor ONE = Tensor.of(Shape.of(1), 1f);
    private static final Tensor TWO = Tensor.of(Shape.of(1), 2f);

    private static SortedMap<Path, Tensor> tensors() {
        SortedMap<Path, Tensor> tensors = new TreeMap<>();
        tensors.put(Path.of("b/w"), TWO);
        tensors.put(Path.of("a/w"), ONE);
        return tensors;
    }

    @Test
    void whatHappensToTheMapLaterDoesNotReachIt() {
        SortedMap<Path, Tensor> tensors = tensors();
        Snapshot snapshot = new Snapshot(tensors);
        tensors.clear();
        assertThat(snapshot.tensors()).hasSize(2);
        assertThatThrownBy(() -> snapshot.tensors().clear()).isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void aTensorIsFoundByItsPath() {
        assertThat(new Snapshot(tensors()).tensor("a/w")).isEqualTo(ONE);
        assertThatThrownBy(() -> new Snapshot(tensors()).tensor("a/v"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the snapshot holds no parameter a/v; did you mean a/w?");
    }

    @Test
    void theDigestDependsOnPathsAndValuesButNotOnTheOrderOfTheMap() {
        SortedMap<Path, Tensor> backwards = new TreeMap<>(Collections.reverseOrder());
        backwards.putAll(tensors());
        SortedMap<Path, Tensor> other = tensors();
        other.put(Path.of("a/w"), TWO);
        String digest = new Snapshot(tensors()).digest();
        assertThat(digest).matches("[0-9a-f]{64}").isEqualTo(new Snapshot(backwards).digest());
        assertThat(new Snapshot(other).digest()).isNotEqualTo(digest);
        assertThat(new Snapshot(backwards).tensors().firstKey()).isEqualTo(Path.of("a/w"));
    }
}
