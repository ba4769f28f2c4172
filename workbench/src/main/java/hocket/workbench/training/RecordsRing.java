package hocket.workbench.training;

import hocket.schedulers.Command;
import hocket.schedulers.Rest;
import hocket.schedulers.Steering;
import hocket.schedulers.checkpoint.CheckpointPolicy;
import hocket.workbench.runs.FolderRecorder;
import hocket.workbench.runs.Journal;
import java.time.InstantSource;

/** Records metrics, pictures and the log of a run in its folder, and keeps the journal of commands. */
final class RecordsRing implements RunRing {
    @Override
    public RunLayer layer() {
        return RunLayer.RECORDS;
    }

    @Override
    public void write(RunContext run, Rest rest) {
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
            rest.go();
        }
    }
}
