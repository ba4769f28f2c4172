package hocket.workbench.training.rings;

import hocket.schedulers.Next;
import hocket.schedulers.flow.Instance;
import hocket.schedulers.optimizers.kernels.Kernels;
import hocket.workbench.files.experiment.ExperimentSpec.RecordedSpec;
import hocket.workbench.files.json.JsonLines;
import hocket.workbench.runs.RunFolder;
import hocket.workbench.runs.Sessions;
import hocket.workbench.runs.Version;
import hocket.workbench.runs.plans.Engines;
import hocket.workbench.training.RunContext;
import hocket.workbench.training.RunRequest;
import hocket.workbench.training.RunRing;
import hocket.workbench.training.RunRingOrder;
import hocket.workbench.training.reports.Announcement;
import hocket.workbench.training.reports.StopNotice;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/** Announces the run and records the experiment, the software and the data in the folder. */
public final class ProvenanceRing implements RunRing {
    /** The lines that a person reads before the first turn, until they can be printed. */
    record Announced(List<String> lines) {}

    @Override
    public RunRingOrder layer() {
        return RunRingOrder.PROVENANCE;
    }

    @Override
    public void check(RunContext run) {
        RunRequest request = run.request();
        Instance instance = run.flow().instance();
        RecordedSpec recorded = new RecordedSpec(
                Version.number(), Engines.of(run.flow().setup()), Kernels.best().name(), request.runner());
        Sessions sessions = new Sessions(
                request.folder(),
                run.selected(),
                run.start(),
                run.flow().startedFrom(),
                instance.threads(),
                instance.seed(),
                recorded);
        sessions.require(request.beginning().forced());
        run.give(RecordedSpec.class, recorded);
        run.give(Sessions.class, sessions);
    }

    @Override
    public List<String> announce(RunContext run) {
        return Announcement.changed(run.get(Sessions.class), run.start());
    }

    @Override
    public void write(RunContext run, Next next) {
        run.give(Announced.class, new Announced(announced(run)));
        run.begin();
        run.give(StopNotice.class, new StopNotice(run.stop(), run.resumedAt().orElse(-1))); // before the first file
        begin(run);
        try {
            next.proceed();
        } finally {
            Sessions.end(run.folder(), run.scheduler().position().step());
        }
    }

    private static List<String> announced(RunContext run) {
        RunRequest request = run.request();
        List<String> lines = new ArrayList<>(Announcement.of(
                run.selected(),
                request.changes(),
                run.folder(),
                run.resumedAt(),
                run.get(RecordedSpec.class),
                run.flow().instance().threads(),
                request.flags().quiet()));
        run.fromWithin().forEach(ring -> lines.addAll(ring.announce(run)));
        return lines;
    }

    private static void begin(RunContext run) {
        RunFolder folder = run.folder();
        Instance instance = run.flow().instance();
        folder.create();
        if (run.start() != Sessions.Start.FIRST) {
            JsonLines.dropBeyond(folder.metrics(), run.resumedAt().orElse(-1));
        }
        String experiment =
                run.request().file().resolved(instance.threads(), instance.seed(), run.get(RecordedSpec.class));
        folder.write(experiment);
        run.get(Sessions.class)
                .begin(
                        folder,
                        run.resumedAt().orElse(0),
                        experiment,
                        run.request().changes(),
                        InstantSource.system());
    }
}
