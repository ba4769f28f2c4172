package hocket.workbench.pictures.tensorboard;

import hocket.schedulers.Event;
import hocket.schedulers.checkpoint.Checkpoints;
import hocket.schedulers.checkpoint.FileWork;
import hocket.workbench.runs.RunFolder;
import hocket.workbench.runs.SampleName;
import hocket.workbench.runs.json.MetricLines;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Converts a run's folder into events: all metrics and images, and the parameters of the kept checkpoints. The turn of
 * an image is computed from the epoch or round in its name.
 */
final class EventExport {
    private static final String PNG = ".png";
    private static final String LATEST = "latest";

    private final RunFolder run;
    private final Event.@Nullable Position goesOn;
    private final EventFile into;
    private final Timeline timeline = new Timeline();

    /** @param goesOn the turn at which the run resumes, after which events are dropped; null for all */
    EventExport(RunFolder run, Event.@Nullable Position goesOn, EventFile into) {
        this.run = run;
        this.goesOn = goesOn;
        this.into = into;
    }

    /**
     * Writes the events.
     *
     * @param told receives messages on unreadable files that are skipped
     * @throws IllegalArgumentException if metrics.jsonl is damaged, naming file and line
     * @throws UncheckedIOException if writing fails
     */
    void write(Consumer<String> told) {
        if (Files.exists(run.metrics())) {
            MetricLines.readDrawn(run.metrics(), this::figure);
        }
        if (goesOn != null) {
            timeline.add(goesOn);
        }
        FileWork.run(run + " cannot be read", () -> {
            for (Path picture : pictures()) {
                picture(picture);
            }
            for (long number : Checkpoints.numbers(run.checkpoints())) {
                checkpoint(number, told);
            }
        });
        into.flush();
    }

    private void figure(MetricLines.Metric metric) {
        timeline.add(new Event.Position(metric.step(), metric.round(), metric.epoch()));
        add(Events.scalar(metric.time(), metric.step(), metric.turn() + "/" + metric.name(), metric.value()));
    }

    private void add(byte[] event) {
        if (into.add(event)) {
            into.flush();
        }
    }

    /** Returns the images in the order of their turns. */
    private List<Path> pictures() throws IOException {
        if (!Files.isDirectory(run.samples())) {
            return List.of();
        }
        return FileWork.in(run.samples()).stream()
                .filter(file -> String.valueOf(file.getFileName()).endsWith(PNG))
                .filter(file -> !name(file).equals(LATEST))
                .sorted(Comparator.comparingLong(file -> step(file).orElse(timeline.last())))
                .toList();
    }

    private static String name(Path picture) {
        String file = String.valueOf(picture.getFileName());
        return file.substring(0, file.length() - PNG.length());
    }

    private OptionalLong step(Path picture) {
        return SampleName.of(name(picture)).map(timeline::step).orElse(OptionalLong.empty());
    }

    private void picture(Path file) throws IOException {
        OptionalLong known = step(file);
        if (known.isEmpty() && goesOn != null) {
            return;
        }
        Optional<Png> picture = Png.of(Files.readAllBytes(file));
        if (picture.isPresent()) {
            add(Events.image(seconds(file), known.orElse(timeline.last()), name(file), picture.get()));
        }
    }

    private void checkpoint(long number, Consumer<String> told) throws IOException {
        if (goesOn != null && number > goesOn.step()) {
            return;
        }
        try {
            Events.histograms(
                            seconds(Checkpoints.place(run.checkpoints(), number)),
                            number,
                            Checkpoints.read(run.checkpoints(), number)
                                    .state("parameters")
                                    .snapshot())
                    .forEach(this::add);
        } catch (IOException | IllegalArgumentException e) {
            told.accept("no histograms of turn " + number + ": " + e.getMessage());
        }
    }

    private static double seconds(Path file) throws IOException {
        return Files.getLastModifiedTime(file).toMillis() / 1000.0;
    }
}
