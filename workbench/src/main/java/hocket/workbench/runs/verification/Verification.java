package hocket.workbench.runs.verification;

import hocket.workbench.runs.RunFolder;
import hocket.workbench.terminal.TextPage;
import hocket.workbench.terminal.UserError;
import java.io.File;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Whether a run is whole, file by file.
 *
 * @param whole whether all of it is
 * @param run its folder
 * @param findings in the order in which a run that goes on needs them
 */
public record Verification(boolean whole, String run, List<Finding> findings) {
    private static final int COLUMN = 16;

    /**
     * What was found of a file, or of several together.
     *
     * @param thing as it is called in the folder
     * @param whole whether nothing is wrong
     * @param found what is there, or what is wrong
     * @param means what follows from it for who wants to go on or look; empty where nothing does
     */
    public record Finding(String thing, boolean whole, String found, String means) {
        static Finding whole(String thing, String found) {
            return new Finding(thing, true, found, "");
        }

        static Finding damaged(String thing, String found, String means) {
            return new Finding(thing, false, found, means);
        }

        /** The same with paths below the folder, which all are. */
        Finding within(RunFolder folder) {
            return new Finding(
                    thing,
                    whole,
                    found.replaceAll("(?<![^\\s\"])" + Pattern.quote(folder + File.separator), ""),
                    means);
        }
    }

    /**
     * Of a run folder; reads all of it and changes nothing.
     *
     * @throws UserError if it is none
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
        findings.addAll(QueueVerification.in(folder));
        findings.addAll(records.best());
        findings.addAll(records.samples());
        return new Verification(
                findings.stream().allMatch(Finding::whole),
                folder.toString(),
                findings.stream().map(finding -> finding.within(folder)).toList());
    }

    /** For people. */
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
