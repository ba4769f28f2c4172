package hocket.workbench.live.views;

import hocket.schedulers.checkpoint.FileWork;
import hocket.workbench.files.UserError;
import hocket.workbench.runs.CommandContext;
import hocket.workbench.runs.RegularFiles;
import hocket.workbench.runs.RunFolder;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** The current runs of a folder: the folder itself if it is a run, or the runs in it. Used by any thread. */
public final class FolderRuns implements Supplier<List<? extends ServedRun>> {
    private final CommandContext commandContext;
    private final Path folder;
    private final Map<Path, FolderRun> known = new LinkedHashMap<>();

    public FolderRuns(CommandContext commandContext, Path folder) {
        this.commandContext = commandContext;
        this.folder = folder;
    }

    /**
     * Checks that runs can be in the folder.
     *
     * @param isNamed whether a person named the folder, which must exist then
     * @throws UserError if a named folder is missing or cannot be read
     */
    public void require(boolean isNamed) {
        if (Files.exists(folder) ? !Files.isDirectory(folder) : isNamed) {
            throw new UserError(
                    folder + (Files.exists(folder) ? " is a file, not a folder of runs" : ": there is no such folder"));
        }
        try {
            list();
        } catch (UncheckedIOException e) {
            throw new UserError(String.valueOf(e.getMessage()), e);
        }
    }

    @Override
    public synchronized List<FolderRun> get() {
        List<FolderRun> all = new ArrayList<>();
        List<RunFolder> found = list();
        known.keySet().retainAll(found.stream().map(RunFolder::path).toList());
        for (RunFolder run : found) {
            all.add(known.computeIfAbsent(run.path(), path -> new FolderRun(commandContext, run)));
        }
        return all;
    }

    private List<RunFolder> list() {
        RunFolder itself = new RunFolder(folder);
        if (Files.isRegularFile(itself.experiment())) {
            return List.of(itself);
        }
        return FileWork.entries(folder).stream()
                .map(RunFolder::new)
                .filter(run -> Files.isRegularFile(run.experiment()) || RegularFiles.isFile(run.started()))
                .toList();
    }
}
