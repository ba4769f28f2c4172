package hocket.workbench.sweeps;

import hocket.schedulers.checkpoint.AtomicFolder;
import hocket.schedulers.checkpoint.Checkpoints;
import hocket.workbench.files.UserError;
import hocket.workbench.files.experiment.ExperimentFile;
import hocket.workbench.files.json.JsonDocument;
import hocket.workbench.runs.CommandContext;
import hocket.workbench.runs.CommandFailure;
import hocket.workbench.runs.Fork;
import hocket.workbench.runs.RunFolder;
import hocket.workbench.training.processes.SideBySide;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Trains a population: all members to the end of an interval, then copies of the better ones in place of the worse.
 * Copies are made, each atomically, before any member begins the next interval, so that a killed sweep finds the copied
 * checkpoints as they were.
 *
 * @param base the experiment with the settings of all members
 */
record PopulationSweep(Sweep sweep, ExperimentFile base, Population population) {
    /** Returns the exit status, as {@link Sweep#run(boolean)}. */
    int run() {
        try (SideBySide beside = new SideBySide(sweep.workplace(), sweep.atOnce(), sweep.stop(), sweep.quiet())) {
            beside.announce(base.spec().threads());
            boolean isOver = false;
            for (int interval = 0; !isOver && !sweep.stop().isRequested(); interval++) {
                List<List<PopulationMember>> known = population.intervals();
                isOver = interval == known.size();
                if (!isOver) {
                    begin(known, interval);
                    train(known.get(interval), beside);
                }
            }
            if (sweep.stop().isRequested()) {
                return beside.stopped();
            }
        }
        return end();
    }

    /** Makes the copies that the interval begins with. */
    private void begin(List<List<PopulationMember>> known, int interval) {
        for (PopulationMember member : known.get(interval)) {
            if (member.isCopy() && population.result(member).isEmpty()) {
                copy(known.get(interval - 1).get(member.copied() - 1), member);
            }
        }
        record();
    }

    private void copy(PopulationMember from, PopulationMember to) {
        RunFolder into = to.folder(sweep.folder());
        if (Files.isRegularFile(into.experiment())) {
            return;
        }
        RunFolder source = from.folder(sweep.folder());
        source.requireRun();
        String experiment;
        try {
            ExperimentFile file =
                    source.file(to.trial().changes(), sweep.workplace().surroundings(sweep.jars()));
            experiment = file.resolved(
                    file.spec().threads(),
                    file.spec().seed(),
                    file.spec().recorded().orElseThrow());
        } catch (UserError e) {
            population.results().put(Sweep.result(to.run(), null, String.join("; ", e.lines()), 0));
            return;
        }
        UserError.unlessMade(into + " could not be made", () -> {
            AtomicFolder.create(Objects.requireNonNull(into.path().getParent()));
            Fork.of(source, Checkpoints.latest(source.checkpoints()).orElseThrow(), into, experiment);
        });
        sweep.say("trial " + to.number() + " copies trial " + from.number() + ": "
                + String.join(" ", to.trial().changes()));
    }

    /** Trains the members of an interval whose results are missing. */
    private void train(List<PopulationMember> members, SideBySide beside) {
        int interval = members.get(0).interval();
        double part = population.settings().part(interval);
        List<String> options = part < 1 ? List.of("--until", Double.toString(part)) : List.of();
        Map<SideBySide.Job, Results.Run> jobs = new LinkedHashMap<>();
        for (PopulationMember member : members) {
            if (population.result(member).isEmpty()) {
                List<String> changes = new ArrayList<>(member.trial().changes());
                changes.add("seed=" + member.seed());
                SideBySide.Job job = SideBySide.Job.of(
                        "trial " + member.number(),
                        member.folder(sweep.folder()),
                        sweep.folder().base().toString(),
                        changes,
                        List.of(),
                        sweep.jars(),
                        options);
                jobs.put(job, member.run());
            }
        }
        if (!jobs.isEmpty()) {
            String of = "runs of interval " + (interval + 1) + " of "
                    + population.settings().intervals();
            sweep.train(of, jobs, part < 1, population.results(), beside);
        }
    }

    /** Writes the members of all intervals that are known. */
    private void record() {
        StringBuilder lines = new StringBuilder();
        for (List<PopulationMember> members : population.intervals()) {
            for (PopulationMember member : members) {
                lines.append(JsonDocument.line(LineageRecord.of(member, population)))
                        .append('\n');
            }
        }
        SweepFolder.write(sweep.folder().lineage(), lines.toString());
    }

    private int end() {
        record();
        List<List<PopulationMember>> all = population.intervals();
        if (!sweep.report(base.name(), population.progress())) {
            sweep.say("all trials failed in interval " + all.size() + " of "
                    + population.settings().intervals());
            return Sweep.FAILED;
        }
        PopulationMember best = population.ranked(all.get(all.size() - 1)).get(0);
        new SettingsSchedule(population.ancestry(best))
                .lines()
                .forEach(sweep.workplace().terminal()::say);
        CommandFailure.unless(() -> new PopulationPicture(sweep.file(), population, best)
                        .write(sweep.folder().path()))
                .forEach(picture -> sweep.say("wrote    " + picture));
        sweep.say("wrote    " + sweep.folder().lineage());
        RunFolder run = best.folder(sweep.folder());
        sweep.say("best     " + run);
        sweep.say("next     " + CommandContext.command("eval", run));
        return 0;
    }
}
