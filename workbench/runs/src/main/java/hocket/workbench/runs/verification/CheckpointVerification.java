package hocket.workbench.runs.verification;

import hocket.schedulers.checkpoint.Checkpoints;
import hocket.schedulers.checkpoint.DiskFailureText;
import hocket.workbench.runs.Provenance;
import hocket.workbench.runs.RunFolder;
import hocket.workbench.runs.verification.Verification.Finding;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Verifies the checkpoints of a run.
 *
 * @param newest the intact one of most turns
 * @param findings one for each, and one for the file that names the newest
 */
record CheckpointVerification(OptionalLong newest, List<Finding> findings) {
    private static final String FOLDER = "checkpoints";

    /** @param provenance the run's, if it is intact */
    static CheckpointVerification in(RunFolder folder, Optional<Provenance> provenance) {
        Path all = folder.checkpoints();
        List<Long> numbers;
        try {
            numbers = Checkpoints.numbers(all);
        } catch (IOException e) {
            return new CheckpointVerification(
                    OptionalLong.empty(),
                    List.of(Finding.damaged(
                            FOLDER,
                            all + " cannot be listed: " + DiskFailureText.of(e),
                            "there is no checkpoint to resume from")));
        }
        OptionalLong newest = OptionalLong.empty();
        List<Long> damaged = new ArrayList<>();
        List<String> reasons = new ArrayList<>();
        List<Finding> findings = new ArrayList<>();
        for (long number : numbers) {
            try {
                Checkpoints.read(all, number);
                newest = OptionalLong.of(number);
                findings.add(Finding.whole(FOLDER, Checkpoints.name(number) + " is whole"));
            } catch (IOException e) {
                damaged.add(number);
                reasons.add(String.valueOf(e.getMessage()));
            }
        }
        String means = newest.isPresent()
                ? "the newest intact one is of turn " + newest.getAsLong()
                : "no other is intact, so there is no checkpoint to resume from";
        for (int i = 0; i < damaged.size(); i++) {
            findings.add(Finding.damaged(FOLDER, Checkpoints.name(damaged.get(i)) + ": " + reasons.get(i), means));
        }
        findings.add(latest(folder, provenance, means));
        return new CheckpointVerification(newest, findings);
    }

    private static Finding latest(RunFolder folder, Optional<Provenance> provenance, String means) {
        try {
            OptionalLong latest = Checkpoints.latest(folder.checkpoints());
            if (latest.isPresent()) {
                return Finding.whole(FOLDER, "LATEST names " + Checkpoints.name(latest.getAsLong()));
            }
        } catch (IOException e) {
            return Finding.damaged(FOLDER, String.valueOf(e.getMessage()), means);
        }
        List<String> shown = MissingCheckpoints.shown(folder, provenance);
        return shown.isEmpty()
                ? Finding.whole(FOLDER, "there is none yet; the run can restart")
                : Finding.damaged(
                        FOLDER,
                        "it is missing, although there was one: " + String.join("; ", shown),
                        "there is no checkpoint to resume from");
    }
}
