package hocket.workbench.runs;

import hocket.schedulers.checkpoint.AtomicFile;
import hocket.schedulers.checkpoint.AtomicFolder;
import hocket.schedulers.checkpoint.Checkpoints;
import hocket.schedulers.checkpoint.DiskFailureText;
import hocket.schedulers.checkpoint.FileWork;
import hocket.schedulers.state.State;
import hocket.workbench.files.UserError;
import hocket.workbench.files.json.JsonLines;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * A run that begins at another run's checkpoint: its folder has this checkpoint and the records before it. It is
 * started by {@code hocket run FOLDER --resume}.
 */
public final class Fork {
    private Fork() {}

    /**
     * Creates the fork atomically.
     *
     * @param step of the checkpoint
     * @param into a folder that does not exist or is empty
     * @throws UserError if the checkpoint is missing or damaged, the folder is not empty, or writing fails
     */
    public static void of(RunFolder run, long step, RunFolder into) {
        String experiment = UserError.unless(
                () -> FileWork.get(run.experiment() + " could not be read", () -> Files.readString(run.experiment())));
        of(run, step, into, experiment);
    }

    /**
     * Creates the fork atomically, with settings of its own; one after the other, as two may be asked for with one name.
     *
     * @param experiment the text of its experiment file
     * @throws UserError as above, or if the run reads rows from outside
     */
    public static synchronized void of(RunFolder run, long step, RunFolder into, String experiment) {
        into.requireFree();
        if (Files.isDirectory(run.queues())) {
            throw new UserError(
                    "the run " + run + " cannot be forked: it trains with rows from outside, which its folder"
                            + " keeps and a fork would not have");
        }
        Path made = into.path().resolveSibling(into.path().getFileName() + ".unfinished");
        try {
            State state = Checkpoints.read(run.checkpoints(), step);
            AtomicFolder.delete(made);
            AtomicFolder.create(made);
            RunFolder fork = new RunFolder(made);
            fork.write(experiment);
            for (Path file : new Path[] {run.metrics(), run.journal()}) {
                if (Files.exists(file)) {
                    Path copy = made.resolve(String.valueOf(file.getFileName()));
                    AtomicFile.write(copy, beside -> Files.copy(file, beside));
                }
            }
            if (Files.isDirectory(run.tensorBoard())) {
                Files.createDirectory(fork.tensorBoard()); // it is filled when the fork is resumed
            }
            JsonLines.dropBeyond(fork.metrics(), step);
            Checkpoints.write(fork.checkpoints(), step, state);
            if (Files.isDirectory(into.path())) {
                AtomicFolder.delete(into.path()); // it holds at most a lock that nobody holds
            }
            Files.move(made, into.path(), StandardCopyOption.ATOMIC_MOVE);
            AtomicFile.forceName(into.path());
        } catch (IOException e) {
            throw new UserError("the fork " + into + " could not be made: " + DiskFailureText.ofWriting(e), e);
        } catch (UncheckedIOException e) {
            throw new UserError("the fork " + into + " could not be made: " + e.getMessage(), e);
        } finally {
            try {
                AtomicFolder.delete(made);
            } catch (IOException e) {
                // it says so by its name
            }
        }
    }
}
