package hocket.schedulers.inference;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** Reads trained models from one kind of folder. Found by {@link java.util.ServiceLoader}. */
public interface ModelReader {
    /**
     * The model in a folder.
     *
     * @return empty if the folder is of another kind
     * @throws IOException if it is of this kind and cannot be read, naming the file, or has no such model
     */
    Optional<TrainedModel> read(Path folder, LoadOptions options) throws IOException;
}
