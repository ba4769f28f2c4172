package hocket.workbench.live.http;

import hocket.schedulers.checkpoint.DiskFailureText;
import hocket.schedulers.checkpoint.FileWork;
import hocket.workbench.runs.RegularFiles;
import java.io.IOException;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

/**
 * Reads files of a run folder for the network. Links are skipped: a folder from elsewhere must not show files outside
 * of it.
 */
public final class PublicFiles {
    private PublicFiles() {}

    /** @throws HttpError if it is a link or not a plain file */
    public static void requireNoLink(Path file) {
        if (Files.exists(file, LinkOption.NOFOLLOW_LINKS) && !RegularFiles.isFile(file)) {
            throw HttpError.conflict(file.getFileName() + " is not a plain file");
        }
    }

    /** @throws HttpError if it is a link or not a folder */
    public static void requireNoFolderLink(Path folder) {
        if (Files.exists(folder, LinkOption.NOFOLLOW_LINKS) && !RegularFiles.isFolder(folder)) {
            throw HttpError.conflict(folder.getFileName() + " is not a plain folder");
        }
    }

    /** Returns the names in a folder; none if there is no folder, or if a live run deletes it meanwhile. */
    public static List<Path> in(Path folder) {
        try {
            return RegularFiles.isFolder(folder) ? FileWork.in(folder) : List.of();
        } catch (NoSuchFileException e) {
            return List.of();
        } catch (IOException e) {
            throw HttpError.unavailable(folder.getFileName() + " cannot be listed: " + DiskFailureText.of(e));
        }
    }

    /**
     * A file as a whole.
     *
     * @throws HttpError if the file is missing, longer than the limit, or unreadable
     */
    public static byte[] bytes(Path file, long most) {
        if (!RegularFiles.isFile(file)) {
            throw HttpError.missing("there is no " + file.getFileName());
        }
        try (SeekableByteChannel in = RegularFiles.open(file)) {
            if (in.size() > most) {
                throw HttpError.conflict(file.getFileName() + " is too large to show: " + in.size() + " bytes");
            }
            return RegularFiles.read(in, (int) in.size());
        } catch (NoSuchFileException e) {
            throw HttpError.missing("there is no " + file.getFileName());
        } catch (IOException e) {
            throw HttpError.unavailable(file.getFileName() + " cannot be read: " + DiskFailureText.of(e));
        }
    }
}
