package hocket.workbench.command.samples;

import hocket.programs.Session;
import hocket.schedulers.formats.Npy;
import hocket.schedulers.rings.Samples;
import hocket.scopes.Shape;
import hocket.workbench.files.UserError;
import hocket.workbench.runs.CommandFailure;
import hocket.workbench.terminal.NumberFormats;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * A file of strips.
 *
 * @param file the file; its folder exists
 * @param strips what it holds
 * @param count the number of strips
 */
public record StripFile(Path file, SampleStrips strips, int count) {
    /**
     * Checks, before anything is drawn, that a picture of images is not too large.
     *
     * @throws UserError if it is
     */
    public void requirePicture() {
        Shape image = strips.shape();
        UserError.unless(() -> {
            strips.grid(count).requireFits(strips.rows(count), image.get(1), image.get(2));
            return file;
        });
    }

    /**
     * Checks, before anything is drawn, that all rows fit in memory.
     *
     * @throws UserError if they do not
     */
    public void requireMemory(Samples samples) {
        UserError.unless(() -> {
            samples.requireRoom(strips.rows(count));
            return file;
        });
    }

    /**
     * Checks, before anything is drawn, that the disk has room for an array.
     *
     * @throws UserError if it has not
     */
    public void requireDisk() {
        double bytes = (double) strips.rows(count) * strips.shape().size() * Float.BYTES;
        boolean toDisk = Files.isRegularFile(file) || !Files.exists(file);
        long free = toDisk ? usable() : Long.MAX_VALUE;
        if (bytes > free) {
            throw new UserError("--count " + count + ": that many samples of " + strips.shape() + " need "
                    + NumberFormats.bytes((long) bytes) + ", and the disk of " + file + " has "
                    + NumberFormats.bytes(free) + " left");
        }
    }

    /** Returns the free bytes on the disk of a file that may not exist yet. */
    private long usable() {
        try {
            return Files.getFileStore(
                            Objects.requireNonNull(file.toAbsolutePath().getParent()))
                    .getUsableSpace();
        } catch (IOException e) {
            return Long.MAX_VALUE; // writing will say why
        }
    }

    /**
     * Draws all rows.
     *
     * @param drawn takes them as well, as they are drawn
     */
    public float[] rows(Session session, Consumer<float[]> drawn) {
        float[] all = new float[(int) strips.rows(count) * strips.shape().size()];
        int[] at = {0};
        draw(session, drawn.andThen(some -> {
            System.arraycopy(some, 0, all, at[0], some.length);
            at[0] += some.length;
        }));
        return all;
    }

    /** Draws rows and writes them as an array. */
    public void array(Session session, Consumer<float[]> drawn) {
        UserError.unless(() -> Npy.write(file, count, strips.extents(), rows -> draw(session, rows.andThen(drawn))));
    }

    /** Draws images and writes them as a picture. */
    public void picture(Session session, Consumer<float[]> drawn) {
        float[] images = rows(session, drawn);
        Shape image = strips.shape();
        UserError.unless(() -> {
            strips.grid(count).write(file, images, image.get(0), image.get(1), image.get(2));
            return file;
        });
    }

    private void draw(Session session, Consumer<float[]> takes) {
        CommandFailure.unless(() -> {
            strips.drawing().draw(session, count, takes);
            return count;
        });
    }
}
