package hocket.workbench.training;

import hocket.schedulers.Rest;
import hocket.workbench.runs.RunFolder;
import hocket.workbench.runs.Sittings;
import hocket.workbench.runs.Workplace;
import hocket.workbench.tensorboard.TensorBoard;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;

/** Writes event files for TensorBoard, where that was asked for, now or when the run began. */
final class TensorBoardRing implements RunRing {
    @Override
    public RunLayer layer() {
        return RunLayer.TENSORBOARD;
    }

    @Override
    public List<String> announce(RunContext run) {
        if (!isWanted(run)) {
            return List.of();
        }
        Path folder = run.folder().path();
        Path runs = folder.getParent();
        return List.of(
                "board    tensorboard --logdir " + Workplace.quoted(String.valueOf(runs == null ? folder : runs)));
    }

    @Override
    public void write(RunContext run, Rest rest) {
        if (!isWanted(run)) {
            rest.go();
            return;
        }
        try (TensorBoard board = open(run)) {
            run.ring(board);
            rest.go();
        }
    }

    private static boolean isWanted(RunContext run) {
        return run.request().flags().tensorBoard() || TensorBoard.isWanted(run.folder());
    }

    private static TensorBoard open(RunContext run) {
        RunFolder folder = run.folder();
        return run.start() == Sittings.Start.ON
                ? TensorBoard.goOn(
                        folder,
                        run.scheduler().position(),
                        InstantSource.system(),
                        left -> run.request().workplace().terminal().remark("hocket: " + left))
                : TensorBoard.begin(folder, InstantSource.system());
    }
}
