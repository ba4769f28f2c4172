package hocket.workbench.runs;

import hocket.schedulers.checkpoint.Reason;
import hocket.workbench.online.DurableQueue;
import hocket.workbench.runs.Verification.Finding;
import hocket.workbench.terminal.Figures;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Whether the rows that came from outside are whole, as far as they are still there. */
final class WholeQueues {
    private WholeQueues() {}

    /** A finding for each feed. */
    static List<Finding> in(RunFolder folder) {
        if (!Files.isDirectory(folder.queues())) {
            return List.of();
        }
        List<Finding> findings = new ArrayList<>();
        try (Stream<Path> queues = Files.list(folder.queues())) {
            queues.filter(Files::isDirectory).sorted().forEach(queue -> findings.add(of(folder, queue)));
        } catch (IOException e) {
            throw new UncheckedIOException(folder.queues() + " cannot be listed: " + Reason.of(e), e);
        }
        return findings;
    }

    private static Finding of(RunFolder folder, Path queue) {
        String thing = folder.path().relativize(queue).toString();
        try {
            DurableQueue.Content found = DurableQueue.look(queue);
            String unfinished = found.unfinished() == 0
                    ? ""
                    : "; the last " + Figures.counted(found.unfinished(), "byte") + " were not acknowledged";
            return Finding.whole(
                    thing,
                    "whole, " + Figures.counted(found.end() - found.first(), "row") + " from row " + found.first()
                            + " on" + unfinished);
        } catch (IOException e) {
            return Finding.damaged(
                    thing, Reason.of(e), "the run does not go on before these files are put back as they were");
        }
    }
}
