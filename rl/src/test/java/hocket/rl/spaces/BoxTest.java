package hocket.rl.spaces;

import static org.assertj.core.api.Assertions.assertThat;

import hocket.rl.random.Pcg64;
import hocket.scopes.Shape;
import org.junit.jupiter.api.Test;

/** Tests boxes of whole numbers; those of real ones are compared with Gymnasium's in {@code GoldenGeneratorTest}. */
class BoxTest {
    private static final Box PICTURE = new Box(new float[] {0, 0, 250}, new float[] {255, 3, 255}).whole();

    /** The samples are those of Gymnasium 1.4.0: {@code Box([0, 0, 250], [255, 3, 255], dtype=uint8)} of seed 42. */
    @Test
    void wholeNumbersAreSampledAsByGymnasium() {
        Pcg64 random = Pcg64.of(42);
        assertThat(PICTURE.sample(random)).containsExactly(198, 1, 255);
        assertThat(PICTURE.sample(random)).containsExactly(178, 0, 255);
        assertThat(PICTURE.sample(random)).containsExactly(194, 3, 250);
        assertThat(PICTURE.sample(random)).containsExactly(115, 1, 255);
    }

    /** The same with {@code Box([-3, 0], [-1, 0], dtype=int32)} of seed 7. */
    @Test
    void negativeWholeNumbersAreRoundedDown() {
        Box negative = new Box(new float[] {-3, 0}, new float[] {-1, 0}).whole();
        Pcg64 random = Pcg64.of(7);
        assertThat(negative.sample(random)).containsExactly(-2, 0);
        assertThat(negative.sample(random)).containsExactly(-1, 0);
        assertThat(negative.sample(random)).containsExactly(-3, 0);
    }

    @Test
    void aBoxOfWholeNumbersContainsNoOthers() {
        assertThat(PICTURE.contains(new float[] {0, 3, 255}, 0)).isTrue();
        assertThat(PICTURE.contains(new float[] {0, 2.5f, 255}, 0)).isFalse();
        assertThat(PICTURE.contains(new float[] {0, Float.NaN, 255}, 0)).isFalse();
        assertThat(PICTURE).isNotEqualTo(new Box(new float[] {0, 0, 250}, new float[] {255, 3, 255}));
    }

    @Test
    void onlyWholeNumbersUpTo255AreBytes() {
        assertThat(PICTURE.isBytes()).isTrue();
        assertThat(PICTURE.arranged(Shape.of(2, 2), i -> 1).isBytes()).isTrue();
        assertThat(Box.of(2, 0, 255).isBytes()).isFalse();
        assertThat(Box.of(2, 0, 256).whole().isBytes()).isFalse();
        assertThat(Box.of(2, -1, 1).whole().isBytes()).isFalse();
        assertThat(PICTURE.spansBytes()).isFalse();
        assertThat(Box.of(2, 0, 1).whole().spansBytes()).isFalse();
        assertThat(Box.of(2, 0, 255).spansBytes()).isTrue();
    }
}
