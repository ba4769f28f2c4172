package hocket.workbench.runs.verification;

import hocket.schedulers.checkpoint.DiskFailureText;
import hocket.schedulers.checkpoint.FileWork;
import hocket.workbench.online.DurableQueue;
import hocket.workbench.runs.RunFolder;
import hocket.workbench.runs.verification.Verification.Finding;
import hocket.workbench.terminal.NumberFormats;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Verifies queued rows from outside, as far as they still exist. */
final class QueueVerification {
    private QueueVerification() {}

    /** A finding for each feed. */
    static List<Finding> in(RunFolder folder) {
        return FileWork.entries(folder.queues()).stream()
                .filter(Files::isDirectory)
                .map(queue -> of(folder, queue))
                .toList();
    }

    private static Finding of(RunFolder folder, Path queue) {
        String thing = folder.path().relativize(queue).toString();
        try {
            DurableQueue.Content found = DurableQueue.look(queue);
            String unfinished = found.unfinished() == 0
                    ? ""
                    : "; the last " + NumberFormats.counted(found.unfinished(), "byte") + " were not acknowledged";
            return Finding.whole(
                    thing,
                    "whole, " + NumberFormats.counted(found.end() - found.first(), "row") + " from row " + found.first()
                            + " on" + unfinished);
        } catch (IOException e) {
            return Finding.damaged(
                    thing, DiskFailureText.of(e), "the run cannot resume until these files are restored");
        }
    }
}
