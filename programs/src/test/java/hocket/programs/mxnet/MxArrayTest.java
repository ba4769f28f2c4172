package hocket.programs.mxnet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hocket.scopes.Device;
import hocket.scopes.ElementType;
import hocket.scopes.Shape;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("engine")
class MxArrayTest {
    @ParameterizedTest
    @EnumSource
    void aNewArrayIsZeroEvenWhereMemoryWasUsedBefore(ElementType type) {
        Shape shape = Shape.of(3, 1000);
        for (int i = 0; i < 3; i++) {
            Device.Array array = MxDevice.MEMORY.allocate(shape, type);
            ByteBuffer buffer = array.buffer();
            assertThat(buffer.position()).isZero();
            assertThat(buffer.limit()).isEqualTo(3000 * type.bytes());
            assertThat(buffer.order()).isEqualTo(ByteOrder.nativeOrder());
            while (buffer.hasRemaining()) {
                assertThat(buffer.get()).isZero();
            }
            buffer.clear();
            while (buffer.hasRemaining()) {
                buffer.put((byte) 7);
            }
            array.close();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 15, 17, 1000, 600_000})
    void arraysBeginAtACacheLine(int elements) {
        try (Device.Array array = MxDevice.MEMORY.allocate(Shape.of(elements), ElementType.FLOAT32)) {
            assertThat(array.buffer().alignmentOffset(0, 64)).isZero();
        }
    }

    @Test
    void aScalarIsOneElement() {
        MxArray scalar = MxArray.create(Shape.scalar(), ElementType.FLOAT64);
        assertThat(scalar.shape()).isEqualTo(Shape.scalar());
        assertThat(scalar.buffer().remaining()).isEqualTo(8);
        scalar.close();
    }

    @Test
    void theBufferStartsAnewAtEveryAccessAndIsTheSameObject() {
        MxArray array = Arrays.floats(Shape.of(2), 1, 2);
        ByteBuffer buffer = array.buffer();
        buffer.position(4).order(ByteOrder.BIG_ENDIAN).limit(4);
        assertThat(array.buffer()).isSameAs(buffer);
        assertThat(array.buffer().remaining()).isEqualTo(8);
        assertThat(Arrays.read(array)).containsExactly(1, 2);
    }

    @Test
    void aClosedArrayNamesItselfAndMayBeClosedAgain() {
        MxArray array = Arrays.zeros(Shape.of(4, 64));
        array.close();
        array.close();
        assertThatThrownBy(array::buffer)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("array (4,64) of FLOAT32 is closed");
    }

    @Test
    void anArrayTooLargeForABufferIsRefused() {
        assertThatThrownBy(() -> MxArray.create(Shape.of(300_000_000), ElementType.FLOAT64))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("(300000000) of FLOAT64 has 2400000000 bytes; an array may have at most 2147483647");
    }
}
