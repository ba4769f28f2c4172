package hocket.workbench.plot;

import hocket.schedulers.checkpoint.Reason;
import hocket.schedulers.checkpoint.WholeFile;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.imageio.ImageIO;

/** A run's sample grids one after another: an animated GIF that begins anew when it ends. */
public final class SampleFilm {
    private static final Pattern GRID = Pattern.compile("(?:epoch|round)-(\\d+)(?:-round-(\\d+))?\\.png");

    // in hundredths of a second, as GIF counts
    private static final int WHOLE = 600;
    private static final int SHORTEST = 8;
    private static final int LONGEST = 50;
    private static final int LAST = 200;

    private SampleFilm() {}

    /**
     * Makes a film of a run's grids {@code epoch-*.png} or {@code round-*.png} in the order of their numbers, 6 seconds long where that
     * lets each be seen for 0.08 to 0.5 seconds; the last stays for 2 seconds.
     *
     * @param samples the folder of the grids
     * @param file where to, over what is there
     * @return the file; empty if there are fewer than two grids
     * @throws IllegalArgumentException if a grid is no picture, or is not as large as the first; the message names it
     * @throws UncheckedIOException if a file cannot be read or written
     */
    public static Optional<Path> write(Path samples, Path file) {
        try {
            List<Path> grids = grids(samples);
            if (grids.size() < 2) {
                return Optional.empty();
            }
            WholeFile.write(file, film(grids));
            return Optional.of(file);
        } catch (IOException e) {
            throw new UncheckedIOException(file + " could not be made: " + Reason.of(e), e);
        }
    }

    private static List<Path> grids(Path samples) throws IOException {
        if (!Files.isDirectory(samples)) {
            return List.of();
        }
        try (Stream<Path> entries = Files.list(samples)) {
            return entries.filter(entry -> number(entry, 1) >= 0)
                    .sorted(Comparator.<Path>comparingLong(entry -> number(entry, 1))
                            .thenComparingLong(entry -> number(entry, 2))
                            .thenComparing(Comparator.naturalOrder()))
                    .toList();
        }
    }

    /** A grid's, of the place or of the round within it; -1 for other files, and for the first of a place. */
    private static long number(Path grid, int group) {
        Matcher matcher = GRID.matcher(String.valueOf(grid.getFileName()));
        return matcher.matches() && matcher.group(group) != null ? Long.parseLong(matcher.group(group)) : -1;
    }

    private static byte[] film(List<Path> grids) throws IOException {
        int delay = Math.max(SHORTEST, Math.min(LONGEST, WHOLE / grids.size()));
        try (Animation film = new Animation(LAST)) {
            for (Path grid : grids) {
                BufferedImage frame = ImageIO.read(grid.toFile());
                if (frame == null) {
                    throw new IllegalArgumentException(grid + " is no picture");
                }
                if (!film.fits(frame)) {
                    throw new IllegalArgumentException(grid + " is " + Animation.size(frame) + ", and " + grids.get(0)
                            + " " + film.size() + ": a film's pictures are of one size");
                }
                film.add(frame, delay);
            }
            return film.bytes();
        }
    }
}
