package hocket.schedulers.inference;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.ServiceLoader;

/** The model in a folder of any kind. */
final class ModelFolder {
    private ModelFolder() {}

    /** @throws IOException if there is none, or a file is damaged, naming it */
    static TrainedModel read(Path folder, LoadOptions options) throws IOException {
        if (!Files.isDirectory(folder)) {
            throw new IOException("there is no folder " + folder);
        }
        try {
            if (ExportedModel.isIn(folder)) {
                requireNoChoice(folder, options);
                return ExportedModel.read(folder);
            }
            if (SavedModel.isIn(folder)) {
                requireNoChoice(folder, options);
                return SavedModel.read(folder);
            }
            for (ModelReader reader : ServiceLoader.load(ModelReader.class)) {
                Optional<TrainedModel> model = reader.read(folder, options);
                if (model.isPresent()) {
                    return model.get();
                }
            }
        } catch (IllegalArgumentException e) {
            throw new IOException(folder + " holds no model that can be loaded: " + e.getMessage(), e);
        }
        throw new IOException(
                Files.exists(folder.resolve("experiment.yaml"))
                        ? folder + " is a run folder: add the artifact hocket:workbench to the class path, which reads"
                                + " run folders, or load what hocket export writes of it"
                        : folder + " holds no model: there is no experiment.yaml of a run, no " + ExportedModel.PROGRAM
                                + " of an export and no LATEST of a saved model in it");
    }

    private static void requireNoChoice(Path folder, LoadOptions options) throws IOException {
        if (options.choosesOfRun()) {
            throw new IOException(folder + " holds one model in one state: a checkpoint or a module is chosen of a run,"
                    + " or when it is exported");
        }
    }
}
