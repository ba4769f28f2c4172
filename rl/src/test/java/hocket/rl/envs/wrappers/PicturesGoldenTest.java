package hocket.rl.envs.wrappers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import hocket.rl.Golden;
import hocket.rl.envs.Environment;
import hocket.rl.envs.Environments;
import hocket.rl.envs.EpisodicEnvironment;
import hocket.rl.envs.RandomPlay;
import hocket.rl.random.Pcg64;
import hocket.rl.spaces.Box;
import hocket.rl.spaces.Discrete;
import hocket.schedulers.state.State;
import hocket.scopes.Shape;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Compares pictures in grey and of other sizes with Gymnasium's. */
class PicturesGoldenTest {
    /** Shows one picture. */
    private static final class Pictures extends EpisodicEnvironment {
        private final float[] picture;

        Pictures(JsonNode tensor) {
            this(Golden.shape(tensor), Golden.floats(tensor));
        }

        Pictures(Shape shape, float[] picture) {
            super("Pictures", bytes(shape), new Discrete(2));
            this.picture = picture;
        }

        private static Box bytes(Shape shape) {
            float[] high = new float[shape.size()];
            Arrays.fill(high, 255);
            return new Box(shape, new float[shape.size()], high).whole();
        }

        @Override
        protected void begin() {}

        @Override
        protected void act(float[] action, int at) {
            outcome(0, true);
        }

        @Override
        public void observe(float[] into, int at) {
            System.arraycopy(picture, 0, into, at, picture.length);
        }

        @Override
        protected State saveOwnState() {
            return State.empty();
        }

        @Override
        protected void restoreOwnState(State state) {}
    }

    static Stream<JsonNode> cases() {
        Stream.Builder<JsonNode> all = Stream.builder();
        Golden.read("pictures.json").get("cases").forEach(all::add);
        return all.build();
    }

    @Tag("golden")
    @ParameterizedTest
    @MethodSource("cases")
    void picturesAreThoseOfGymnasium(JsonNode golden) {
        Environment pictures = new Pictures(golden.get("picture"));
        Shape to = Golden.shape(golden.get("resized"));
        Environment grey = new Greyscale(pictures);
        check("grey", grey, golden.get("grey"), 0);
        check("resized", new Resize(pictures, to.get(0), to.get(1)), golden.get("resized"), 1);
        check("both", new Resize(grey, to.get(0), to.get(1)), golden.get("both"), 1);
    }

    private static void check(String what, Environment environment, JsonNode golden, double most) {
        environment.reset(Pcg64.of(1));
        float[] seen = RandomPlay.observed(environment);
        double[] actual = new double[seen.length];
        Arrays.setAll(actual, i -> seen[i]);
        double[] wanted = Golden.numbers(golden);
        double largest = Arrays.stream(wanted).max().orElse(1);
        Golden.assertNearByMagnitude(what, actual, wanted, most / largest);
    }

    /** Its channels are the first axis once it is grey, though the last one is short, too. */
    @Test
    void aGreyPictureOfFewColumnsKeepsItsRowsAndColumns() {
        Environment grey = new Greyscale(new Pictures(Shape.of(6, 4, 3), new float[6 * 4 * 3]));
        assertThat(new Resize(grey, 3, 2).observations().shape()).isEqualTo(Shape.of(1, 3, 2));
    }

    @Test
    void whatIsNoPictureIsRefused() {
        Environment pole = Environments.make("CartPole-v1");
        assertThatThrownBy(() -> new Greyscale(pole))
                .hasMessageStartingWith("CartPole-v1: pictures must have two or three");
        Environment game = Environments.make("MinAtar/Breakout-v1");
        assertThatThrownBy(() -> new Greyscale(game))
                .hasMessageStartingWith("MinAtar/Breakout-v1: only pictures of three channels become grey");
        assertThatThrownBy(() -> new Resize(game, 20, 10))
                .hasMessage("MinAtar/Breakout-v1: pictures are made smaller only, to 20×10, observations are "
                        + game.observations().shape());
    }
}
