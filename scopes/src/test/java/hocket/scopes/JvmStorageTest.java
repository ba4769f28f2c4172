package hocket.scopes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JvmStorageTest {
    private final Storage storage = new JvmStorage();

    @Test
    void arraysAreZerosInDirectMemoryOfNativeOrder() {
        try (Storage.Array array = storage.allocate(Shape.of(2, 3), ElementType.FLOAT64)) {
            assertThat(array.shape()).isEqualTo(Shape.of(2, 3));
            assertThat(array.type()).isEqualTo(ElementType.FLOAT64);
            assertThat(array.buffer().isDirect()).isTrue();
            assertThat(array.buffer().order()).isEqualTo(ByteOrder.nativeOrder());
            assertThat(Tensor.copyOf(array.shape(), array.type(), array.buffer())
                            .doubles())
                    .containsOnly(0);
        }
    }

    @Test
    void theBufferIsWholeAtEveryAccess() {
        try (Storage.Array array = storage.allocate(Shape.of(2), ElementType.FLOAT32)) {
            array.buffer().putFloat(1).putFloat(2);
            assertThat(array.buffer().remaining()).isEqualTo(8);
            assertThat(array.buffer().getFloat(4)).isEqualTo(2);
        }
    }

    @Test
    void aClosedArraySaysSo() {
        Storage.Array array = storage.allocate(Shape.of(2), ElementType.FLOAT32);
        array.close();
        array.close();
        assertThatThrownBy(array::buffer)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("array FLOAT32(2) is closed");
    }

    @Test
    void anArrayLargerThanABufferIsRefused() {
        assertThatThrownBy(() -> storage.allocate(Shape.of(1 << 30), ElementType.FLOAT64))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageEndingWith("; an array may have at most 2147483647");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 15, 16, 17, 1000})
    void arraysBeginAtACacheLine(int elements) {
        try (Storage.Array array = storage.allocate(Shape.of(elements), ElementType.FLOAT32)) {
            assertThat(array.buffer().alignmentOffset(0, 64)).isZero();
            assertThat(array.buffer().capacity()).isEqualTo(4 * elements);
        }
    }
}
