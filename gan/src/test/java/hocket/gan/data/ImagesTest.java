package hocket.gan.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.LongBuffer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ImagesTest {
    /** Three images (1, 1, 2). */
    private static Images three() {
        return Images.of(1, 1, 2, new float[] {-1, -0.5f, 0, 0.25f, 0.5f, 1});
    }

    @Test
    void aSetKnowsItsExtents() {
        Images images = Images.of(3, 2, 1, new float[12]);

        assertThat(images.count()).isEqualTo(2);
        assertThat(images.channels()).isEqualTo(3);
        assertThat(images.height()).isEqualTo(2);
        assertThat(images.width()).isEqualTo(1);
        assertThat(images.valuesPerImage()).isEqualTo(6);
        assertThat(images).hasToString("2 images of (3,2,1), no labels");
        assertThat(images.withLabels(new int[] {0, 4})).hasToString("2 images of (3,2,1), 5 classes");
    }

    @Test
    void aSetIsImmutable() {
        float[] given = {-1, 0, 1, 0};
        int[] labels = {0, 1};
        Images images = Images.of(1, 1, 2, given).withLabels(labels);

        given[0] = 9;
        labels[0] = 9;
        images.pixels()[1] = 9;
        images.image(0)[1] = 9;
        images.labels()[1] = 9;

        assertThat(images.pixels()).containsExactly(-1, 0, 1, 0);
        assertThat(images.labels()).containsExactly(0, 1);
    }

    @Test
    void aBatchIsGatheredInTheOrderOfItsRowsIntoHeapAndNativeBuffers() {
        int[] rows = {2, 0, 2, 1};
        FloatBuffer heap = FloatBuffer.allocate(8).position(2);
        FloatBuffer natively = ByteBuffer.allocateDirect(32)
                .order(ByteOrder.nativeOrder())
                .asFloatBuffer()
                .position(2);

        three().gather(rows, 3, heap);
        three().gather(rows, 3, natively);

        assertThat(heap.position()).isEqualTo(8);
        assertThat(heap.array()).containsExactly(0, 0, 0.5f, 1, -1, -0.5f, 0.5f, 1);
        assertThat(natively.flip()).isEqualTo(heap.flip());
    }

    @Test
    void labelsAreGatheredWithTheirImages() {
        LongBuffer out = LongBuffer.allocate(3);

        three().withLabels(new int[] {7, 8, 9}).gatherLabels(new int[] {2, 0, 2}, 3, out);

        assertThat(out.array()).containsExactly(9, 7, 9);
    }

    @Test
    void gatheringAllocatesNothing() {
        Images images = three().withLabels(new int[] {0, 1, 2});
        int[] rows = {2, 0, 2, 1};
        FloatBuffer out =
                ByteBuffer.allocateDirect(32).order(ByteOrder.nativeOrder()).asFloatBuffer();
        LongBuffer labels = LongBuffer.allocate(4);
        Runnable thousand = () -> {
            for (int i = 0; i < 1000; i++) {
                images.gather(rows, 4, out.clear());
                images.gatherLabels(rows, 4, labels.clear());
            }
        };
        thousand.run();

        assertThat(Allocation.of(thousand)).isLessThan(4_000);
    }

    @Test
    void aBatchThatDoesNotFitIsRefusedBeforeAnythingIsCopied() {
        FloatBuffer small = FloatBuffer.allocate(3);

        assertThatThrownBy(() -> three().gather(new int[] {0, 1}, 2, small))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a batch of 2 images needs room for 4 values, the buffer has 3");
        assertThat(small.position()).isZero();
        assertThatThrownBy(() -> three().gather(new int[] {0}, 2, FloatBuffer.allocate(9)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a batch of 2 images names only 1 rows");
        assertThatThrownBy(() -> three().gather(new int[] {3}, 1, FloatBuffer.allocate(9)))
                .isInstanceOf(IndexOutOfBoundsException.class)
                .hasMessage("image 3 of a set of 3");
        assertThatThrownBy(() -> three().image(-1)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void pixelsOutsideTheRangeAreRefusedNamingThePlace() {
        for (float wrong : new float[] {1.5f, -1.01f, Float.NaN, Float.POSITIVE_INFINITY}) {
            assertThatThrownBy(() -> Images.of(1, 1, 2, new float[] {0, 0, 0, wrong}))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("pixels of images must be in -1..1: " + wrong + " in image 1 at element 1");
        }
    }

    @Test
    void extentsThatDoNotFitThePixelsAreRefused() {
        assertThatThrownBy(() -> Images.of(1, 2, 2, new float[6]))
                .hasMessage("images of (1,2,2) need a positive multiple of 4 pixels, got 6");
        assertThatThrownBy(() -> Images.of(1, 2, 2, new float[0])).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Images.of(0, 2, 2, new float[4]))
                .hasMessage("images need at least 1 channel, row and column, got (0,2,2)");
        assertThatThrownBy(() -> Images.of(1 << 16, 1 << 16, 1 << 16, new float[4]))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void labelsThatDoNotFitTheImagesAreRefused() {
        assertThatThrownBy(() -> three().withLabels(new int[2])).hasMessage("3 images need as many labels, got 2");
        assertThatThrownBy(() -> three().withLabels(new int[] {0, 3, 0}, 3))
                .hasMessage("the label of image 1 must be in 0..2, was 3");
        assertThatThrownBy(() -> three().withLabels(new int[] {0, 0, -1}))
                .hasMessage("the label of image 2 must be in 0..0, was -1");
        assertThatThrownBy(() -> three().withLabels(new int[] {0, 0, Integer.MAX_VALUE}))
                .hasMessage("the label of image 2 must be in 0..65535, was 2147483647");
        assertThatThrownBy(() -> three().withLabels(new int[3], 0)).hasMessage("classes must be in 1..65536, was 0");
    }

    @Test
    void aSetWithoutLabelsHasNone() {
        assertThat(three().isLabelled()).isFalse();
        assertThat(three().classes()).isZero();
        assertThatThrownBy(() -> three().labels())
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("these images have no labels: 3 images of (1,1,2), no labels");
        assertThatThrownBy(() -> three().gatherLabels(new int[1], 1, LongBuffer.allocate(1)))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void aSpreadOfASetSortedByClassHoldsEveryClass() {
        int[] labels = {0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2};
        float[] pixels = new float[12];
        for (int i = 0; i < 12; i++) {
            pixels[i] = i / 12f;
        }
        Images all = Images.of(1, 1, 1, pixels).withLabels(labels);
        Images spread = all.spread(3);
        assertThat(spread.labels()).containsExactly(0, 1, 2);
        assertThat(spread.pixels()).isEqualTo(all.spread(3).pixels()).isSorted();
        assertThat(all.spread(12)).isSameAs(all);
        assertThatThrownBy(() -> spread.spread(4)).hasMessageContaining("1..3");
    }

    @Test
    void aSpreadOfRowsWhoseClassesTakeTurnsKeepsTheirShares() {
        for (int count : new int[] {4000, 10_000, 20_000, 50_000}) {
            int[] rows = Images.spread(2000, count);
            assertThat(rows).isSorted().doesNotHaveDuplicates();
            for (int label = 0; label < 10; label++) {
                int asked = label;
                long found = IntStream.of(rows).filter(row -> row % 10 == asked).count();
                assertThat(found).as("label %d of %d", label, count).isBetween(150L, 250L);
            }
        }
    }

    @Test
    void imagesAreGreyIfAllTheirChannelsAreEqual() {
        Images grey = Images.of(3, 1, 2, new float[] {0.1f, 0.2f, 0.1f, 0.2f, 0.1f, 0.2f});
        assertThat(grey.isGrey()).isTrue();
        assertThat(grey.firstChannel().pixels()).containsExactly(0.1f, 0.2f);
        assertThat(Images.of(3, 1, 2, new float[] {0.1f, 0.2f, 0.1f, 0.2f, 0.1f, 0.3f})
                        .isGrey())
                .isFalse();
    }

    @Test
    void selectedImagesComeInTheGivenOrderWithTheirLabels() {
        Images images = Images.of(1, 1, 1, new float[] {0, 0.5f, 1}).withLabels(new int[] {2, 0, 1}, 4);
        Images some = images.at(2, 0, 2);
        assertThat(some.pixels()).containsExactly(1, 0, 1);
        assertThat(some.labels()).containsExactly(1, 2, 1);
        assertThat(some.classes()).isEqualTo(4);
        assertThatThrownBy(() -> images.at()).hasMessage("at(rows) needs at least one row");
        assertThatThrownBy(() -> images.at(3)).hasMessage("image 3 of a set of 3");
    }
}
