package hocket.workbench.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import com.sun.management.ThreadMXBean;
import hocket.gan.data.DataException;
import hocket.gan.data.Idx;
import hocket.gan.data.ImageFolder;
import hocket.schedulers.checkpoint.Checkpoints;
import hocket.schedulers.formats.FormatException;
import hocket.schedulers.formats.Npy;
import hocket.schedulers.formats.Npz;
import hocket.schedulers.formats.Safetensors;
import hocket.schedulers.state.Saved;
import hocket.schedulers.state.State;
import hocket.scopes.Shape;
import hocket.scopes.Tensor;
import hocket.workbench.files.UserError;
import hocket.workbench.files.experiment.ExperimentFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What Hocket does with damaged files of every format that it reads: it reads them, or refuses them by the exception that
 * the reader documents, soon and in little memory. {@code -Dhocket.mutations=10000} takes so many files of each format.
 */
class MutatedFilesTest {
    private static final int COUNT = Integer.getInteger("hocket.mutations", 200);
    private static final long MOST_BYTES = 64 << 20;
    private static final Duration MOST_TIME = Duration.ofSeconds(10);
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final Path ROOT = Path.of(System.getProperty("hocket.root"));
    private static final Path ARRAYS = ROOT.resolve("schedulers/src/test/resources/hocket/schedulers/formats/npy");
    private static final Path DIGITS = ROOT.resolve("gan/src/test/resources/golden/formats");

    @TempDir
    Path folder;

    /** Reads a file whole. */
    private interface Reader {
        void read(Path file) throws Exception;
    }

    private static List<Path> files(Path folder, String ending) {
        try (Stream<Path> entries = Files.list(folder)) {
            List<Path> files = entries.filter(file -> file.toString().matches(ending)
                            && !String.valueOf(file.getFileName()).startsWith("bad"))
                    .sorted()
                    .toList();
            assertThat(files).as("%s in %s", ending, folder).isNotEmpty();
            return files;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Mutates sound files in turn, into a file of this name. */
    private void check(
            List<Path> sound,
            Path file,
            UnaryOperator<byte[]> repair,
            Class<? extends Exception> refusal,
            Reader reader)
            throws IOException {
        List<byte[]> contents = new ArrayList<>();
        for (Path path : sound) {
            byte[] content = Files.readAllBytes(path);
            contents.add(content);
            Files.write(file, content);
            assertThat(outcome(file, reader)).as("%s as it is", path).isEqualTo("read");
        }
        int refused = 0;
        for (int seed = 0; seed < COUNT; seed++) {
            byte[] mutated = Mutations.of(contents.get(seed % contents.size()), seed);
            Files.write(file, seed % 4 == 0 ? mutated : repair.apply(mutated));
            String what = sound.get(seed % sound.size()).getFileName() + " mutated by seed " + seed;
            Object outcome = assertTimeoutPreemptively(MOST_TIME, () -> outcome(file, reader), what);
            if (outcome instanceof Throwable thrown) {
                if (!refusal.isInstance(thrown)) {
                    fail(what + " is refused by something else than " + refusal.getSimpleName(), thrown);
                }
                assertThat(thrown.getMessage()).as(what).isNotBlank();
                refused++;
            } else if (!outcome.equals("read")) {
                fail(what + " " + outcome);
            }
        }
        assertThat(refused).as("refused of " + COUNT).isGreaterThan(COUNT / 5);
    }

    /** What was thrown, or what there is to say. */
    private static Object outcome(Path file, Reader reader) {
        long before = THREADS.getThreadAllocatedBytes(Thread.currentThread().getId());
        Object outcome = "read";
        try {
            reader.read(file);
        } catch (Exception | Error e) {
            outcome = e;
        }
        long taken = THREADS.getThreadAllocatedBytes(Thread.currentThread().getId()) - before;
        return taken > MOST_BYTES ? "takes " + taken + " bytes; " + outcome : outcome;
    }

    @Test
    void safetensors() throws IOException {
        check(
                files(ROOT.resolve("schedulers/src/test/resources/golden/formats"), ".*safetensors"),
                folder.resolve("x.safetensors"),
                UnaryOperator.identity(),
                FormatException.class,
                file -> {
                    Safetensors opened = Safetensors.open(file);
                    for (Map.Entry<String, Safetensors.Entry> entry :
                            opened.entries().entrySet()) {
                        opened.bytes(entry.getKey());
                        if (!entry.getValue().shape().contains(0L)) {
                            opened.tensor(entry.getKey());
                        }
                    }
                });
    }

    @Test
    void arraysOfNumPy() throws IOException {
        List<Path> sound = files(ARRAYS, ".*(little|fortran|version).*npy");
        check(
                sound,
                folder.resolve("x.npy"),
                UnaryOperator.identity(),
                FormatException.class,
                file -> Npy.open(file).tensor());
    }

    @Test
    void archivesOfNumPy() throws IOException {
        List<Path> sound = files(ARRAYS, ".*(stored|deflated).npz");
        check(sound, folder.resolve("x.npz"), UnaryOperator.identity(), FormatException.class, file -> {
            for (Npy array : Npz.read(file).values()) {
                array.tensor();
            }
        });
    }

    @Test
    void imagesAndLabelsInIdxFiles() throws IOException {
        Path labels = DIGITS.resolve("digits100-labels-idx1-ubyte");
        List<Path> images = files(DIGITS, ".*images-idx3-ubyte");
        check(
                images,
                folder.resolve("x"),
                UnaryOperator.identity(),
                DataException.class,
                file -> Idx.images(file, labels, 16));
        check(
                List.of(labels),
                folder.resolve("x"),
                UnaryOperator.identity(),
                DataException.class,
                file -> Idx.images(images.get(0), file, 16));
    }

    @Test
    void packedIdxFiles() throws IOException {
        List<Path> images = files(DIGITS, ".*images-idx3-ubyte.gz");
        check(
                images,
                folder.resolve("x.gz"),
                UnaryOperator.identity(),
                DataException.class,
                file -> Idx.images(file, 16));
    }

    @Test
    void picturesInPng() throws IOException {
        checkPictures("png", MutatedFilesTest::withChecksums);
    }

    @Test
    void picturesInJpeg() throws IOException {
        checkPictures("jpe?g", UnaryOperator.identity());
    }

    private void checkPictures(String ending, UnaryOperator<byte[]> repair) throws IOException {
        List<Path> sound = files(ROOT.resolve("gan/src/test/resources/hocket/gan/data/pictures"), ".*\\." + ending);
        check(
                sound,
                folder.resolve("x." + ending.replace("?", "")),
                repair,
                DataException.class,
                file -> ImageFolder.read(folder, 1, 8, 8));
    }

    /** A PNG whose chunks carry the checksums of what they hold, as far as chunks can be made out. */
    private static byte[] withChecksums(byte[] png) {
        ByteBuffer bytes = ByteBuffer.wrap(png.clone());
        for (int at = 8; at + 12 <= png.length; ) {
            long length = bytes.getInt(at) & 0xffff_ffffL;
            if (length > png.length - at - 12) {
                break;
            }
            CRC32 sum = new CRC32();
            sum.update(bytes.array(), at + 4, (int) length + 4);
            bytes.putInt(at + 8 + (int) length, (int) sum.getValue());
            at += (int) length + 12;
        }
        return bytes.array();
    }

    @Test
    void experimentFiles() throws IOException {
        List<Path> sound = new ArrayList<>(files(ROOT.resolve("gan/src/main/resources/hocket/experiments"), ".*yaml"));
        sound.addAll(files(ROOT.resolve("rl/src/main/resources/hocket/experiments"), ".*yaml"));
        ExperimentFile.Surroundings at = new ExperimentFile.Surroundings(folder, List.of(), Map.of());
        check(
                sound,
                folder.resolve("x.yaml"),
                UnaryOperator.identity(),
                UserError.class,
                file -> ExperimentFile.read(file.toString(), List.of(), at));
    }

    @Test
    void statesOfCheckpoints() throws IOException {
        Checkpoints.write(
                folder,
                5,
                State.empty()
                        .with("turns", 5)
                        .with("name", "a \"state\" of ünïcode")
                        .with("rate", 2.5e-4)
                        .with(
                                "nested",
                                State.empty()
                                        .with("weight", Tensor.of(Shape.of(3), 1f, 2f, 3f))
                                        .with("n", -1))
                        .with("rows", new Saved.Rows(new byte[120], 12, 7))
                        .with("last", Double.NaN));
        Path checkpoint = folder.resolve("00000005");
        Path sound = Files.copy(checkpoint.resolve("state.json"), folder.resolve("sound.json"));
        String sums = Files.readString(checkpoint.resolve("SHA256SUMS"));
        String before = sha256(Files.readAllBytes(sound));
        check(List.of(sound), checkpoint.resolve("state.json"), UnaryOperator.identity(), IOException.class, file -> {
            Files.writeString(checkpoint.resolve("SHA256SUMS"), sums.replace(before, sha256(Files.readAllBytes(file))));
            Checkpoints.read(folder, 5);
        });
    }

    private static String sha256(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void whatIsMutatedIsTheSameForTheSameSeedAndSomethingElse() {
        byte[] sound = "{\"a\": 12, \"b\": 345}".getBytes(StandardCharsets.UTF_8);
        int changed = 0;
        for (int seed = 0; seed < 100; seed++) {
            assertThat(Mutations.of(sound, seed)).isEqualTo(Mutations.of(sound, seed));
            changed += Arrays.equals(Mutations.of(sound, seed), sound) ? 0 : 1;
        }
        assertThat(changed).isGreaterThan(90);
    }
}
