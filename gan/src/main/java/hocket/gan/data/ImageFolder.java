package hocket.gan.data;

import hocket.gan.data.StoredImages.LoadedImages;
import hocket.schedulers.checkpoint.DiskFailureText;
import hocket.schedulers.checkpoint.FileWork;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * Reads images from a folder of PNG and JPEG files, in the order of their names. Where the folder has subfolders of
 * images instead, each subfolder is a class: the first name is label 0, and so on. Files of other kinds and hidden ones
 * (a leading dot) are skipped; a source reports the number of the former. A broken image refuses the whole folder,
 * naming the file, unless the caller or the source ({@link ImageFiles}) skips such images.
 *
 * <p>Colours become grey as 0.299 R + 0.587 G + 0.114 B (ITU-R 601), transparency and colour profiles are ignored, a
 * sample v of b bits becomes 2 v / (2^b - 1) - 1.
 */
public final class ImageFolder {
    private ImageFolder() {}

    /**
     * Reads all images at their own size, which must be the same.
     *
     * @param folder a folder of images, or of subfolders of images
     * @param channels 1 for grey, 3 for red, green, blue
     * @return pixels (N, channels, height, width) in -1..1, with labels if there are subfolders
     * @throws DataException if the folder is missing or without images, a file is not a complete PNG or JPEG image, or
     *     the sizes differ
     * @throws IllegalArgumentException if channels is neither 1 nor 3
     */
    public static Images read(Path folder, int channels) {
        return read(folder, channels, ImageFolder::refuse);
    }

    /**
     * Reads all images at their own size as {@link #read(Path, int)} does, without broken ones.
     *
     * @param broken receives why an image is broken; if it returns, the image is skipped
     * @throws DataException if no image is complete; else as {@link #read(Path, int)}
     */
    public static Images read(Path folder, int channels, Consumer<DataException> broken) {
        return ImageFolderReader.of(folder, channels, 0, 0, broken).images();
    }

    /**
     * Reads all images scaled to one size: the largest centred part of the right proportions, resampled by a triangle
     * filter, which interpolates bilinearly when enlarging and averages when reducing (Pillow's {@code
     * ImageOps.fit(image, (width, height), BILINEAR)}, without its rounding to bytes).
     *
     * @param folder a folder of images, or of subfolders of images
     * @param channels 1 for grey, 3 for red, green, blue
     * @param height rows of the result, at least 1
     * @param width columns of the result, at least 1
     * @return pixels (N, channels, height, width) in -1..1, with labels if there are subfolders
     * @throws DataException if the folder is missing or without images, or a file is not a complete PNG or JPEG image
     * @throws IllegalArgumentException if channels is neither 1 nor 3, or the size is below 1
     */
    public static Images read(Path folder, int channels, int height, int width) {
        return readWithNotes(folder, channels, height, width, ImageFolder::refuse)
                .images();
    }

    /**
     * Reads all images, with notes about them for people.
     *
     * @param broken receives why an image is broken; if it returns, the image is skipped
     */
    static LoadedImages readWithNotes(
            Path folder, int channels, int height, int width, Consumer<DataException> broken) {
        requireSize(height, width);
        return ImageFolderReader.of(folder, channels, height, width, broken);
    }

    /**
     * Checks that a file is a complete image.
     *
     * @throws DataException if it is neither a PNG nor a JPEG image, is not complete, or the decoder refuses or
     *     corrects it
     * @throws IOException if it cannot be read
     */
    public static void requirePicture(Path file) throws IOException {
        DecodedImage.read(file);
    }

    private static void requireSize(int height, int width) {
        if (height < 1 || width < 1) {
            throw new IllegalArgumentException("images need a size of at least 1 x 1, got " + height + " x " + width);
        }
    }

    private static void refuse(DataException broken) {
        throw broken;
    }

    /** The handling of broken images. */
    public enum Broken implements Consumer<DataException> {
        /** A broken image refuses the whole folder. */
        REFUSE {
            @Override
            public void accept(DataException broken) {
                throw broken.hinting("broken: skip leaves such images out");
            }
        },
        /** Broken images are skipped, counted and named. */
        SKIP {
            @Override
            public void accept(DataException broken) {
                // the notes of the source name it
            }
        }
    }

    /**
     * The image files of a folder in order; labels are empty and classes is 0 where there are no subfolders.
     *
     * @param others the files that are not images, by name
     */
    record Listing(Path folder, List<Path> files, List<Integer> labels, int classes, List<Path> others) {
        static Listing of(Path folder) {
            if (!Files.isDirectory(folder)) {
                throw new DataException(
                        folder,
                        Files.exists(folder) ? "is a file; expected a folder of images" : "there is no such folder");
            }
            Entries entries = Entries.of(folder);
            List<Path> files = entries.pictures();
            if (files.isEmpty()) {
                return ofClasses(folder, entries);
            }
            for (Path inner : entries.folders()) {
                List<Path> more = Entries.of(inner).pictures();
                if (!more.isEmpty()) {
                    throw new DataException(
                            folder,
                            "images must lie in it or in its subfolders (one a class), not both: " + files.get(0)
                                    + " and " + more.get(0));
                }
            }
            return new Listing(folder, files, List.of(), 0, entries.others());
        }

        private static Listing ofClasses(Path folder, Entries entries) {
            List<Path> folders = entries.folders();
            if (folders.isEmpty()) {
                throw noImages(folder);
            }
            List<Path> files = new ArrayList<>();
            List<Integer> labels = new ArrayList<>();
            List<Path> others = new ArrayList<>(entries.others());
            for (int label = 0; label < folders.size(); label++) {
                Entries inner = Entries.of(folders.get(label));
                if (inner.pictures().isEmpty()) {
                    throw noImages(folders.get(label));
                }
                others.addAll(inner.others());
                files.addAll(inner.pictures());
                labels.addAll(Collections.nCopies(inner.pictures().size(), label));
            }
            return new Listing(folder, files, labels, folders.size(), others);
        }

        private static DataException noImages(Path folder) {
            return new DataException(folder, "holds no .png, .jpg or .jpeg file; it holds " + Idx.listing(folder));
        }
    }

    /** The contents of a folder by kind, in the order of names, without hidden files. */
    private record Entries(List<Path> pictures, List<Path> folders, List<Path> others) {
        static Entries of(Path folder) {
            Entries found = new Entries(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
            for (Path entry : listed(folder)) {
                if (Files.isDirectory(entry)) {
                    found.folders.add(entry);
                } else if (isPicture(nameOf(entry)) && Files.isRegularFile(entry)) {
                    found.pictures.add(entry);
                } else {
                    found.others.add(entry);
                }
            }
            return found;
        }

        private static List<Path> listed(Path folder) {
            try {
                return FileWork.in(folder).stream()
                        .filter(entry -> !nameOf(entry).startsWith("."))
                        .sorted(Comparator.comparing(Entries::nameOf))
                        .toList();
            } catch (IOException e) {
                throw new DataException(folder, "cannot be listed: " + DiskFailureText.of(e), e);
            }
        }

        private static boolean isPicture(String name) {
            String lower = name.toLowerCase(Locale.ROOT);
            return lower.endsWith(".png") || lower.endsWith(".jpg") || lower.endsWith(".jpeg");
        }

        private static String nameOf(Path entry) {
            return String.valueOf(entry.getFileName());
        }
    }
}
