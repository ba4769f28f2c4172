package hocket.workbench.runs.verification;

import hocket.workbench.files.UserError;
import hocket.workbench.runs.RunFolder;
import hocket.workbench.terminal.TextPage;
import java.io.File;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A verification of a run folder, file by file.
 *
 * @param whole whether all files are intact
 * @param run its folder
 * @param findings in the order in which a resumed run needs them
 */
public record Verification(boolean whole, String run, List<Finding> findings) {
    private static final int COLUMN = 16;

    /**
     * The finding for a file, or for several together.
     *
     * @param thing its name in the folder
     * @param whole whether it is intact
     * @param found its content, or its error
     * @param means the consequence for resuming or reading the run; empty if there is none
     */
    public record Finding(String thing, boolean whole, String found, String means) {
        static Finding whole(String thing, String found) {
            return new Finding(thing, true, found, "");
        }

        static Finding damaged(String thing, String found, String means) {
            return new Finding(thing, false, found, means);
        }

        /** Returns the finding with paths below the folder. */
        Finding within(RunFolder folder) {
            return new Finding(
                    thing,
                    whole,
                    found.replaceAll("(?<![^\\s\"])" + Pattern.quote(folder + File.separator), ""),
                    means);
        }
    }

    /**
     * Verifies a run folder; reads all of it and changes nothing.
     *
     * @throws UserError if it is not a run folder
     */
    public static Verification of(RunFolder folder) {
        if (!Files.exists(folder.provenance()) && !Files.isDirectory(folder.checkpoints())) {
            folder.requireRun();
        }
        RecordVerification records = new RecordVerification(folder);
        CheckpointVerification checkpoints = CheckpointVerification.in(folder, records.known());
        List<Finding> findings = new ArrayList<>();
        findings.add(records.experiment());
        findings.add(records.provenance());
        findings.addAll(checkpoints.findings());
        findings.add(records.metrics(checkpoints.newest()));
        records.journal().ifPresent(findings::add);
        records.scores().ifPresent(findings::add);
        records.notes().ifPresent(findings::add);
        findings.addAll(QueueVerification.in(folder));
        findings.addAll(records.best());
        findings.addAll(records.samples());
        return new Verification(
                findings.stream().allMatch(Finding::whole),
                folder.toString(),
                findings.stream().map(finding -> finding.within(folder)).toList());
    }

    /** Returns the lines of the text. */
    public List<String> lines() {
        TextPage textPage = new TextPage();
        for (Finding finding : findings) {
            textPage.entry(finding.thing(), COLUMN, (finding.whole() ? "" : "DAMAGED: ") + finding.found());
            if (!finding.means().isEmpty()) {
                textPage.entry("", COLUMN, finding.means());
            }
        }
        long damaged = findings.stream().filter(finding -> !finding.whole()).count();
        textPage.entry(
                "", 0, damaged == 0 ? run + " is whole" : run + ": " + damaged + " of " + findings.size() + " damaged");
        return textPage.lines();
    }
}
