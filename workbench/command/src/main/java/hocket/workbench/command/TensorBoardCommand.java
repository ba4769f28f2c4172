package hocket.workbench.command;

import hocket.workbench.files.UserError;
import hocket.workbench.pictures.tensorboard.TensorBoard;
import hocket.workbench.runs.RunFolder;
import hocket.workbench.runs.RunLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Writes event files for TensorBoard after training. */
@Command(
        name = "tensorboard",
        header = "Writes the metrics of runs as event files for TensorBoard.",
        description = {
            "",
            "Writes all metrics, sample images, and histograms of the parameters of kept checkpoints into"
                    + " RUN/tensorboard. hocket run --tensorboard writes them during training; a run with event files"
                    + " is not changed. A run that is resumed after this continues to write them.",
            ""
        },
        footer = {
            "",
            "For example:",
            "  hocket tensorboard runs/digits-gan runs/digits-gan-2",
            "  tensorboard --logdir runs"
        })
public final class TensorBoardCommand extends WorkplaceCommand implements Runnable {
    @Parameters(paramLabel = "RUN", arity = "1..*", description = "run folders, such as runs/digits-gan")
    private List<String> runs = new ArrayList<>();

    @Override
    public void run() {
        List<RunFolder> folders =
                runs.stream().map(workplace::path).map(RunFolder::new).toList();
        for (RunFolder folder : folders) {
            if (!Files.isRegularFile(folder.metrics())) {
                throw new UserError(folder + " is not a run folder: it has no metrics.jsonl");
            }
        }
        folders.forEach(this::write);
    }

    private void write(RunFolder folder) {
        try (RunLock lock = folder.resume()) {
            Optional<Path> written = UserError.unless(() -> TensorBoard.write(
                    lock.folder(),
                    InstantSource.system(),
                    left -> workplace.terminal().remark("hocket: " + left)));
            workplace
                    .terminal()
                    .say(written.map(file -> "wrote " + file).orElse(folder.tensorBoard() + " is there already"));
        }
    }
}
