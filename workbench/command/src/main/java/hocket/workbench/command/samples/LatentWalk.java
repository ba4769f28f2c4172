package hocket.workbench.command.samples;

import hocket.gan.data.ImageGrid;
import hocket.programs.Session;
import hocket.schedulers.rings.Interpolation;
import hocket.scopes.Shape;
import hocket.workbench.pictures.plot.Animation;
import hocket.workbench.terminal.NumberFormats;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * A film of samples on the way from draw to draw of the noise and back to the first one, so that it loops. Samples of all
 * labels are beside one another.
 *
 * @param interpolation the ways
 * @param draws the number of draws, at least 2
 */
public record LatentWalk(Interpolation interpolation, int draws) {
    private static final int HUNDREDTHS = 8; // of a second, a frame
    private static final int LARGEST_IMAGE = 168;
    private static final int WIDE = 480;

    /** @throws IllegalArgumentException if there are fewer than two draws */
    public LatentWalk {
        if (draws < 2) {
            throw new IllegalArgumentException("--count: must be at least 2 for a film, was " + draws);
        }
    }

    /** Returns the number of samples of all frames. */
    public long samples() {
        return interpolation.framesOfAWalk(draws) * interpolation.samplesOfAFrame();
    }

    /** Returns what the film is, for people. */
    public String described() {
        int cells = interpolation.samplesOfAFrame();
        return NumberFormats.counted(interpolation.framesOfAWalk(draws), "frame") + " of "
                + NumberFormats.counted(cells, "sample") + " "
                + interpolation.samples().shape();
    }

    /** Returns the grid of a frame. */
    private ImageGrid grid() {
        Shape image = interpolation.samples().shape();
        int columns = columns(interpolation.samplesOfAFrame());
        int scale = Math.max(1, Math.min(LARGEST_IMAGE / image.get(1), WIDE / (columns * image.get(2))));
        return new ImageGrid(columns, Math.min(3, scale), scale);
    }

    /** Returns columns for about as many rows; no cell of the last row stays empty if few more columns suffice. */
    private static int columns(int samples) {
        int least = (int) Math.ceil(Math.sqrt(samples));
        return IntStream.rangeClosed(least, 2 * least)
                .filter(columns -> samples % columns == 0)
                .findFirst()
                .orElse(least);
    }

    /**
     * Checks that a frame is not too large, before anything is drawn.
     *
     * @throws IllegalArgumentException if it is
     */
    public void requireFits() {
        Shape image = interpolation.samples().shape();
        grid().requireFits(interpolation.samplesOfAFrame(), image.get(1), image.get(2));
    }

    /**
     * Draws the film as GIF.
     *
     * @param drawn is told the numbers of pixels that were drawn
     */
    public byte[] film(Session session, Consumer<float[]> drawn) {
        Shape image = interpolation.samples().shape();
        float[] frame = new float[interpolation.samplesOfAFrame() * image.size()];
        int[] filled = {0};
        try (Animation film = new Animation(HUNDREDTHS)) {
            interpolation.walk(session, draws, some -> {
                for (int from = 0; from < some.length; ) {
                    int taken = Math.min(some.length - from, frame.length - filled[0]);
                    System.arraycopy(some, from, frame, filled[0], taken);
                    from += taken;
                    filled[0] += taken;
                    if (filled[0] == frame.length) {
                        film.add(grid().draw(frame, image.get(0), image.get(1), image.get(2)), HUNDREDTHS);
                        filled[0] = 0;
                    }
                }
                drawn.accept(some);
            });
            return film.bytes();
        }
    }
}
