package hocket.schedulers.checkpoint;

import hocket.schedulers.formats.FormatException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Describes disk failures for people, since many of their errors name only the file. */
public final class DiskFailureText {
    /** The message of Java's older file classes: {@code a.png (Permission denied)}. */
    private static final Pattern OLD = Pattern.compile(".* \\(([^()]+)\\)", Pattern.DOTALL);

    private DiskFailureText() {}

    /** Returns a few words, such as {@code permission denied}, to follow the name of the file. */
    public static String of(IOException refused) {
        if (refused instanceof FormatException format) {
            return format.reason();
        } else if (refused instanceof AccessDeniedException) {
            return "permission denied";
        } else if (refused instanceof NoSuchFileException missing) {
            return "there is no " + missing.getFile();
        } else if (refused instanceof FileAlreadyExistsException inTheWay) {
            return inTheWay.getFile() + " is a file, or a broken link";
        } else if (refused instanceof NotDirectoryException) {
            return "not a directory";
        } else if (refused instanceof DirectoryNotEmptyException) {
            return "a directory that is not empty";
        } else if (refused instanceof FileSystemException system && system.getReason() != null) {
            return system.getReason();
        } else if (refused instanceof java.io.FileNotFoundException old && old.getMessage() != null) {
            Matcher reason = OLD.matcher(old.getMessage());
            return reason.matches() ? reason.group(1) : old.getMessage();
        }
        return refused.getMessage() == null ? refused.toString() : refused.getMessage();
    }

    /** Describes a failure to write a file or folder, where a missing folder is meant, not the file itself. */
    public static String ofWriting(IOException refused) {
        if (refused instanceof NoSuchFileException missing && missing.getFile() != null) {
            Path folder = Path.of(missing.getFile()).toAbsolutePath().getParent();
            if (folder != null) {
                return Files.isDirectory(folder)
                        ? "the file system of " + folder + " allows no new entries there"
                        : "there is no folder " + folder;
            }
        }
        return of(refused);
    }

    /** Returns why a file that seems to be missing cannot be read; empty if it exists, or is really missing. */
    public static Optional<String> hiding(Path file) {
        try {
            Files.readAttributes(file, BasicFileAttributes.class);
            return Optional.empty();
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException e) {
            return Optional.of(of(e));
        }
    }
}
