package hocket.workbench.pictures.plot;

import hocket.schedulers.checkpoint.AtomicFile;
import hocket.schedulers.checkpoint.DiskFailureText;
import hocket.schedulers.checkpoint.FileWork;
import hocket.workbench.runs.SampleName;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import javax.imageio.ImageIO;

/** Makes an animated GIF of a run's sample grids, which loops. */
public final class SampleFilm {
    private static final String PNG = ".png";

    // in hundredths of a second, as GIF counts
    private static final int WHOLE = 600;
    private static final int SHORTEST = 8;
    private static final int LONGEST = 50;
    private static final int LAST = 200;

    private SampleFilm() {}

    /**
     * Makes a film of a run's grids {@code epoch-*.png} or {@code round-*.png} in the order of their numbers. It is 6
     * seconds long if each grid then has 0.08 to 0.5 seconds; the last one stays for 2 seconds.
     *
     * @param samples the folder of the grids
     * @param file the file, which is replaced
     * @return the file; empty if there are fewer than two grids
     * @throws IllegalArgumentException if a grid is not an image, or its size differs from the first; the message names
     *     it
     * @throws UncheckedIOException if a file cannot be read or written
     */
    public static Optional<Path> write(Path samples, Path file) {
        try {
            List<Path> grids = grids(samples);
            if (grids.size() < 2) {
                return Optional.empty();
            }
            AtomicFile.write(file, film(grids));
            return Optional.of(file);
        } catch (IOException e) {
            throw new UncheckedIOException(file + " could not be made: " + DiskFailureText.ofWriting(e), e);
        }
    }

    private static List<Path> grids(Path samples) throws IOException {
        if (!Files.isDirectory(samples)) {
            return List.of();
        }
        return FileWork.in(samples).stream()
                .filter(entry -> name(entry).isPresent())
                .sorted(Comparator.<Path>comparingLong(
                                entry -> name(entry).orElseThrow().number())
                        .thenComparingLong(
                                entry -> name(entry).orElseThrow().within().orElse(-1))
                        .thenComparing(Comparator.naturalOrder()))
                .toList();
    }

    private static Optional<SampleName> name(Path entry) {
        String file = String.valueOf(entry.getFileName());
        return file.endsWith(PNG) ? SampleName.of(file.substring(0, file.length() - PNG.length())) : Optional.empty();
    }

    private static byte[] film(List<Path> grids) throws IOException {
        int delay = Math.max(SHORTEST, Math.min(LONGEST, WHOLE / grids.size()));
        try (Animation film = new Animation(LAST)) {
            for (Path grid : grids) {
                BufferedImage frame = ImageIO.read(grid.toFile());
                if (frame == null) {
                    throw new IllegalArgumentException(grid + " is not a picture");
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
