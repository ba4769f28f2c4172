package hocket.scopes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class ShapeTest {
    @Test
    void itsElementsAreTheProductOfItsExtents() {
        Shape shape = Shape.of(64, 1, 4, 4);
        assertThat(shape.size()).isEqualTo(1024);
        assertThat(shape.rank()).isEqualTo(4);
        assertThat(shape.bytes(ElementType.FLOAT64)).isEqualTo(8192);
        assertThat(shape).hasToString("(64,1,4,4)");
    }

    @Test
    void aScalarIsOneElementWithoutAxes() {
        assertThat(Shape.of()).isSameAs(Shape.scalar()).hasToString("()");
        assertThat(Shape.scalar().size()).isEqualTo(1);
        assertThat(Shape.scalar().rank()).isZero();
    }

    @Test
    void aSingleNumberMayHaveAnyNumberOfAxes() {
        assertThat(Shape.ones(0)).isSameAs(Shape.scalar());
        assertThat(Shape.ones(3)).isEqualTo(Shape.of(1, 1, 1));
        assertThatThrownBy(() -> Shape.ones(-1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a shape's rank must be at least 0, was -1");
    }

    @Test
    void anAxisMayCountFromTheEnd() {
        Shape shape = Shape.of(2, 3, 4);
        assertThat(shape.get(0)).isEqualTo(2);
        assertThat(shape.get(-1)).isEqualTo(4);
        assertThat(shape.with(-1, 7)).isEqualTo(Shape.of(2, 3, 7));
        assertThat(shape.with(0, 7)).isEqualTo(Shape.of(7, 3, 4));
        assertThat(shape.prepend(8)).isEqualTo(Shape.of(8, 2, 3, 4));
    }

    @Test
    void anAxisThatIsNotThereIsNamedWithTheShape() {
        for (int axis : new int[] {3, -4}) {
            assertThatThrownBy(() -> Shape.of(2, 3, 4).get(axis))
                    .isInstanceOf(IndexOutOfBoundsException.class)
                    .hasMessage("shape (2,3,4) has 3 axes, there is no axis " + axis);
            assertThatThrownBy(() -> Shape.of(2, 3, 4).with(axis, 1)).isInstanceOf(IndexOutOfBoundsException.class);
        }
    }

    @Test
    void extentsBelowOneAndTooManyElementsAreRefused() {
        assertThatThrownBy(() -> Shape.of(2, 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a shape's extents must be at least 1, got [2, 0]");
        assertThatThrownBy(() -> Shape.of(1 << 16, 1 << 15))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("(65536,32768) has 2147483648 elements; a shape may have at most 2147483647");
        assertThatThrownBy(() -> Shape.of(Integer.MAX_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void moreBytesThanABufferHoldsAreRefused() {
        assertThat(Shape.of(1 << 28).bytes(ElementType.FLOAT32)).isEqualTo(1 << 30);
        assertThatThrownBy(() -> Shape.of(1 << 29).bytes(ElementType.FLOAT32))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("(536870912) of FLOAT32 has 2147483648 bytes; an array may have at most 2147483647");
    }

    @Test
    void itIsAValue() {
        int[] extents = {2, 3};
        Shape shape = Shape.of(extents);
        extents[0] = 9;
        shape.extents()[1] = 9;
        assertThat(shape).isEqualTo(Shape.of(2, 3)).hasSameHashCodeAs(Shape.of(2, 3));
        assertThat(shape).isNotEqualTo(Shape.of(3, 2)).isNotEqualTo(Shape.of(6));
    }
}
