package hocket.workbench.training.rings;

import hocket.schedulers.Next;
import hocket.workbench.pictures.tensorboard.TensorBoard;
import hocket.workbench.runs.CommandContext;
import hocket.workbench.runs.RunFolder;
import hocket.workbench.runs.Sessions;
import hocket.workbench.training.RunContext;
import hocket.workbench.training.RunRing;
import hocket.workbench.training.RunRingOrder;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;

/** Writes event files for TensorBoard if requested now or when the run began. */
public final class TensorBoardRing implements RunRing {
    @Override
    public RunRingOrder layer() {
        return RunRingOrder.TENSORBOARD;
    }

    @Override
    public List<String> announce(RunContext run) {
        if (!isWanted(run)) {
            return List.of();
        }
        Path folder = run.folder().path();
        Path runs = folder.getParent();
        return List.of(
                "board    tensorboard --logdir " + CommandContext.quoted(String.valueOf(runs == null ? folder : runs)));
    }

    @Override
    public void write(RunContext run, Next next) {
        if (!isWanted(run)) {
            next.proceed();
            return;
        }
        try (TensorBoard board = open(run)) {
            run.ring(board);
            next.proceed();
        }
    }

    private static boolean isWanted(RunContext run) {
        return run.request().flags().tensorBoard() || TensorBoard.isWanted(run.folder());
    }

    private static TensorBoard open(RunContext run) {
        RunFolder folder = run.folder();
        return run.start() == Sessions.Start.RESUMED
                ? TensorBoard.resume(
                        folder,
                        run.scheduler().position(),
                        InstantSource.system(),
                        left -> run.request().workplace().terminal().remark("hocket: " + left))
                : TensorBoard.begin(folder, InstantSource.system());
    }
}
