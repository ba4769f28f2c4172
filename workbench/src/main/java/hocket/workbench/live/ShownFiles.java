package hocket.workbench.live;

import hocket.schedulers.checkpoint.FileWork;
import hocket.schedulers.checkpoint.Reason;
import hocket.workbench.runs.PlainFiles;
import java.io.IOException;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;

/**
 * Files of a run folder as they are shown to the network. Links are passed over: a folder that came from elsewhere must not
 * show what lies outside of it.
 */
final class ShownFiles {
    private ShownFiles() {}

    /** @throws Denial if it is a link, or neither file nor missing */
    static void requireNoLink(Path file) {
        if (Files.exists(file, LinkOption.NOFOLLOW_LINKS) && !PlainFiles.isFile(file)) {
            throw Denial.conflict(file.getFileName() + " is no plain file");
        }
    }

    /** @throws Denial if it is a link, or neither folder nor missing */
    static void requireNoFolderLink(Path folder) {
        if (Files.exists(folder, LinkOption.NOFOLLOW_LINKS) && !PlainFiles.isFolder(folder)) {
            throw Denial.conflict(folder.getFileName() + " is no plain folder");
        }
    }

    /** What is in a folder, by name; nothing where there is none. */
    static List<Path> in(Path folder) {
        try {
            return PlainFiles.isFolder(folder) ? FileWork.in(folder) : List.of();
        } catch (IOException e) {
            throw Denial.unavailable(folder.getFileName() + " cannot be listed: " + Reason.of(e));
        }
    }

    /**
     * A file as a whole.
     *
     * @throws Denial if there is none, it is longer than that, or cannot be read
     */
    static byte[] bytes(Path file, long most) {
        if (!PlainFiles.isFile(file)) {
            throw Denial.missing("there is no " + file.getFileName());
        }
        try (SeekableByteChannel in = PlainFiles.open(file)) {
            if (in.size() > most) {
                throw Denial.conflict(file.getFileName() + " is too long to be shown: " + in.size() + " bytes");
            }
            return PlainFiles.read(in, (int) in.size());
        } catch (IOException e) {
            throw Denial.unavailable(file.getFileName() + " cannot be read: " + Reason.of(e));
        }
    }
}
