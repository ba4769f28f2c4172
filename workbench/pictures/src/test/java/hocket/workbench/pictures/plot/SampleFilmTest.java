package hocket.workbench.pictures.plot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hocket.workbench.testing.SyntheticRun;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.imageio.ImageIO;
import javax.imageio.ImageReader;
import javax.imageio.metadata.IIOMetadataNode;
import javax.imageio.stream.ImageInputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SampleFilmTest {
    @TempDir
    private Path here;

    private SyntheticRun run;

    @BeforeEach
    void makeRun() throws IOException {
        run = SyntheticRun.in(here.resolve("run"));
    }

    private record Frame(int delay, int grey, boolean loops) {}

    @Test
    void gridsFollowOneAnotherByNumberAndTheLastIsHeld() throws IOException {
        run.samples("epoch-10000.png", 1).samples("epoch-0020.png", 0).samples("epoch-0003.png", -1);
        run.samples("latest.png", 1);
        assertThat(film())
                .containsExactly(new Frame(50, 0, true), new Frame(50, 128, false), new Frame(200, 255, false));
    }

    @Test
    void thoseOfOneEpochFollowByTheirRound() throws IOException {
        run.samples("epoch-0002-round-000080.png", 1).samples("epoch-0002.png", -1);
        run.samples("epoch-0002-round-000070.png", 0);
        assertThat(film()).extracting(Frame::grey).containsExactly(0, 128, 255);
    }

    @Test
    void manyGridsAreShownFaster() throws IOException {
        for (int i = 0; i < 60; i++) {
            run.samples(String.format("round-%06d.png", i), 0);
        }
        assertThat(film().get(0).delay()).isEqualTo(10);
    }

    @Test
    void oneGridMakesNoFilm() throws IOException {
        run.samples("epoch-0003.png", 0).samples("latest.png", 0);
        Path file = here.resolve("samples.gif");
        assertThat(SampleFilm.write(run.folder().resolve("samples"), file)).isEmpty();
        assertThat(SampleFilm.write(here.resolve("none"), file)).isEmpty();
        assertThat(file).doesNotExist();
    }

    @Test
    void aGridThatIsNoPictureIsNamed() throws IOException {
        run.samples("epoch-0001.png", 0);
        Path broken = Files.writeString(run.folder().resolve("samples/epoch-0002.png"), "?");
        assertThatThrownBy(this::film).hasMessage(broken + " is not a picture");
    }

    @Test
    void gridsOfTwoSizesAreRefused() throws IOException {
        run.samples("epoch-0001.png", 0);
        Path other = run.folder().resolve("samples/epoch-0002.png");
        ImageIO.write(new BufferedImage(3, 5, BufferedImage.TYPE_INT_RGB), "png", other.toFile());
        assertThatThrownBy(this::film).hasMessageStartingWith(other + " is 3 x 5, and ");
    }

    private List<Frame> film() throws IOException {
        Path file = SampleFilm.write(run.folder().resolve("samples"), here.resolve("samples.gif"))
                .orElseThrow();
        List<Frame> frames = new ArrayList<>();
        ImageReader reader = ImageIO.getImageReadersByFormatName("gif").next();
        try (ImageInputStream in = ImageIO.createImageInputStream(file.toFile())) {
            reader.setInput(in);
            for (int i = 0; i < reader.getNumImages(true); i++) {
                IIOMetadataNode tree =
                        (IIOMetadataNode) reader.getImageMetadata(i).getAsTree("javax_imageio_gif_image_1.0");
                IIOMetadataNode control = (IIOMetadataNode)
                        tree.getElementsByTagName("GraphicControlExtension").item(0);
                BufferedImage image = reader.read(i);
                assertThat(image.getWidth()).isEqualTo(10);
                frames.add(new Frame(
                        Integer.parseInt(control.getAttribute("delayTime")),
                        image.getRGB(5, 5) & 0xFF,
                        tree.getElementsByTagName("ApplicationExtension").getLength() == 1));
            }
        } finally {
            reader.dispose();
        }
        return frames;
    }
}
