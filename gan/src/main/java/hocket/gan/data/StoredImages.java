package hocket.gan.data;

import hocket.gan.data.ImageFolder.Listing;
import hocket.schedulers.Source;
import hocket.schedulers.checkpoint.DiskFailureText;
import hocket.schedulers.checkpoint.FileWork;
import hocket.schedulers.feeds.DataFingerprint;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Images of a file or folder, by the kind of its files:
 *
 * <ul>
 *   <li>a folder of IDX files, by {@link Idx#directory}, or one IDX file;
 *   <li>a folder with CIFAR-10's {@code data_batch_1.bin} and so on, or a file {@code .bin}: {@link CifarImages};
 *   <li>a file {@code .npz} or {@code .npy} of NumPy: {@link NpyImages};
 *   <li>else a folder of PNG and JPEG files, where each subfolder is a class: {@link ImageFolder}.
 * </ul>
 *
 * The labels of one IDX or {@code .npy} file are in the file beside it that has {@code labels} in its name where this
 * one has {@code images}.
 */
sealed interface StoredImages {
    /**
     * Images with notes about them.
     *
     * @param notes for people, a line each: the number of images, their changes, skipped files
     * @param changes the notes on how images differ from their files, such as in size
     * @param origins the files that were read
     */
    record LoadedImages(
            Images images, List<String> notes, List<String> changes, Supplier<List<DataFingerprint>> origins) {}

    /**
     * Reads the images.
     *
     * @param channels of images of a folder, 1 or 3; arrays keep theirs
     * @param height rows of images of a folder; arrays keep theirs
     * @param width columns of images of a folder; arrays keep theirs
     * @param broken receives why an image of a folder is broken; if it returns, the image is skipped; a broken array is
     *     refused
     * @throws DataException if a file is refused
     */
    LoadedImages read(int channels, int height, int width, Consumer<DataException> broken);

    /**
     * Returns the columns that are known without reading an image; throws as {@link #read}.
     *
     * @param channels as of {@link #read}
     */
    Optional<List<Source.Column>> columns(int channels, int height, int width);

    /**
     * Returns the images of an existing file or folder, which are read later.
     *
     * @throws DataException if the folder cannot be listed
     */
    static StoredImages at(Path data) {
        if (!Files.isDirectory(data)) {
            String name = String.valueOf(data.getFileName());
            return CifarImages.isNamed(data)
                    ? new Cifar(data, List.of(data))
                    : name.endsWith(".npz") ? new Archive(data) : OneArray.of(data, name.endsWith(".npy"));
        }
        try {
            List<Path> entries = FileWork.in(data);
            if (entries.stream().anyMatch(IdxFolder::isNamed)) {
                return new IdxFolder(data);
            }
            List<Path> cifar = CifarImages.files(data);
            return cifar.isEmpty() ? new Pictures(data) : new Cifar(data, cifar);
        } catch (IOException e) {
            throw new DataException(data, "cannot be listed: " + DiskFailureText.of(e), e);
        }
    }

    private static LoadedImages loaded(Images images, String kind, Path data, Stream<Path> files) {
        List<Path> read = files.toList();
        List<String> notes = new ArrayList<>(List.of(images + " in " + kind + " " + data));
        images.remark().ifPresent(notes::add);
        return new LoadedImages(
                images,
                notes,
                List.of(),
                () -> read.stream().map(DataFingerprint::of).toList());
    }

    /** A folder of PNG and JPEG files. */
    record Pictures(Path folder) implements StoredImages {
        @Override
        public LoadedImages read(int channels, int height, int width, Consumer<DataException> broken) {
            return ImageFolder.readWithNotes(folder, channels, height, width, broken);
        }

        @Override
        public Optional<List<Source.Column>> columns(int channels, int height, int width) {
            boolean labelled = Listing.of(folder).classes() > 0;
            return Optional.of(Images.columns(channels, height, width, labelled));
        }
    }

    /** A folder of the training images and labels of MNIST or similar data. */
    record IdxFolder(Path folder) implements StoredImages {
        private static final String NAME = ".*-(images|labels)[-.]idx[13]-ubyte(\\.gz)?";

        static boolean isNamed(Path file) {
            return file.getFileName().toString().matches(NAME);
        }

        @Override
        public LoadedImages read(int channels, int height, int width, Consumer<DataException> broken) {
            Images images = Idx.directory(folder);
            return loaded(images, "the IDX files of", folder, Idx.files(folder).stream());
        }

        @Override
        public Optional<List<Source.Column>> columns(int channels, int height, int width) {
            return Optional.of(Idx.columns(folder));
        }
    }

    /** Files of CIFAR-10. */
    record Cifar(Path data, List<Path> files) implements StoredImages {
        @Override
        public LoadedImages read(int channels, int height, int width, Consumer<DataException> broken) {
            return loaded(CifarImages.read(files), "the CIFAR-10 files of", data, files.stream());
        }

        @Override
        public Optional<List<Source.Column>> columns(int channels, int height, int width) {
            return Optional.of(CifarImages.COLUMNS);
        }
    }

    /** An archive of NumPy arrays. */
    record Archive(Path file) implements StoredImages {
        @Override
        public LoadedImages read(int channels, int height, int width, Consumer<DataException> broken) {
            return loaded(NpyImages.archived(file), "the archive", file, Stream.of(file));
        }

        @Override
        public Optional<List<Source.Column>> columns(int channels, int height, int width) {
            return Optional.empty();
        }
    }

    /** One IDX or {@code .npy} file, and that of its labels. */
    record OneArray(Path file, boolean isNpy) implements StoredImages {
        static OneArray of(Path file, boolean isNpy) {
            if (!isNpy && !IdxStream.startsAsIdx(file)) {
                throw new DataException(
                        file,
                        "is a file; expected a folder of images, or a file .npy, .npz, of CIFAR-10 (.bin) or IDX");
            }
            return new OneArray(file, isNpy);
        }

        private Optional<Path> labels() {
            Path labels = file.resolveSibling(
                    file.getFileName().toString().replace("images", "labels").replace("idx3", "idx1"));
            return Optional.of(labels).filter(path -> !path.equals(file) && Files.exists(path));
        }

        @Override
        public LoadedImages read(int channels, int height, int width, Consumer<DataException> broken) {
            Images plain = isNpy ? NpyImages.real(file) : Idx.images(file);
            Images images = labels().map(labels -> isNpy ? NpyImages.labelled(plain, labels) : Idx.images(file, labels))
                    .orElse(plain);
            return loaded(images, "the file", file, Stream.concat(Stream.of(file), labels().stream()));
        }

        @Override
        public Optional<List<Source.Column>> columns(int channels, int height, int width) {
            boolean labelled = labels().isPresent();
            return Optional.of(isNpy ? NpyImages.columns(file, labelled) : Idx.columns(file, labelled));
        }
    }
}
