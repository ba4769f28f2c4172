package hocket.workbench.command.samples;

import hocket.gan.data.ImageGrid;
import hocket.programs.Session;
import hocket.schedulers.rings.Samples;
import hocket.scopes.Shape;
import hocket.workbench.files.UserError;
import hocket.workbench.runs.CommandFailure;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * A folder of PNG files, one for each sample, as torch-fidelity and {@code hocket score} read them.
 *
 * @param folder a new or empty folder
 * @param count the number of samples
 */
public record SampleFolder(Path folder, int count) {
    private static final ImageGrid ONE = new ImageGrid(1, 0, 1);

    /**
     * Checks, before anything is drawn, that nothing would be mixed with the samples.
     *
     * @throws UserError if the folder is a file, has files, or cannot be read
     */
    public void requireEmpty() {
        if (!Files.exists(folder)) {
            return;
        }
        UserError.unlessMade(folder + " could not be read", () -> {
            try (Stream<Path> files = Files.list(folder)) {
                if (files.findAny().isPresent()) {
                    throw new UserError("--out " + folder + "/: must be a new or empty folder, and has files");
                }
            }
        });
    }

    /**
     * Draws images and writes each.
     *
     * @param drawn takes them as well, as they are drawn
     */
    public void write(Samples samples, Session session, Consumer<float[]> drawn) {
        UserError.unlessMade(folder + " could not be made", () -> Files.createDirectories(folder));
        int size = samples.shape().size();
        int[] number = {0};
        CommandFailure.unless(() -> {
            samples.draw(session, count, some -> {
                for (int at = 0; at < some.length; at += size) {
                    write(number[0]++, Arrays.copyOfRange(some, at, at + size), samples.shape());
                }
                drawn.accept(some);
            });
            return folder;
        });
    }

    private void write(int number, float[] pixels, Shape image) {
        Path file = folder.resolve(String.format(Locale.ROOT, "%06d.png", number));
        byte[] png = ONE.png(pixels, image.get(0), image.get(1), image.get(2));
        UserError.unlessMade(file + " could not be written", () -> Files.write(file, png));
    }
}
