package hocket.scopes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.ReadOnlyBufferException;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class TensorTest {
    @Test
    void itsTypeIsThatOfItsValues() {
        assertThat(Tensor.of(Shape.of(2), 1f, 2f).type()).isEqualTo(ElementType.FLOAT32);
        assertThat(Tensor.of(Shape.of(2), 1.0, 2.0).type()).isEqualTo(ElementType.FLOAT64);
        assertThat(Tensor.of(Shape.of(2), 1L, 2L).type()).isEqualTo(ElementType.INT64);
    }

    @Test
    void itPrintsTypeAndShapeThenItsValuesAsTheyNest() {
        assertThat(Tensor.of(Shape.of(2), 1f, -0.1f)).hasToString("FLOAT32(2) [1.0, -0.1]");
        assertThat(Tensor.of(Shape.of(2, 2), 1.0, Double.NaN, 1e300, 0.1))
                .hasToString("FLOAT64(2,2) [[1.0, NaN], [1.0E300, 0.1]]");
        assertThat(Tensor.of(Shape.of(1, 2, 1), Long.MAX_VALUE, -2L))
                .hasToString("INT64(1,2,1) [[[9223372036854775807], [-2]]]");
        assertThat(Tensor.of(Shape.scalar(), 2.5f)).hasToString("FLOAT32() 2.5");
    }

    @Test
    void aLargeOnePrintsTheEndsOfItsAxesOnOneLine() {
        long[] counted = LongStream.range(0, 101).toArray();
        assertThat(Tensor.of(Shape.of(101), counted)).hasToString("INT64(101) [0, 1, 2, …, 98, 99, 100]");
        assertThat(Tensor.of(Shape.of(10, 10), LongStream.range(0, 100).toArray()))
                .asString()
                .startsWith("INT64(10,10) [[0, 1, 2, 3, 4, 5, 6, 7, 8, 9], [10, ")
                .endsWith(" 98, 99]]");
        assertThat(Tensor.of(Shape.of(3, 50), LongStream.range(0, 150).toArray()))
                .hasToString("INT64(3,50) [[0, 1, 2, …, 47, 48, 49], …, [100, 101, 102, …, 147, 148, 149]]");
        assertThat(Tensor.of(Shape.of(64, 3, 32, 32), new float[64 * 3 * 32 * 32])
                        .toString())
                .hasSizeLessThan(400)
                .doesNotContain("\n");
    }

    @Test
    void valuesComeBackAsTheyWereGiven() {
        assertThat(Tensor.of(Shape.of(2, 2), 1f, -2f, 3f, 0.1f).floats()).containsExactly(1f, -2f, 3f, 0.1f);
        assertThat(Tensor.of(Shape.of(2), 0.1, Double.NaN).doubles()).containsExactly(0.1, Double.NaN);
        assertThat(Tensor.of(Shape.of(2), 3L, -4L).doubles()).containsExactly(3, -4);
        assertThat(Tensor.of(Shape.of(2), 0.1, 1e300).floats()).containsExactly(0.1f, Float.POSITIVE_INFINITY);
        assertThat(Tensor.of(Shape.of(3), 5f, 6f, 7f).get(2)).isEqualTo(7);
    }

    @Test
    void whatItIsMadeFromAndWhatItGivesAreCopies() {
        float[] values = {1, 2};
        Tensor tensor = Tensor.of(Shape.of(2), values);
        values[0] = 9;
        tensor.floats()[0] = 9;
        tensor.doubles()[0] = 9;
        assertThat(tensor.floats()).containsExactly(1, 2);
        assertThatThrownBy(() -> tensor.buffer().putFloat(0, 9)).isInstanceOf(ReadOnlyBufferException.class);
    }

    @Test
    void aCopyOfABufferLeavesTheBufferAsItIs() {
        ByteBuffer buffer = ByteBuffer.allocateDirect(16).order(ByteOrder.nativeOrder());
        buffer.putFloat(4, 1.5f).putFloat(8, 2.5f).position(4).limit(12);
        Tensor tensor = Tensor.copyOf(Shape.of(2), ElementType.FLOAT32, buffer);
        buffer.putFloat(4, 9);
        assertThat(tensor.floats()).containsExactly(1.5f, 2.5f);
        assertThat(buffer.position()).isEqualTo(4);
        assertThat(buffer.limit()).isEqualTo(12);
        assertThat(tensor.buffer().order()).isEqualTo(ByteOrder.nativeOrder());
        assertThat(tensor.buffer().remaining()).isEqualTo(8);
    }

    @Test
    void aCountThatIsNotTheShapesIsRefused() {
        assertThatThrownBy(() -> Tensor.of(Shape.of(2, 2), 1f))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("FLOAT32(2,2) has 4 elements, got 1");
        assertThatThrownBy(() -> Tensor.copyOf(Shape.of(2), ElementType.FLOAT64, ByteBuffer.allocate(8)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("FLOAT64(2) has 16 bytes, got 8");
    }

    @Test
    void anElementThatIsNotThereIsRefused() {
        assertThatThrownBy(() -> Tensor.of(Shape.of(2), 1f, 2f).get(2)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> Tensor.of(Shape.of(2), 1f, 2f).get(-1)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void onlyOneNumberIsAScalar() {
        assertThat(Tensor.of(Shape.scalar(), 2.5f).scalar()).isEqualTo(2.5);
        assertThat(Tensor.of(Shape.of(1, 1), 2.5).scalar()).isEqualTo(2.5);
        assertThatThrownBy(() -> Tensor.of(Shape.of(2), 1f, 2f).scalar())
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("FLOAT32(2) is not a single number, it has 2");
    }

    @Test
    void equalMeansEveryBit() {
        Tensor tensor = Tensor.of(Shape.of(2), 0.0f, Float.NaN);
        assertThat(Tensor.of(Shape.of(2), 0.0f, Float.NaN)).isEqualTo(tensor).hasSameHashCodeAs(tensor);
        assertThat(Tensor.of(Shape.of(2), -0.0f, Float.NaN)).isNotEqualTo(tensor);
        assertThat(Tensor.of(Shape.of(1, 2), 0.0f, Float.NaN)).isNotEqualTo(tensor);
        assertThat(Tensor.of(Shape.of(1), 0L)).isNotEqualTo(Tensor.of(Shape.of(1), 0.0));
    }
}
