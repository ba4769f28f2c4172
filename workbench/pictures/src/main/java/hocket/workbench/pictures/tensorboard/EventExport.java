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
 * What a run's folder still has of its way, as events: all figures, all pictures, and the parameters of those checkpoints that
 * are kept. Its pictures do not say after which turn they were drawn; that is reckoned from the epoch or round in their names.
 */
final class EventExport {
    private static final String PNG = ".png";
    private static final String LATEST = "latest";

    private final RunFolder run;
    private final Event.@Nullable Position goesOn;
    private final EventFile into;
    private final Timeline timeline = new Timeline();

    /**
     * @param goesOn where the run goes on: what came later does not count; null for all that is there
     */
    EventExport(RunFolder run, Event.@Nullable Position goesOn, EventFile into) {
        this.run = run;
        this.goesOn = goesOn;
        this.into = into;
    }

    /**
     * Writes them.
     *
     * @param told hears what is left out as it cannot be read
     * @throws IllegalArgumentException if metrics.jsonl is damaged, naming file and line
     * @throws UncheckedIOException if the disk refuses
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

    /** In the order in which they were drawn. */
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
