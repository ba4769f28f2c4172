package hocket.scopes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JvmDeviceTest {
    private final Device device = Device.jvm();

    @Test
    void arraysAreZerosInDirectMemoryOfNativeOrder() {
        try (Device.Array array = device.allocate(Shape.of(2, 3), ElementType.FLOAT64)) {
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
        try (Device.Array array = device.allocate(Shape.of(2), ElementType.FLOAT32)) {
            array.buffer().putFloat(1).putFloat(2);
            assertThat(array.buffer().remaining()).isEqualTo(8);
            assertThat(array.buffer().getFloat(4)).isEqualTo(2);
        }
    }

    @Test
    void aClosedArraySaysSo() {
        Device.Array array = device.allocate(Shape.of(2), ElementType.FLOAT32);
        array.close();
        array.close();
        assertThatThrownBy(array::buffer)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("array FLOAT32(2) is closed");
    }

    @Test
    void anArrayLargerThanABufferIsRefused() {
        assertThatThrownBy(() -> device.allocate(Shape.of(1 << 30), ElementType.FLOAT64))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageEndingWith("; an array may have at most 2147483647");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 15, 16, 17, 1000})
    void arraysBeginAtACacheLine(int elements) {
        try (Device.Array array = device.allocate(Shape.of(elements), ElementType.FLOAT32)) {
            assertThat(array.buffer().alignmentOffset(0, 64)).isZero();
            assertThat(array.buffer().capacity()).isEqualTo(4 * elements);
        }
    }

    @Test
    void anArrayOverMemoryIsAsLongAsItAndDirect() {
        ByteBuffer memory = ByteBuffer.allocateDirect(12).order(ByteOrder.nativeOrder());
        Device.Array array = Device.over(memory.slice(4, 8), Shape.of(2), ElementType.FLOAT32);
        array.write(Tensor.of(Shape.of(2), 3f, 4f).buffer());
        assertThat(memory.getFloat(4)).isEqualTo(3);
        assertThat(array.view().floats().get(1)).isEqualTo(4);
        assertThat(array.view()).isSameAs(array.view());
        assertThatThrownBy(() -> Device.over(memory, Shape.of(2), ElementType.FLOAT32))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("array FLOAT32(2) has 8 bytes, got 12");
        assertThatThrownBy(() -> Device.over(ByteBuffer.allocate(8), Shape.of(2), ElementType.FLOAT32))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("must be a direct buffer");
        memory.position(1);
        array.write(memory);
        assertThat(memory.position()).isEqualTo(9);
        assertThatThrownBy(() -> array.write(memory)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThat(memory.position()).isEqualTo(9);
    }
}
