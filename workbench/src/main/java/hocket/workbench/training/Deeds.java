package hocket.workbench.training;

import hocket.schedulers.Deed;
import hocket.schedulers.Evaluation;
import hocket.schedulers.Event;
import hocket.schedulers.Run;
import hocket.schedulers.Scheduler;
import hocket.schedulers.State;
import hocket.schedulers.checkpoint.Checkpoints;
import hocket.scopes.Parameters;
import hocket.workbench.json.JsonLines;
import hocket.workbench.runs.Best;
import hocket.workbench.runs.FolderRecorder;
import hocket.workbench.runs.RunFolder;
import hocket.workbench.runs.SavedRun;
import hocket.workbench.runs.Selected;
import hocket.workbench.terminal.Figures;
import hocket.workbench.terminal.Page;
import hocket.workbench.terminal.Terminal;
import java.awt.AWTError;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** What is done beside training: samples, validation, checkpoints, scores; into the run's folder, and told to a person. */
public final class Deeds {
    private static final int GRID = 64;
    private static final int EPISODES = 20;

    private final Selected selected;
    private final RunFolder folder;
    private final FolderRecorder recorder;
    private final MetricMeans means;
    private final Best best;
    private final Terminal terminal;
    private final Consumer<String> person;
    private long sampledAt = -1;
    private long savedAt = -1;
    private long validatedAt = -1;
    private long scoredAt = -1;
    private long offeredAt = -1;
    private SortedMap<String, Double> last = new TreeMap<>();

    /** @param person takes lines, unless there is nobody to tell */
    Deeds(
            Selected selected,
            RunFolder folder,
            FolderRecorder recorder,
            MetricMeans means,
            Best best,
            Terminal terminal,
            Consumer<String> person) {
        this.selected = selected;
        this.folder = folder;
        this.recorder = recorder;
        this.means = means;
        this.best = best;
        this.terminal = terminal;
        this.person = person;
    }

    /** Whether samples can be seen. */
    boolean hasSampled() {
        return sampledAt >= 0 && Files.exists(folder.samples().resolve("latest.png"));
    }

    /** Whether a checkpoint was written. */
    boolean hasSaved() {
        return savedAt >= 0;
    }

    /** What is best so far. */
    Optional<Best.Kept> kept() {
        return best.kept();
    }

    /** Whether a deed keeps the best. */
    static boolean keepsBest(Deed deed) {
        return deed == Deed.Usual.BEST || deed instanceof Deed.Best;
    }

    /** The action of a deed that keeps the best. */
    Consumer<Run> best(Deed deed, Scheduler scheduler) {
        OptionalInt episodes = deed instanceof Deed.Best asked ? OptionalInt.of(asked.episodes()) : OptionalInt.empty();
        return now -> keepIfBest(scheduler, episodes);
    }

    /** The action of a deed that keeps no best. */
    Consumer<Run> of(Deed deed) {
        if (deed instanceof Deed.Own own) {
            return own.action();
        } else if (deed instanceof Deed.Set set) {
            return set::act;
        } else if (deed instanceof Deed.Scale scale) {
            return scale::act;
        }
        return switch ((Deed.Usual) deed) {
            case SAVE -> this::save;
            case SAMPLES -> this::sample;
            case VALIDATE -> this::validate;
            case SCORE -> now -> score(now.position(), now.parameters());
            case STOP -> Run::stop;
            case BEST -> throw new IllegalArgumentException("the best is kept by best(…)");
        };
    }

    /** Draws samples for the eye, once for each place of a run. */
    void sample(Run now) {
        Event.Position at = now.position();
        if (selected.setup().samples().isEmpty() || at.step() == sampledAt) {
            return;
        }
        try {
            draw(now, at, new Samples(selected.setup().samples().get()));
        } catch (RuntimeException | LinkageError | AWTError e) { // a picture is no reason to lose a run
            recorder.text(at, "no samples", trace(e));
            terminal.remark("hocket: no samples: " + e.getMessage() + "; log.txt says where");
        }
        sampledAt = at.step();
    }

    private void draw(Run now, Event.Position at, Samples samples) {
        if (samples.areImages()) {
            recorder.images(at, name(at), samples.few(now.parameters(), GRID));
        } else if (samples.arePoints()) {
            recorder.picture(
                    name(at),
                    file -> new PointsPicture(selected.networks(), selected.setup(), samples)
                            .write(file, now.parameters(), name(at).replaceAll("-0*(?=\\d)", " ")));
        }
    }

    private String name(Event.Position at) {
        return selected.setup().feeds().isEmpty()
                ? String.format(Locale.ROOT, "round-%06d", at.round())
                : String.format(Locale.ROOT, "epoch-%04d", (long) Math.floor(at.epoch() + 1e-9));
    }

    /** Computes the validation's metric, once for each place of a run. */
    void validate(Run now) {
        selected.setup().validation().ifPresent(validation -> {
            Event.Position at = now.position();
            if (at.step() == validatedAt) {
                return;
            }
            validatedAt = at.step();
            double mean = validation.mean(now.parameters());
            recorder.scalar(at, "validation", validation.metric(), mean);
            recorder.text(at, "validation", validation.metric() + " " + Figures.shortly(mean));
            terminal.erase();
            person.accept("validation " + validation.metric() + " " + Figures.shortly(mean) + " after "
                    + name(at).replace('-', ' ').replaceAll(" 0+(?=\\d)", " "));
        });
    }

    /** Metrics first: what is beyond the checkpoint is dropped when a run goes on, what is missing stays missing. */
    void save(Run now) {
        Event.Position at = now.position();
        if (at.step() == savedAt) {
            return;
        }
        means.record(at);
        recorder.flush();
        now.save();
        best.dropFormer();
        savedAt = at.step();
        recorder.text(at, "saved", String.format(Locale.ROOT, "round %d, epoch %.2f", at.round(), at.epoch()));
    }

    /** Judges the parameters, once for each place of a run. */
    private void score(Event.Position at, Parameters parameters) {
        Optional<Evaluation> evaluation = selected.setup().evaluation();
        if (evaluation.isPresent() && scoredAt != at.step()) {
            judged(at, () -> evaluation.get().scores(parameters)).ifPresent(scores -> {
                record(at, scores);
                say(at, "scores", scores);
                last = scores;
                scoredAt = at.step();
            });
        }
    }

    /** The scores, unless they cannot be had, which is no reason to lose a run. */
    private Optional<SortedMap<String, Double>> judged(Event.Position at, Supplier<SortedMap<String, Double>> scores) {
        try {
            return Optional.of(scores.get());
        } catch (RuntimeException e) {
            recorder.text(at, "no scores", trace(e));
            terminal.remark("hocket: no scores: " + e.getMessage() + "; log.txt says where");
            return Optional.empty();
        }
    }

    private void record(Event.Position at, SortedMap<String, Double> scores) {
        scores.forEach((name, value) -> recorder.scalar(at, "evaluation", name, value));
    }

    private void say(Event.Position at, String what, SortedMap<String, Double> scores) {
        String line = scores.entrySet().stream()
                .map(entry -> entry.getKey() + " " + String.format(Locale.ROOT, "%.3f", entry.getValue()))
                .collect(Collectors.joining(", "));
        recorder.text(at, what, line);
        terminal.erase();
        new Page().entry(what, 9, line).lines().forEach(person);
    }

    /** Judges the parameters and keeps them if they are the best, once for each place of a run. */
    private void keepIfBest(Scheduler scheduler, OptionalInt episodes) {
        Event.Position at = scheduler.position();
        Optional<Evaluation> usual = selected.setup().evaluation();
        Optional<Evaluation.Merit> merit = usual.flatMap(Evaluation::merit);
        if (usual.isEmpty() || merit.isEmpty() || at.step() == offeredAt) {
            return;
        }
        offeredAt = at.step();
        Optional<SortedMap<String, Double>> scores =
                judged(at, () -> over(usual.get(), episodes).scores(scheduler.parameters()));
        if (scores.isEmpty()) {
            return;
        }
        record(at, scores.get());
        boolean isBest = best.offer(at.step(), scores.get(), merit.get(), scheduler::save);
        say(at, isBest ? "best" : "scores", scores.get());
    }

    private static Evaluation over(Evaluation usual, OptionalInt episodes) {
        try {
            return usual.selecting(episodes.orElse(EPISODES));
        } catch (IllegalArgumentException e) {
            if (episodes.isPresent()) {
                throw e;
            }
            return usual; // not made of episodes
        }
    }

    /** Judges the best parameters, or those of the end where no best ones were kept, and keeps the scores in a file. */
    void finalScore(Scheduler scheduler) {
        Event.Position at = scheduler.position();
        if (best.kept().isPresent()) {
            scoreBest(at, best.kept().get());
        } else {
            person.accept("scoring, which takes a few seconds...");
            score(at, scheduler.parameters());
        }
        if (scoredAt != at.step()) {
            return;
        }
        try {
            Files.writeString(folder.scores(), JsonLines.line(last) + "\n");
        } catch (IOException e) {
            throw new UncheckedIOException(folder.scores() + " could not be written: " + e.getMessage(), e);
        }
    }

    /** Judges the best in a run of its own. No metric is recorded: it would be one of another place. */
    private void scoreBest(Event.Position at, Best.Kept kept) {
        person.accept("scoring the best, of step " + kept.step() + ", which takes a few seconds...");
        scoredAt = -1;
        try {
            State state = Checkpoints.read(folder.best(), kept.step());
            Selected again = selected.again();
            Evaluation evaluation = again.setup().evaluation().orElseThrow();
            judged(at, () -> new SavedRun(folder, state).with(again, evaluation::scores))
                    .ifPresent(scores -> {
                        say(at, "scores", scores);
                        last = scores;
                        scoredAt = at.step();
                    });
        } catch (IOException e) {
            throw new UncheckedIOException(String.valueOf(e.getMessage()), e);
        }
    }

    /** An error as the log keeps it. */
    static String trace(Throwable failure) {
        StringWriter trace = new StringWriter();
        failure.printStackTrace(new PrintWriter(trace));
        return trace.toString().strip();
    }
}
