package hocket.workbench.runs;

import hocket.schedulers.checkpoint.Checkpoints;
import hocket.workbench.runs.Provenance.Sitting;
import hocket.workbench.terminal.Refusal;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What shows that a run which has no checkpoint had one: then it was taken away, and what else the run left is not to be written
 * over. Figures alone do not show it, as a run that is killed before its first checkpoint has some.
 */
public final class LostCheckpoints {
    private LostCheckpoints() {}

    /**
     * Refuses to begin anew where there was something to go on from.
     *
     * @param folder of a run without a checkpoint
     * @throws Refusal if something shows that it had one, or its provenance is damaged
     */
    public static void refuse(RunFolder folder) {
        List<String> shown = shown(folder, Provenance.of(folder));
        if (!shown.isEmpty()) {
            throw new Refusal(
                    "there is no checkpoint in " + folder.checkpoints() + " to go on from, and there was one: "
                            + String.join("; ", shown) + "; put the checkpoints back, or begin in another folder");
        }
    }

    /** What shows it, in words; none where nothing does. */
    static List<String> shown(RunFolder folder, Optional<Provenance> provenance) {
        List<String> shown = new ArrayList<>();
        if (folder.isJudged()) {
            shown.add("scores.json is of its end");
        }
        if (Files.exists(folder.bestScores())) {
            shown.add("best.json is of its best");
        }
        provenance
                .flatMap(all -> all.sittings().stream()
                        .filter(LostCheckpoints::wasSaved)
                        .findFirst())
                .ifPresent(sitting -> shown.add("by provenance.json it "
                        + (sitting.turn() > 0 ? "went on from turn " + sitting.turn() : "was saved before it ended")));
        return shown;
    }

    private static boolean wasSaved(Sitting sitting) {
        return sitting.turn() > 0 || sitting.leftFile(Checkpoints.LATEST).isPresent();
    }
}
