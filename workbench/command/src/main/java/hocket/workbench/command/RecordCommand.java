package hocket.workbench.command;

import hocket.schedulers.checkpoint.AtomicFile;
import hocket.schedulers.checkpoint.FileWork;
import hocket.schedulers.evaluation.Film;
import hocket.schedulers.formats.Npz;
import hocket.scopes.Tensor;
import hocket.workbench.command.options.CheckpointOptions;
import hocket.workbench.files.UserError;
import hocket.workbench.pictures.plot.Animation;
import hocket.workbench.pictures.plot.PngBytes;
import hocket.workbench.runs.CheckpointedRun;
import hocket.workbench.runs.CommandFailure;
import hocket.workbench.runs.SelectedExperiment;
import hocket.workbench.terminal.NumberFormats;
import hocket.workbench.terminal.Spinner;
import java.awt.image.BufferedImage;
import java.nio.file.Path;
import java.util.Objects;
import java.util.SortedMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Records a film of a run's agent. */
@Command(
        name = "record",
        header = "Records a film or the steps of a run's agent in its environment.",
        description = {
            "",
            "A .gif file shows its episodes in sequence, a .png file their last frame, an .npz file"
                    + " their steps, to learn from without acting, with the mean returns of 100 further episodes of the agent"
                    + " and of actions at random, for normalised scores. The same run, checkpoint, episodes and seed give the same film.",
            ""
        },
        footer = {
            "",
            "For example:",
            "  hocket record runs/my-agent --out agent.gif",
            "  hocket record runs/my-agent --out agent.gif --episodes 3 --seed 1",
            "  hocket record runs/my-agent --out steps.npz --episodes 100 --random 0.3"
        })
public final class RecordCommand extends WorkplaceCommand implements Runnable {
    private static final int LAST = 100; // hundredths of a second
    private static final int MOST_EPISODES = 1000;
    private static final int MOST_RECORDED = 1_000_000;

    @Parameters(paramLabel = "RUN", description = "a run folder, such as runs/my-agent")
    private String run = "";

    @Option(
            names = "--out",
            paramLabel = "FILE",
            required = true,
            description = "a file that ends in .gif, .png or .npz")
    private String out = "";

    @Option(names = "--episodes", paramLabel = "N", description = "number of episodes; default: 1")
    private int episodes = 1;

    @Option(
            names = "--random",
            paramLabel = "SHARE",
            description = "share of the actions of an .npz file that are drawn at random; default: 0")
    private double random;

    @Option(names = "--seed", paramLabel = "S", description = "seed of the environments; default: the run's own")
    private @Nullable Long seed;

    @Mixin
    private final CheckpointOptions checkpoint = new CheckpointOptions();

    @Override
    public void run() {
        Path file = workplace.path(out);
        check(file);
        CheckpointedRun saved = checkpoint.open(workplace, run);
        SelectedExperiment selectedExperiment = saved.selected(workplace);
        Film film = selectedExperiment
                .setup()
                .film()
                .orElseThrow(() -> new UserError("experiment " + selectedExperiment.name() + " has no agent to film"));
        if (out.endsWith(".npz")) {
            steps(file, saved, selectedExperiment, film);
            return;
        }
        int frames = out.endsWith(".gif")
                ? animate(file, saved, selectedExperiment, film)
                : picture(file, saved, selectedExperiment, film);
        workplace
                .terminal()
                .remark("wrote " + NumberFormats.counted(frames, "frame") + " of "
                        + NumberFormats.counted(episodes, "episode") + " to " + file);
    }

    private void check(Path file) {
        boolean areSteps = out.endsWith(".npz");
        int most = areSteps ? MOST_RECORDED : MOST_EPISODES;
        if (episodes < 1 || episodes > most) {
            throw new UserError("--episodes must be 1 to " + most + ", was " + episodes);
        }
        if (!areSteps && !out.endsWith(".gif") && !out.endsWith(".png")) {
            throw new UserError("--out must end in .gif, .png or .npz, was " + out);
        }
        if (!(random >= 0 && random <= 1)) {
            throw new UserError("--random must be 0 to 1, was " + random);
        }
        if (random > 0 && !areSteps) {
            throw new UserError("--random is for .npz files, was " + random + " for " + out);
        }
        requireFolder("--out " + out, file.toAbsolutePath());
    }

    private void steps(Path file, CheckpointedRun saved, SelectedExperiment selectedExperiment, Film film) {
        long worlds = seed == null ? selectedExperiment.seed() : seed;
        SortedMap<String, Tensor> arrays = Spinner.during(
                workplace.terminal(),
                "recording",
                false,
                () -> saved.with(selectedExperiment, parameters -> film.steps(parameters, worlds, episodes, random)));
        if (arrays.isEmpty()) {
            throw new UserError("experiment " + selectedExperiment.name() + " has no steps to record");
        }
        UserError.unlessMade(file + " could not be written", () -> Npz.write(file, arrays));
        int count = arrays.values().stream()
                .mapToInt(array -> array.shape().rank() == 0 ? 0 : array.shape().get(0))
                .max()
                .orElse(0);
        workplace
                .terminal()
                .remark("wrote " + NumberFormats.counted(count, "step") + " of "
                        + NumberFormats.counted(episodes, "episode") + " to " + file);
    }

    private void play(
            CheckpointedRun saved, SelectedExperiment selectedExperiment, Film film, Consumer<BufferedImage> frames) {
        long worlds = seed == null ? selectedExperiment.seed() : seed;
        Spinner.during(
                workplace.terminal(),
                "filming",
                false,
                () -> saved.with(selectedExperiment, parameters -> {
                    film.play(parameters, worlds, episodes, frames);
                    return true;
                }));
    }

    private int animate(Path file, CheckpointedRun saved, SelectedExperiment selectedExperiment, Film film) {
        int shown = Animation.hundredths(film.milliseconds());
        try (Animation animation = new Animation(LAST)) {
            play(saved, selectedExperiment, film, frame -> animation.add(frame, shown));
            requireFrames(selectedExperiment, animation.frames());
            write(file, animation.bytes());
            return animation.frames();
        }
    }

    private int picture(Path file, CheckpointedRun saved, SelectedExperiment selectedExperiment, Film film) {
        Last last = new Last();
        play(saved, selectedExperiment, film, last);
        requireFrames(selectedExperiment, last.image == null ? 0 : 1);
        write(
                file,
                FileWork.get(file + " could not be written", () -> PngBytes.of(Objects.requireNonNull(last.image))));
        return 1;
    }

    /** Keeps the last picture. */
    private static final class Last implements Consumer<BufferedImage> {
        private @Nullable BufferedImage image;

        @Override
        public void accept(BufferedImage frame) {
            image = frame; // an environment that draws all frames into one image leaves the last there
        }
    }

    private static void requireFrames(SelectedExperiment selectedExperiment, int frames) {
        if (frames == 0) {
            throw new CommandFailure("the film of " + selectedExperiment.name() + " has no frame");
        }
    }

    private static void write(Path file, byte[] bytes) {
        UserError.unlessMade(file + " could not be written", () -> AtomicFile.write(file, bytes));
    }
}
