package hocket.gan.data;

import hocket.gan.data.Optdigits.Part;
import hocket.gan.data.StoredImages.LoadedImages;
import hocket.scopes.Shape;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Images that a command line names: {@code digits}, those that come with Hocket, or its parts {@code digits:train} and
 * {@code digits:test}; else a file or folder, see {@link StoredImages}.
 */
public final class NamedImages {
    private static final Map<String, Part> DIGITS =
            Map.of("digits", Part.ALL, "digits:train", Part.TRAIN, "digits:test", Part.TEST);

    private NamedImages() {}

    /**
     * Reads images.
     *
     * @param given a name, or a path
     * @param path the path, if it is one
     * @param size (channels, height, width), to which the images of a folder are scaled and cropped
     * @param broken receives why an image of a folder is broken; if it returns, the image is skipped
     * @param changes receives how images differ from their files, such as in size, a line each
     * @throws DataException if they cannot be read, naming the file
     */
    public static Images read(
            String given, Path path, Shape size, Consumer<DataException> broken, Consumer<String> changes) {
        Part part = DIGITS.get(given);
        if (part != null) {
            return new Optdigits(part).open("digits", 1, false).images();
        }
        if (!Files.exists(path)) {
            throw new DataException(
                    path,
                    "there is no such file or folder, and no data of this name; names are "
                            + String.join(
                                    ", ", DIGITS.keySet().stream().sorted().toList()));
        }
        LoadedImages loaded = StoredImages.at(path).read(size.get(0), size.get(1), size.get(2), broken);
        loaded.changes().forEach(changes);
        return loaded.images();
    }
}
