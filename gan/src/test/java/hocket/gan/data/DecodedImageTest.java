package hocket.gan.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.awt.image.BufferedImage;
import java.awt.image.IndexColorModel;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.zip.CRC32;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DecodedImageTest {
    private static byte[] bytes(String name) throws IOException {
        return Files.readAllBytes(GoldenFiles.resource(name));
    }

    @ParameterizedTest
    @ValueSource(strings = {"grey-8.png", "palette-4.png", "rgba.png", "grey.jpg", "rgb.jpg", "progressive.jpeg"})
    void anImageFileTruncatedAtAnyByteIsRefused(String name) throws IOException {
        byte[] whole = bytes("pictures/" + name);
        for (int length = 0; length < whole.length; length++) {
            byte[] cut = Arrays.copyOf(whole, length);

            assertThatThrownBy(() -> DecodedImage.decode(name, cut))
                    .as("%s cut at %d", name, length)
                    .isInstanceOf(DataException.class)
                    .hasMessageStartingWith(
                            name + (length < (name.endsWith("png") ? 8 : 2) ? ": is neither" : ": the "))
                    .hasMessageFindingMatch("is cut|is neither"); // found by us, not by luck of the decoder
        }
    }

    @Test
    void aPaletteIsTransparentWhereItsTransparentColourIsUsed() throws IOException {
        byte[] grey = {0, 100, (byte) 200};
        byte[] alpha = {(byte) 255, 0, (byte) 254};
        IndexColorModel palette = new IndexColorModel(8, 3, grey, grey, grey, alpha);
        BufferedImage image = new BufferedImage(5, 3, BufferedImage.TYPE_BYTE_INDEXED, palette);
        assertThat(decoded(image).transparent).isFalse();
        image.getRaster().setSample(4, 2, 0, 2);
        assertThat(decoded(image).transparent).isTrue();
    }

    private static DecodedImage decoded(BufferedImage image) throws IOException {
        ByteArrayOutputStream written = new ByteArrayOutputStream();
        ImageIO.write(image, "png", written);
        return DecodedImage.decode("palette.png", written.toByteArray());
    }

    @ParameterizedTest
    @ValueSource(strings = {"grey-8.png", "palette-4.png", "rgb.png"})
    void aPngWithAnyByteChangedIsRefused(String name) throws IOException {
        byte[] whole = bytes("pictures/" + name);
        for (int at = 0; at < whole.length; at++) {
            byte[] changed = whole.clone();
            changed[at] ^= 0x40;

            assertThatThrownBy(() -> DecodedImage.decode(name, changed))
                    .as("%s changed at %d", name, at)
                    .isInstanceOf(DataException.class);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"grey.jpg", "rgb.jpg", "progressive.jpeg"})
    void aJpegWithAnyByteChangedIsReadOrRefused(String name) throws IOException {
        byte[] whole = bytes("pictures/" + name);
        for (int at = 0; at < whole.length; at++) {
            for (int flip : new int[] {0x01, 0x40, 0xff}) {
                byte[] changed = whole.clone();
                changed[at] ^= (byte) flip;
                try {
                    DecodedImage picture = DecodedImage.decode(name, changed);
                    float[][] row = new float[3][picture.width()];
                    picture.row(picture.height() - 1, row);
                } catch (DataException refused) {
                    assertThat(refused).hasMessageStartingWith(name + ": ");
                }
            }
        }
    }

    @Test
    void aJpegWhoseScanIsCutButThatHasItsEndMarkerIsRefused() throws IOException {
        byte[] whole = bytes("pictures/rgb.jpg");
        byte[] cut = Arrays.copyOf(whole, whole.length - 20);
        cut[cut.length - 2] = (byte) 0xff;
        cut[cut.length - 1] = (byte) 0xd9;

        assertThatThrownBy(() -> DecodedImage.decode("x", cut))
                .isInstanceOf(DataException.class)
                .hasMessageStartingWith("x: the decoder found it broken");
    }

    @Test
    void aPngWhoseDataIsShortButWhoseChunksAreSoundIsRefused() throws IOException {
        byte[] whole = bytes("pictures/rgb.png");
        int start = indexOf(whole, "IDAT");
        int length = ByteBuffer.wrap(whole).getInt(start - 4);
        byte[] data = Arrays.copyOfRange(whole, start + 4, start + 4 + length / 2);
        ByteBuffer cut = ByteBuffer.allocate(whole.length);
        cut.put(whole, 0, start - 4);
        putChunk(cut, "IDAT", data);
        putChunk(cut, "IEND", new byte[0]);

        assertThatThrownBy(() -> DecodedImage.decode("x", Arrays.copyOf(cut.array(), cut.position())))
                .isInstanceOf(DataException.class)
                .hasMessageStartingWith("x: ");
    }

    @Test
    void anImageThatClaimsToBeHugeIsRefusedFromItsHeader() throws IOException {
        assertRefusedFromItsHeader(
                claiming(50_000, 60_000),
                "is 60000 x 50000 (height x width), that is 3000000000 pixels; at most 67108864 are decoded");
    }

    @Test
    void anImageThatClaimsMorePixelsThanItsBytesHoldIsRefusedFromItsHeader() throws IOException {
        byte[] png = claiming(8000, 8000);
        assertRefusedFromItsHeader(
                png,
                "is 8000 x 8000 (height x width), that is 64000000 pixels; its " + png.length
                        + " bytes cannot hold more than " + png.length * 8256);
        byte[] jpeg = bytes("pictures/grey.jpg");
        int frame = indexOf(jpeg, "\u00ff\u00c0");
        ByteBuffer.wrap(jpeg).putShort(frame + 5, (short) 8000).putShort(frame + 7, (short) 8000);
        assertRefusedFromItsHeader(
                jpeg,
                "is 8000 x 8000 (height x width), that is 64000000 pixels; its " + jpeg.length
                        + " bytes cannot hold more than " + jpeg.length * 512);
    }

    /** A small PNG whose header says something else, with the checksum that belongs to it. */
    private static byte[] claiming(int width, int height) throws IOException {
        byte[] png = bytes("pictures/grey-8.png");
        ByteBuffer bomb = ByteBuffer.wrap(png).putInt(16, width).putInt(20, height);
        CRC32 crc = new CRC32();
        crc.update(png, 12, 17);
        bomb.putInt(29, (int) crc.getValue());
        return png;
    }

    private static void assertRefusedFromItsHeader(byte[] picture, String reason) {
        long allocated = Allocation.of(() -> assertThatThrownBy(() -> DecodedImage.decode("x", picture))
                .isInstanceOf(DataException.class)
                .hasMessage("x: " + reason));

        assertThat(allocated).isLessThan(4 << 20);
    }

    @Test
    void otherFormatsThanPngAndJpegAreRefusedWhateverTheirName() {
        assertThatThrownBy(() -> DecodedImage.decode("a.png", "GIF89a".getBytes(StandardCharsets.US_ASCII)))
                .isInstanceOf(DataException.class)
                .hasMessage("a.png: is neither a PNG (89 50 4e 47 0d 0a 1a 0a) nor a JPEG image (ff d8): it starts with"
                        + " 47 49 46 38 39 61");
        assertThatThrownBy(() -> DecodedImage.decode("a.png", new byte[0])).hasMessageEndingWith("it is empty");
    }

    @Test
    void aJpegInPrintersColoursIsRefused() throws IOException {
        byte[] cmyk = bytes("cmyk.jpg");
        assertThatThrownBy(() -> DecodedImage.decode("x", cmyk))
                .isInstanceOf(DataException.class)
                .hasMessage("x: is in CMYK; grey and RGB pictures are read");
    }

    @Test
    void bytesAfterTheEndOfAnImageAreIgnored() throws IOException {
        for (String name : new String[] {"pictures/rgb.jpg", "pictures/rgb.png"}) {
            byte[] whole = bytes(name);
            assertThat(DecodedImage.decode("x", Arrays.copyOf(whole, whole.length + 7))
                            .width())
                    .isEqualTo(9);
        }
    }

    private static void putChunk(ByteBuffer out, String type, byte[] data) {
        byte[] name = type.getBytes(StandardCharsets.US_ASCII);
        CRC32 crc = new CRC32();
        crc.update(name);
        crc.update(data);
        out.putInt(data.length).put(name).put(data).putInt((int) crc.getValue());
    }

    private static int indexOf(byte[] bytes, String type) {
        return new String(bytes, StandardCharsets.ISO_8859_1).indexOf(type);
    }
}
