package hocket.workbench.runs.verification;

import hocket.schedulers.checkpoint.Checkpoints;
import hocket.workbench.files.UserError;
import hocket.workbench.runs.Provenance;
import hocket.workbench.runs.Provenance.RunSession;
import hocket.workbench.runs.RunFolder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Detects that a run without checkpoints had one: then it was deleted, and the run's other files must not be
 * overwritten. Metrics are not evidence, nor is a best checkpoint, as a run that is killed before its first checkpoint may have both.
 */
public final class MissingCheckpoints {
    private MissingCheckpoints() {}

    /**
     * Throws if a run would begin again although it had a checkpoint to resume from.
     *
     * @param folder of a run without a checkpoint
     * @throws UserError if there is evidence of one, or its provenance is damaged
     */
    public static void refuse(RunFolder folder) {
        List<String> shown = shown(folder, Provenance.of(folder));
        if (!shown.isEmpty()) {
            throw new UserError(
                    "there is no checkpoint in " + folder.checkpoints() + " to resume from, although there was one: "
                            + String.join("; ", shown) + "; put the checkpoints back, or begin in another folder");
        }
    }

    /** Returns the evidence in words; none if there is no evidence. */
    static List<String> shown(RunFolder folder, Optional<Provenance> provenance) {
        List<String> shown = new ArrayList<>();
        if (folder.isJudged()) {
            shown.add("scores.json is of its end");
        }
        if (saidSaved(folder.log())) {
            shown.add("log.txt says that it was saved");
        }
        provenance
                .flatMap(all -> all.sittings().stream()
                        .filter(MissingCheckpoints::wasSaved)
                        .findFirst())
                .ifPresent(runSession -> shown.add("by provenance.json it "
                        + (runSession.turn() > 0
                                ? "resumed from turn " + runSession.turn()
                                : "was saved before it ended")));
        return shown;
    }

    /** Its lines are {@code TIME  turn N  saved  round 3, …}; a damaged one says nothing. */
    private static boolean saidSaved(Path log) {
        if (!Files.isRegularFile(log)) {
            return false;
        }
        try (Stream<String> lines = Files.lines(log, StandardCharsets.ISO_8859_1)) {
            return lines.map(line -> line.split("  ", 4))
                    .anyMatch(parts -> parts.length > 2 && parts[2].equals("saved"));
        } catch (IOException | UncheckedIOException e) {
            return false;
        }
    }

    private static boolean wasSaved(RunSession runSession) {
        return runSession.turn() > 0 || runSession.leftFile(Checkpoints.LATEST).isPresent();
    }
}
