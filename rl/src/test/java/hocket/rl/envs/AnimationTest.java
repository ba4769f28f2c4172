package hocket.rl.envs;

import static org.assertj.core.api.Assertions.assertThat;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.IntStream;
import javax.imageio.ImageIO;
import javax.imageio.ImageReader;
import javax.imageio.metadata.IIOMetadataNode;
import javax.imageio.stream.ImageInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** How environments look. */
class AnimationTest {
    @TempDir
    Path folder;

    static Set<String> names() {
        return Environments.names();
    }

    @ParameterizedTest
    @MethodSource("names")
    void whatChangesIsSeen(String name) {
        Environment environment = Environments.make(name);
        environment.reset(Pcg64.of(3));
        Pcg64 chooser = Pcg64.of(4);
        int[] before = pixels(environment);
        String text = environment.text();
        assertThat(IntStream.of(before).distinct().count()).isGreaterThan(2);
        boolean otherText = false;
        boolean otherPicture = false;
        for (int i = 0; i < 20 && !environment.terminated(); i++) {
            environment.step(environment.actions().sample(chooser), 0);
            otherText |= !environment.text().equals(text);
            otherPicture |= !Arrays.equals(pixels(environment), before);
        }
        assertThat(otherText).as("another text").isTrue();
        assertThat(otherPicture).as("another picture").isTrue();
    }

    private static int[] pixels(Environment environment) {
        return Animation.picture(environment, 300, 200).getRGB(0, 0, 300, 200, null, 0, 300);
    }

    @Test
    void theAgentOfASmallWorldStandsInBrackets() {
        Environment lake = Environments.make("FrozenLake-v1");
        lake.reset(Pcg64.of(0));
        assertThat(lake.text()).isEqualTo("[S] F  F  F \n F  H  F  H \n F  F  F  H \n H  F  F  G");
        Environment taxi = Environments.make("Taxi-v4");
        taxi.reset(Pcg64.of(0)); // state 314: row 3, column 0, passenger at B, to Y
        assertThat(taxi.text()).contains("\n[ ]|       |       \n").endsWith("passenger at B, to Y");
        Environment blackjack = Environments.make("Blackjack-v1");
        blackjack.reset(Pcg64.of(0));
        assertThat(blackjack.text()).matches("dealer [JQK][♣♦♥♠] \\?\nplayer 7 4 = 11");
    }

    @Test
    void framesBecomeAGifThatRunsForEver() throws IOException {
        Environment acrobot = Environments.make("Acrobot-v1");
        acrobot.reset(Pcg64.of(1));
        Path file = folder.resolve("acrobot.gif");
        try (Animation animation = Animation.gif(file, 120, 100, 0.05)) {
            for (int i = 0; i < 4; i++) {
                animation.add(acrobot);
                acrobot.step(new float[] {2}, 0);
            }
        }
        ImageReader reader = ImageIO.getImageReadersByFormatName("gif").next();
        try (ImageInputStream stream = ImageIO.createImageInputStream(file.toFile())) {
            reader.setInput(stream);
            assertThat(reader.getNumImages(true)).isEqualTo(4);
            assertThat(reader.read(3).getWidth()).isEqualTo(120);
            IIOMetadataNode root =
                    (IIOMetadataNode) reader.getImageMetadata(2).getAsTree("javax_imageio_gif_image_1.0");
            IIOMetadataNode control = (IIOMetadataNode)
                    root.getElementsByTagName("GraphicControlExtension").item(0);
            assertThat(control.getAttribute("delayTime")).isEqualTo("5");
            assertThat(root.getElementsByTagName("ApplicationExtension").getLength())
                    .isEqualTo(1);
        } finally {
            reader.dispose();
        }
    }

    @Test
    void onePictureBecomesAPng() throws IOException {
        Environment pendulum = Environments.make("Pendulum-v1");
        pendulum.reset(Pcg64.of(1));
        Path file = folder.resolve("pendulum.png");
        Animation.png(pendulum, file, 90, 80);
        BufferedImage read = ImageIO.read(file.toFile());
        int[] wanted = Animation.picture(pendulum, 90, 80).getRGB(0, 0, 90, 80, null, 0, 90);
        assertThat(Arrays.equals(read.getRGB(0, 0, 90, 80, null, 0, 90), wanted))
                .isTrue();
    }

    @Test
    void whatIsThereStaysUntilTheFilmIsWhole() throws IOException {
        Path file = Files.writeString(folder.resolve("before.gif"), "the film before");
        try (Animation animation = Animation.gif(file, 12, 10, 0.05)) {
            animation.add(new Pendulum());
            assertThat(file).hasContent("the film before");
        }
        assertThat(Files.readAllBytes(file)).startsWith('G', 'I', 'F');
        assertThat(folder).isDirectoryContaining("glob:**/before.gif").isDirectoryNotContaining("glob:**.unfinished");
    }
}
