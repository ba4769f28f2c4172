package hocket.workbench.live.views;

import hocket.schedulers.checkpoint.AtomicFile;
import hocket.schedulers.checkpoint.Checkpoints;
import hocket.schedulers.checkpoint.FileWork;
import hocket.schedulers.evaluation.Film;
import hocket.workbench.pictures.plot.Animation;
import hocket.workbench.runs.CheckpointedRun;
import hocket.workbench.runs.NumberedNames;
import hocket.workbench.runs.RunFolder;
import hocket.workbench.runs.SelectedExperiment;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Records films of an episode for each saved checkpoint: {@code films/NNNNNNNN.gif}. They are recorded on a copy during
 * training, one at a time, for at most a fifth of the time; a failed film is left out and does not stop training. After
 * closing, nothing is written.
 */
public final class EpisodeFilms implements AutoCloseable {
    private static final long LEAST_NANOS = 3_000_000_000L;
    private static final int SHARE = 4;
    private static final int KEPT = 20;
    /** The duration of the last frame, in hundredths of a second. */
    private static final int LAST = 100;

    private final RunFolder run;
    private final Supplier<SelectedExperiment> copy;
    private final Consumer<String> made;
    private final AtomicBoolean busy = new AtomicBoolean();
    private volatile long next = System.nanoTime();
    private boolean isOver;

    /**
     * @param copy a copy of the experiment, which nobody trains
     * @param made receives the name of each new film
     */
    public EpisodeFilms(RunFolder run, Supplier<SelectedExperiment> copy, Consumer<String> made) {
        this.run = run;
        this.copy = copy;
        this.made = made;
    }

    /** A checkpoint is there. */
    public void saved(long step) {
        if (System.nanoTime() - next < 0 || !busy.compareAndSet(false, true)) {
            return;
        }
        Thread thread = new Thread(() -> film(step), "film");
        thread.setDaemon(true);
        thread.setPriority(Thread.MIN_PRIORITY);
        thread.start();
    }

    private void film(long step) {
        long began = System.nanoTime();
        try {
            SelectedExperiment selectedExperiment = copy.get();
            Film film = selectedExperiment.setup().film().orElseThrow();
            String name = Checkpoints.name(step);
            int hundredths = Animation.hundredths(film.milliseconds());
            Path folder = run.path().resolve("films");
            try (Animation animation = new Animation(LAST)) {
                CheckpointedRun.open(run, OptionalLong.of(step)).with(selectedExperiment, parameters -> {
                    film.play(parameters, selectedExperiment.seed(), 1, new Smaller(animation, 2 * hundredths));
                    return true;
                });
                if (animation.frames() > 0) {
                    write(folder, name, animation);
                }
            }
        } catch (IOException | RuntimeException e) {
            // the checkpoint may be gone, or the disk full
        } finally {
            long ended = System.nanoTime();
            next = ended + Math.max(LEAST_NANOS, SHARE * (ended - began));
            busy.set(false);
        }
    }

    private synchronized void write(Path folder, String name, Animation animation) throws IOException {
        if (!isOver) {
            Files.createDirectories(folder);
            AtomicFile.write(folder.resolve(name + ".gif"), animation.bytes());
            forget(folder);
            made.accept(name);
        }
    }

    /** A film that is being written is waited for; one that is being played is not. */
    @Override
    public synchronized void close() {
        isOver = true;
    }

    /** Every second frame at half its size: compression takes most of the time. */
    private static final class Smaller implements Consumer<BufferedImage> {
        private final Animation animation;
        private final int hundredths;
        private int frames;

        Smaller(Animation animation, int hundredths) {
            this.animation = animation;
            this.hundredths = hundredths;
        }

        @Override
        public void accept(BufferedImage frame) {
            if (frames++ % 2 != 0) {
                return;
            }
            int width = Math.max(1, frame.getWidth() / 2);
            int height = Math.max(1, frame.getHeight() / 2);
            BufferedImage half = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
            Graphics2D pen = half.createGraphics();
            pen.setRenderingHint(RenderingHints.KEY_INTERPOLATION, RenderingHints.VALUE_INTERPOLATION_BILINEAR);
            pen.drawImage(frame, 0, 0, width, height, null);
            pen.dispose();
            animation.add(half, hundredths);
        }
    }

    private static void forget(Path folder) throws IOException {
        List<Path> all =
                FileWork.in(folder).stream().sorted(NumberedNames.OF_FILES).toList();
        for (Path old : all.subList(0, Math.max(0, all.size() - KEPT))) {
            Files.deleteIfExists(old);
        }
    }
}
