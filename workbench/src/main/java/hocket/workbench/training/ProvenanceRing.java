package hocket.workbench.training;

import hocket.schedulers.Rest;
import hocket.schedulers.flow.Instance;
import hocket.schedulers.optimizers.Kernels;
import hocket.workbench.experiment.ExperimentSpec.RecordedSpec;
import hocket.workbench.json.JsonLines;
import hocket.workbench.plans.Engines;
import hocket.workbench.runs.RunFolder;
import hocket.workbench.runs.Sittings;
import hocket.workbench.runs.Version;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/** Announces what is run, and writes it down in the folder: the experiment, and the software and data that it is run with. */
final class ProvenanceRing implements RunRing {
    /** The lines that a person reads before the first turn, until they can be said. */
    record Announced(List<String> lines) {}

    @Override
    public RunLayer layer() {
        return RunLayer.PROVENANCE;
    }

    @Override
    public void check(RunContext run) {
        RunRequest request = run.request();
        Instance instance = run.flow().instance();
        RecordedSpec recorded = new RecordedSpec(
                Version.number(), Engines.of(run.flow().setup()), Kernels.best().name(), request.runner());
        Sittings sittings = new Sittings(
                request.folder(),
                run.selected(),
                run.start(),
                run.flow().startedFrom(),
                instance.threads(),
                instance.seed(),
                recorded);
        sittings.require(request.beginning().forced());
        run.give(RecordedSpec.class, recorded);
        run.give(Sittings.class, sittings);
    }

    @Override
    public List<String> announce(RunContext run) {
        return Announcement.changed(run.get(Sittings.class), run.start());
    }

    @Override
    public void write(RunContext run, Rest rest) {
        run.give(Announced.class, new Announced(announced(run)));
        run.begin();
        run.give(Stopping.class, new Stopping(run.stop(), run.resumedAt().orElse(-1))); // before the first file
        begin(run);
        try {
            rest.go();
        } finally {
            Sittings.end(run.folder(), run.scheduler().position().step());
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
        if (run.start() != Sittings.Start.FIRST) {
            JsonLines.dropBeyond(folder.metrics(), run.resumedAt().orElse(-1));
        }
        String experiment =
                run.request().file().resolved(instance.threads(), instance.seed(), run.get(RecordedSpec.class));
        folder.write(experiment);
        run.get(Sittings.class)
                .begin(
                        folder,
                        run.resumedAt().orElse(0),
                        experiment,
                        run.request().changes(),
                        InstantSource.system());
    }
}
