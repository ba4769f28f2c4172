package hocket.workbench.command;

import hocket.gan.data.DataException;
import hocket.gan.data.ImageFolder;
import hocket.gan.data.Images;
import hocket.gan.data.NamedImages;
import hocket.gan.data.NpyImages;
import hocket.gan.scores.Evaluator;
import hocket.gan.scores.FeatureRows;
import hocket.gan.scores.ImageSetScores;
import hocket.scopes.Shape;
import hocket.scopes.Tensor;
import hocket.workbench.files.UserError;
import hocket.workbench.files.experiment.ExperimentFile;
import hocket.workbench.files.json.JsonLines;
import hocket.workbench.terminal.Spinner;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Scores generated images from anywhere. */
@Command(
        name = "score",
        header = "Scores generated images from any program against real ones.",
        description = {
            "",
            "Prints the scores of hocket eval, beside those of references. Of more than 2,000 images of a set, 2,000 are"
                    + " compared, spread evenly over all.",
            "",
            "Data are digits (which come with Hocket; digits:train and digits:test are five of six and every sixth), a"
                    + " folder of images, of IDX or of CIFAR-10 files, or a file .npy, .npz, .bin or IDX.",
            ""
        },
        footer = {
            "",
            "For example:",
            "  hocket score --generated s.npy --data digits:train --held-out digits:test",
            "  hocket score --generated fakes --data photos --features classifier --json",
            "  hocket score --generated fakes --data photos \\",
            "    --features '{class: my.Inception}' --classpath my.jar"
        })
public final class ScoreCommand extends WorkplaceCommand implements Runnable {
    private static final int COLOURS = 3;

    @Option(
            names = "--generated",
            paramLabel = "PATH",
            required = true,
            description = "an .npy file (count, channels, height, width) of floats in -1..1 or of bytes, or a folder"
                    + " of images")
    private String generated = "";

    @Option(
            names = "--data",
            paramLabel = "DATA",
            required = true,
            description = "the real images that the generator was trained on")
    private String data = "";

    @Option(
            names = "--held-out",
            paramLabel = "DATA",
            description = "real images that the generator was not trained on")
    private @Nullable String heldOut;

    @Option(
            names = "--labels",
            paramLabel = "FILE",
            description = "an .npy file of the labels of the generated images, whole numbers (count)")
    private @Nullable String labels;

    @Option(
            names = "--features",
            paramLabel = "F",
            description = "what distances compare: pixels; classifier, the features of one that is trained on the"
                    + " data's labels; or '{class: my.Features}', an Evaluator; default: pixels")
    private String features = "pixels";

    @Option(
            names = "--classpath",
            paramLabel = "JAR",
            description = "a jar or folder with a class of --features; may be repeated")
    private List<String> classpath = List.of();

    @Option(
            names = "--threads",
            paramLabel = "N",
            description =
                    "threads; a classifier's scores depend on their number a little, and hocket eval takes that of"
                            + " the run; default: all processors")
    private int threads = Runtime.getRuntime().availableProcessors();

    @Option(names = "--skip-broken", description = "skip broken images of folders and print their number")
    private boolean skipsBroken;

    @Option(names = "--json", description = "print one JSON object of scores by name")
    private boolean json;

    private final Set<String> broken = new LinkedHashSet<>();

    @Override
    public void run() {
        if (threads < 1) {
            throw new UserError("--threads must be at least 1, was " + threads);
        }
        Evaluator evaluator = UserError.unless(
                () -> ExperimentFile.part(Evaluator.class, "--features", features, workplace.surroundings(classpath)));
        Tensor samples = UserError.unless(() -> generated(COLOURS));
        int skipped = broken.size();
        Images real = images("--data", data, samples);
        boolean isColourFolder = isInColour(samples) && isFolder();
        boolean isGrey = isColourFolder && isGrey(samples);
        if ((isColourFolder && real.channels() == 1) || (isGrey && real.isGrey())) {
            if (!isGrey) {
                workplace.terminal().warn("--generated " + generated + ": is in colour and became grey, as --data is");
            }
            samples = UserError.unless(() -> generated(1)); // three equal channels would count three times
            real = real.firstChannel();
        }
        sayBroken();
        requireFits(samples.shape(), real);
        if (!real.isLabelled() && evaluator instanceof Evaluator.Classifier) {
            throw new UserError("--features: classifier is trained on labels, but --data " + data + " has none");
        }
        int count = samples.shape().get(0);
        int[] given = labels(count, skipped, real);
        int[] rows = Images.spread(Math.min(ImageSetScores.MOST, count), count);
        Tensor some = at(samples, rows);
        int[] labelsOfSome = given.length == 0
                ? given
                : IntStream.of(rows).map(row -> given[row]).toArray();
        ImageSetScores scores = scores(new ImageSetScores(real, evaluator), some);
        Images.remark(samples.floats())
                .ifPresent(remark -> workplace.terminal().warn("--generated " + generated + ": " + remark));
        print(Spinner.during(workplace.terminal(), "scoring", false, () -> table(scores, some, labelsOfSome, threads)));
    }

    /** Generated images (N, channels, height, width); channels matter for a folder. */
    private Tensor generated(int channels) {
        Path path = workplace.path(generated);
        if (!Files.isDirectory(path)) {
            return NpyImages.generated(path);
        }
        Images images = ImageFolder.read(path, channels, this::broken);
        return Tensor.of(Shape.of(images.count(), images.channels(), images.height(), images.width()), images.pixels());
    }

    private boolean isFolder() {
        return Files.isDirectory(workplace.path(generated));
    }

    private static boolean isInColour(Tensor samples) {
        return samples.shape().get(1) == COLOURS;
    }

    private static boolean isGrey(Tensor samples) {
        Shape image = image(samples.shape());
        return Images.of(image.get(0), image.get(1), image.get(2), samples.floats())
                .isGrey();
    }

    private Images images(String option, String given, Tensor like) {
        return UserError.unless(() -> NamedImages.read(
                given,
                workplace.path(given),
                image(like.shape()),
                this::broken,
                change -> workplace.terminal().warn(option + " " + given + ": " + change)));
    }

    private void broken(DataException image) {
        if (!skipsBroken) {
            throw image.hinting("--skip-broken leaves such images out");
        }
        broken.add(image.getMessage());
    }

    /** Says how many broken images were skipped, if any were since it last did. */
    private void sayBroken() {
        if (!broken.isEmpty()) {
            workplace
                    .terminal()
                    .warn("broken images skipped: " + broken.size() + ", the first for this: "
                            + broken.iterator().next());
            broken.clear();
        }
    }

    private static Shape image(Shape images) {
        return Shape.of(images.get(1), images.get(2), images.get(3));
    }

    private void requireFits(Shape samples, Images real) {
        Shape size = Shape.of(real.channels(), real.height(), real.width());
        if (!image(samples).equals(size)) {
            throw new UserError("--generated " + generated + ": images must be " + size + " as those of " + data
                    + " are, but are " + image(samples));
        }
        if (samples.get(0) < ImageSetScores.FEWEST) {
            throw new UserError("--generated " + generated + ": needs at least " + ImageSetScores.FEWEST
                    + " images, has " + samples.get(0));
        }
        if (real.count() < ImageSetScores.FEWEST) {
            throw new UserError(
                    "--data " + data + ": needs at least " + ImageSetScores.FEWEST + " images, has " + real.count());
        }
    }

    /** @param skipped the number of broken images among the generated ones */
    private int[] labels(int count, int skipped, Images real) {
        if (labels == null) {
            return ImageSetScores.NO_LABELS;
        }
        String file = labels;
        int[] read = UserError.unless(() -> NpyImages.labels(workplace.path(file)));
        if (!real.isLabelled()) {
            throw new UserError("--labels: need data with labels, but --data " + data + " has none");
        }
        if (skipped > 0) {
            throw new UserError("--labels " + file + ": has the labels of all images in the order of their names, and"
                    + " --skip-broken skips " + skipped + " of --generated " + generated + ": remove broken images"
                    + " with their labels");
        }
        if (read.length != count) {
            throw new UserError("--labels " + file + ": must have a label for each of the " + count
                    + " generated images, has " + read.length);
        }
        for (int label : read) {
            if (label >= real.classes()) {
                throw new UserError("--labels " + file + ": must be in 0.." + (real.classes() - 1) + " as those of "
                        + data + ", but one is " + label);
            }
        }
        return read;
    }

    private ImageSetScores scores(ImageSetScores scores, Tensor samples) {
        if (heldOut == null) {
            return scores;
        }
        String given = heldOut;
        Images read = images("--held-out", given, samples);
        Images others =
                read.channels() == COLOURS && !isInColour(samples) && read.isGrey() ? read.firstChannel() : read;
        sayBroken();
        if (others.count() < ImageSetScores.FEWEST) {
            throw new UserError("--held-out " + given + ": needs at least " + ImageSetScores.FEWEST + " images, has "
                    + others.count());
        }
        try {
            return scores.heldOut(others);
        } catch (IllegalArgumentException e) {
            throw new UserError("--held-out " + given + ": " + e.getMessage(), e);
        }
    }

    private static Tensor at(Tensor images, int[] rows) {
        int row = image(images.shape()).size();
        FeatureRows all = new FeatureRows(images.floats(), row);
        return Tensor.of(images.shape().with(0, rows.length), all.at(rows).values());
    }

    private static ScoreTable table(ImageSetScores scores, Tensor samples, int[] labels, int threads) {
        int count = samples.shape().get(0);
        return new ScoreTable(
                OptionalInt.of(count),
                scores.of(samples, labels, threads),
                scores.references(count, labels.length > 0, threads),
                ImageSetScores.ranges());
    }

    private void print(ScoreTable table) {
        if (json) {
            workplace.terminal().say(JsonLines.line(table.json(Map.of())));
        } else {
            table.lines().forEach(workplace.terminal()::say);
        }
    }
}
