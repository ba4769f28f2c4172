package hocket.workbench.commands;

import hocket.gan.data.ImageGrid;
import hocket.gan.data.Npy;
import hocket.programs.Program;
import hocket.programs.Session;
import hocket.schedulers.Setup;
import hocket.schedulers.rings.Samples;
import hocket.workbench.runs.Failure;
import hocket.workbench.runs.RunFolder;
import hocket.workbench.runs.SavedRun;
import hocket.workbench.runs.Selected;
import hocket.workbench.runs.Workplace;
import hocket.workbench.terminal.Figures;
import hocket.workbench.terminal.Refusal;
import hocket.workbench.terminal.Terminal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Draws samples from a run's generator. */
@Command(
        name = "sample",
        header = "Draws samples from the generator of a run.",
        description = {
            "",
            "The newest checkpoint draws. The same run, count and seed give the same samples. A .npy file holds them"
                    + " as float32 (count, channels, height, width) in -1..1, a .png file as one picture.",
            ""
        },
        sortOptions = false,
        usageHelpWidth = Terminal.COLUMNS,
        footer = {
            "",
            "For example:",
            "  hocket sample runs/digits-gan --count 100 --out samples.png",
            "  hocket sample runs/digits-gan --count 1797 --out samples.npy"
        })
public final class SampleCommand implements Runnable {
    private final Workplace workplace;

    public SampleCommand(Workplace workplace) {
        this.workplace = workplace;
    }

    private static final int LARGEST_PICTURE = 1 << 25;
    private static final int WIDE = 800;

    @Parameters(paramLabel = "RUN", description = "a run folder, such as runs/digits-gan")
    private String run = "";

    @Option(names = "--count", paramLabel = "N", required = true, description = "how many")
    private int count;

    @Option(names = "--label", paramLabel = "L", description = "of that class, where the generator knows classes")
    private @Nullable Integer label;

    @Option(names = "--seed", paramLabel = "S", description = "of the noise; the run's own without")
    private @Nullable Long seed;

    @Option(names = "--best", description = "draw from the best checkpoint, of a run that keeps one")
    private boolean best;

    @Option(names = "--out", paramLabel = "FILE", required = true, description = "a file that ends in .npy or .png")
    private String out = "";

    @Override
    public void run() {
        Path file = workplace.path(out);
        check(file);
        SavedRun saved = SavedRun.open(new RunFolder(workplace.path(run)), best);
        Selected selected = saved.selected(workplace);
        Setup setup = selected.setup();
        Program program = setup.samples()
                .orElseThrow(() -> new Refusal("experiment " + selected.name() + " has nothing to draw samples from"));
        Samples samples =
                Refusal.unless(() -> new Samples(program, label == null ? OptionalInt.empty() : OptionalInt.of(label)));
        if (isPicture() && !samples.areImages()) {
            throw new Refusal("samples of " + selected.name() + " have shape " + samples.shape()
                    + ", which is no picture: write a .npy file");
        }
        try (hocket.scopes.Parameters parameters = saved.parameters(setup, seed == null ? selected.seed() : seed);
                Session session = Session.over(parameters, selected.file().threads())) {
            write(file, samples, Failure.unless(() -> Refusal.unless(() -> samples.draw(session, count))));
        }
        workplace
                .terminal()
                .remark("wrote " + Figures.grouped(count) + (count == 1 ? " sample" : " samples") + " "
                        + samples.shape() + " to " + file);
    }

    private boolean isPicture() {
        return out.endsWith(".png");
    }

    private void check(Path file) {
        if (count < 1) {
            throw new Refusal("--count must be at least 1, was " + count);
        }
        if (!isPicture() && !out.endsWith(".npy")) {
            throw new Refusal("--out must end in .npy or .png, was " + out);
        }
        Path folder = file.toAbsolutePath().getParent();
        if (folder == null || !Files.isDirectory(folder)) {
            throw new Refusal("--out " + out + ": there is no folder " + folder);
        }
    }

    private void write(Path file, Samples samples, float[] drawn) {
        if (!isPicture()) {
            int[] row = samples.shape().extents();
            int[] shape =
                    IntStream.concat(IntStream.of(count), IntStream.of(row)).toArray();
            Refusal.unless(() -> {
                Npy.write(file, drawn, shape);
                return file;
            });
            return;
        }
        int height = samples.shape().get(1);
        int width = samples.shape().get(2);
        int columns = (int) Math.ceil(Math.sqrt(count));
        int scale = Math.max(1, Math.min(56 / height, WIDE / (columns * width)));
        while (scale > 1 && (long) count * height * width * scale * scale > LARGEST_PICTURE) {
            scale--;
        }
        ImageGrid grid = new ImageGrid(columns, Math.min(3, scale), scale);
        Refusal.unless(() -> {
            grid.write(file, drawn, samples.shape().get(0), height, width);
            return file;
        });
    }
}
