package hocket.workbench.training.rings;

import hocket.schedulers.Next;
import hocket.schedulers.checkpoint.CheckpointPolicy;
import hocket.schedulers.commands.Command;
import hocket.schedulers.commands.Steering;
import hocket.workbench.runs.FolderRecorder;
import hocket.workbench.runs.Journal;
import hocket.workbench.training.RunContext;
import hocket.workbench.training.RunRequest;
import hocket.workbench.training.RunRing;
import hocket.workbench.training.RunRingOrder;
import java.time.InstantSource;

/** Records metrics, pictures and the log of a run in its folder, and writes the journal of commands. */
public final class RecordsRing implements RunRing {
    @Override
    public RunRingOrder layer() {
        return RunRingOrder.RECORDS;
    }

    @Override
    public void write(RunContext run, Next next) {
        RunRequest request = run.request();
        try (FolderRecorder recorder = new FolderRecorder(run.folder(), InstantSource.system())) {
            if (request.file().spec().checkpoints().ifRefused() == CheckpointPolicy.IfRefused.GO_ON) {
                recorder.holdBack(why -> request.workplace().terminal().remark("hocket: " + why));
            }
            run.flow().recorder(recorder);
            run.give(FolderRecorder.class, recorder);
            Steering steering = run.get(Steering.class);
            run.scheduler().steeredBy(steering);
            if (run.get(Journal.class).dropBeyond(steering.applied())) {
                steering.ask(new Command.Start(), "hocket run --resume");
            }
            next.proceed();
        }
    }
}
