package hocket.workbench.runs.verification;

import hocket.gan.data.ImageFolder;
import hocket.schedulers.checkpoint.Checkpoints;
import hocket.schedulers.checkpoint.DiskFailureText;
import hocket.schedulers.checkpoint.FileWork;
import hocket.schedulers.feeds.DataFingerprint;
import hocket.workbench.files.UserError;
import hocket.workbench.files.experiment.WrittenSettings;
import hocket.workbench.files.json.JsonLines;
import hocket.workbench.runs.BestCheckpoint;
import hocket.workbench.runs.Journal;
import hocket.workbench.runs.Provenance;
import hocket.workbench.runs.Provenance.Content;
import hocket.workbench.runs.RunFolder;
import hocket.workbench.runs.RunNotes;
import hocket.workbench.runs.Sessions;
import hocket.workbench.runs.json.MetricLines;
import hocket.workbench.runs.json.MetricLines.Line;
import hocket.workbench.runs.json.MetricLines.Lines;
import hocket.workbench.runs.verification.Verification.Finding;
import hocket.workbench.terminal.NumberFormats;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Verifies the files of a run besides its checkpoints. */
final class RecordVerification {
    private static final String EXPERIMENT = "experiment.yaml";
    private static final String PROVENANCE = "provenance.json";
    private static final String METRICS = "metrics.jsonl";

    private final RunFolder folder;
    private final @Nullable Provenance provenance;
    private final String refused;

    RecordVerification(RunFolder folder) {
        this.folder = folder;
        Provenance read = null;
        String why = "";
        try {
            if (Files.exists(folder.provenance())) {
                read = Provenance.read(folder.provenance());
            } else {
                why = "it is missing";
            }
        } catch (IllegalArgumentException e) {
            why = String.valueOf(e.getMessage());
        }
        provenance = read;
        refused = why;
    }

    /** Returns the provenance of the run, if it is intact. */
    Optional<Provenance> known() {
        return Optional.ofNullable(provenance);
    }

    Finding provenance() {
        if (hasNotTrained()) {
            return Finding.whole(PROVENANCE, "there is none yet: the run has not trained");
        }
        return provenance == null
                ? Finding.damaged(
                        PROVENANCE,
                        refused,
                        "changes of data, threads and kernels cannot be detected; without the file, the run resumes"
                                + " all the same")
                : Finding.whole(
                        PROVENANCE,
                        "whole, " + NumberFormats.counted(provenance.sittings().size(), "session"));
    }

    /** Returns whether no file in the folder is of a run that began, as after a kill during its start. */
    private boolean hasNotTrained() {
        return Stream.of(folder.provenance(), folder.metrics(), folder.journal(), folder.samples())
                        .noneMatch(Files::exists)
                && !folder.hasAnyCheckpoint()
                && MissingCheckpoints.shown(folder, known()).isEmpty();
    }

    Finding experiment() {
        if (!Files.exists(folder.experiment())) {
            return Finding.damaged(EXPERIMENT, "it is missing", lostSettings());
        }
        WrittenSettings written;
        try {
            written = WrittenSettings.of(folder.experiment());
        } catch (UserError e) {
            return Finding.damaged(EXPERIMENT, e.lines().get(0), lostSettings());
        }
        if (provenance == null) {
            return Finding.whole(EXPERIMENT, "can be read; nothing tells whether it was edited");
        }
        String found = DataFingerprint.of(folder.experiment()).sha256();
        if (found.equals(provenance.last().experiment())) {
            return Finding.whole(EXPERIMENT, "whole");
        }
        List<String> changes = Sessions.changed(provenance.settings(), written);
        return Finding.damaged(
                EXPERIMENT,
                "it is not as the run wrote it: its SHA-256 is " + found + ", was "
                        + provenance.last().experiment(),
                changes.isEmpty() ? "no setting differs" : "settings that differ: " + String.join("; ", changes));
    }

    private String lostSettings() {
        return "the run can neither resume nor be viewed"
                + (provenance == null ? "" : "; " + PROVENANCE + " has its settings, by their paths");
    }

    /** @param newest the newest intact checkpoint */
    Finding metrics(OptionalLong newest) {
        Path file = folder.metrics();
        if (!Files.exists(file)) {
            return newest.orElse(0) == 0 && left(METRICS).isEmpty()
                    ? Finding.whole(METRICS, "there is none yet")
                    : Finding.damaged(METRICS, "it is missing", "there are no metrics to plot; the run can resume");
        }
        long last = -1;
        long lines = 0;
        try (Lines all = MetricLines.open(file)) {
            for (Optional<Line> next = all.next(); next.isPresent(); next = all.next()) {
                Line line = next.get();
                lines++;
                if (line.metric().isEmpty()) {
                    return line.isLast() && left(METRICS).isEmpty()
                            ? Finding.damaged(
                                    METRICS,
                                    "line " + line.number() + ", the last, was not finished: " + line.problem(),
                                    "the run was killed or is training; a resumed run drops that line")
                            : Finding.damaged(METRICS, "line " + line.number() + ": " + line.problem(), unplotted());
                }
                long step = line.metric().get().step();
                if (step < last) {
                    return Finding.damaged(
                            METRICS,
                            "line " + line.number() + ": step must be at least that of the line before, " + last
                                    + ", was " + step,
                            unplotted());
                }
                last = step;
            }
        } catch (UncheckedIOException e) {
            return Finding.damaged(METRICS, String.valueOf(e.getMessage()), unplotted());
        }
        Optional<Finding> changed = changed(METRICS, file, unplotted());
        if (changed.isPresent()) {
            return changed.get();
        }
        String beyond = last > newest.orElse(0) ? "; a resumed run drops lines after turn " + newest.orElse(0) : "";
        return Finding.whole(
                METRICS,
                left(METRICS).isPresent()
                        ? "whole, " + NumberFormats.counted(lines, "line") + " up to turn " + Math.max(0, last)
                        : NumberFormats.counted(lines, "line") + " up to turn " + Math.max(0, last)
                                + "; the run was killed or is training, so there is no checksum to compare" + beyond);
    }

    private static String unplotted() {
        return "its metrics are not those of the run; checkpoints do not depend on them";
    }

    Optional<Finding> scores() {
        return of("scores.json", folder.scores(), "hocket eval judges the run again", () -> {
            if (JsonLines.numbers(folder.scores()).isEmpty()) {
                throw new IllegalArgumentException("it holds no scores");
            }
            return "whole";
        });
    }

    Optional<Finding> journal() {
        return of(
                "journal.jsonl",
                folder.journal(),
                "--replay cannot repeat its commands; the run can resume",
                () -> "whole, "
                        + NumberFormats.counted(Journal.read(folder.journal()).size(), "command"));
    }

    Optional<Finding> notes() {
        return of(
                "notes.json", folder.notes(), "its tags and note cannot be shown; training does not read them", () -> {
                    RunNotes notes = RunNotes.read(
                            FileWork.get(folder.notes() + " cannot be read", () -> Files.readString(folder.notes())));
                    return "whole, " + NumberFormats.counted(notes.tags().size(), "tag");
                });
    }

    List<Finding> best() {
        List<Finding> findings = new ArrayList<>(best(
                "best.json",
                folder.bestScores(),
                BestCheckpoint::of,
                "the newest checkpoint is not touched by this; --best cannot be used"));
        findings.addAll(best(
                "former.json",
                folder.formerScores(),
                BestCheckpoint::former,
                "the best checkpoint is not touched by this; a run that resumes from before it has no best one"));
        return findings;
    }

    private List<Finding> best(
            String name, Path file, Function<RunFolder, Optional<BestCheckpoint.Kept>> kept, String means) {
        List<Finding> findings = new ArrayList<>();
        of(name, file, means, () -> {
                    long step = kept.apply(folder).orElseThrow().step();
                    findings.add(bestCheckpoint(step, means));
                    return "whole, names turn " + step;
                })
                .ifPresent(scores -> findings.add(0, scores));
        return findings;
    }

    private Finding bestCheckpoint(long step, String means) {
        try {
            Checkpoints.read(folder.best(), step);
            return Finding.whole("best", "the checkpoint of turn " + step + " is whole");
        } catch (IOException e) {
            return Finding.damaged("best", String.valueOf(e.getMessage()), means);
        }
    }

    /** @param whole reads the file, and says what is there if nothing is wrong */
    private Optional<Finding> of(String name, Path file, String means, Supplier<String> whole) {
        if (!Files.exists(file)) {
            return left(name).map(gone -> Finding.damaged(name, "it is missing", means));
        }
        try {
            String found = whole.get();
            return Optional.of(changed(name, file, means).orElse(Finding.whole(name, found)));
        } catch (IllegalArgumentException | UserError | UncheckedIOException e) {
            return Optional.of(Finding.damaged(name, String.valueOf(e.getMessage()), means));
        }
    }

    List<Finding> samples() {
        String name = "samples";
        List<Path> pictures;
        try {
            pictures = Files.isDirectory(folder.samples()) ? FileWork.in(folder.samples()) : List.of();
            pictures = pictures.stream()
                    .filter(each -> each.toString().endsWith(".png"))
                    .toList();
        } catch (IOException e) {
            return List.of(Finding.damaged(name, "cannot be listed: " + DiskFailureText.of(e), ""));
        }
        List<Finding> damaged = new ArrayList<>();
        for (Path picture : pictures) {
            try {
                ImageFolder.requirePicture(picture);
            } catch (IllegalArgumentException e) {
                damaged.add(Finding.damaged(name, String.valueOf(e.getMessage()), "that picture is lost"));
            } catch (IOException e) {
                damaged.add(Finding.damaged(
                        name, picture + " cannot be read: " + DiskFailureText.of(e), "that picture is lost"));
            }
        }
        return !damaged.isEmpty() || pictures.isEmpty()
                ? damaged
                : List.of(Finding.whole(name, NumberFormats.counted(pictures.size(), "picture") + ", whole"));
    }

    /** Returns a file as it was when the run ended; empty if it was killed, or still runs. */
    private Optional<Content> left(String name) {
        return known().flatMap(all -> all.last().leftFile(name));
    }

    private Optional<Finding> changed(String name, Path file, String means) {
        try {
            Content now = Content.of(DataFingerprint.of(file));
            return left(name)
                    .filter(content -> !content.equals(now))
                    .map(content -> "it was changed since the run ended: it has " + NumberFormats.grouped(now.bytes())
                            + " bytes with SHA-256 " + now.sha256() + ", had " + NumberFormats.grouped(content.bytes())
                            + " with " + content.sha256())
                    .or(() -> changedBefore(name, now))
                    .map(found -> Finding.damaged(name, found, means));
        } catch (UncheckedIOException e) {
            return Optional.of(Finding.damaged(name, String.valueOf(e.getMessage()), means));
        }
    }

    /** Returns the differences at the start of a session; metrics that came later follow the recorded length. */
    private Optional<String> changedBefore(String name, Content now) {
        return known().stream()
                .flatMap(all -> all.sittings().stream())
                .flatMap(runSession -> runSession.changed().stream()
                        .filter(change -> change.path().equals(name)
                                && (name.equals(METRICS) || now.sha256().equals(change.after())))
                        .map(change -> "it was changed before the run resumed from turn " + runSession.turn()
                                + ": its SHA-256 was " + change.before() + " and then " + change.after()))
                .findFirst();
    }
}
