package hocket.workbench.live.handlers;

import hocket.workbench.files.json.JsonLines;
import hocket.workbench.live.http.AccessGuard;
import hocket.workbench.live.http.HttpError;
import hocket.workbench.live.http.PublicFiles;
import hocket.workbench.live.http.Query;
import hocket.workbench.live.views.JournalEntry;
import hocket.workbench.live.views.ServedRun;
import hocket.workbench.runs.Journal;
import hocket.workbench.runs.NumberedNames;
import hocket.workbench.runs.RegularFiles;
import hocket.workbench.runs.RunFolder;
import hocket.workbench.runs.RunNotes;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Serves the files of a run's folder: pictures, films, checkpoints, log, journal and the experiment. */
public final class FolderHandler {
    /** A grid of samples has tens of kilobytes, a long film has some megabytes. */
    private static final long MOST_PICTURE_BYTES = 64 << 20;
    /** An experiment file has a page or two. */
    private static final long MOST_TEXT_BYTES = 1 << 20;
    /** A limit, so that no request makes the server read a log of gigabytes. */
    private static final int MOST_LOG_BYTES = 1 << 20;

    private static final String LATEST = "latest";
    private static final Pattern PICTURE = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,199}");
    private static final Pattern CHECKPOINT = Pattern.compile("[0-9]{8,18}");

    private FolderHandler() {}

    public record Experiment(String yaml, Map<String, String> settings) {}

    public static Experiment experiment(ServedRun run) {
        return new Experiment(
                new String(PublicFiles.bytes(run.folder().experiment(), MOST_TEXT_BYTES), StandardCharsets.UTF_8),
                run.experiment().file().settings());
    }

    public record Picture(String name, @Nullable Long step, double time) {}

    public record Samples(List<Picture> samples) {}

    public record Films(List<Picture> films) {}

    /** A kind of picture: its folder and its media type. */
    public enum Kind {
        SAMPLE("samples", ".png", "image/png"),
        FILM("films", ".gif", "image/gif");

        private final String folder;
        private final String ending;
        private final String type;

        Kind(String folder, String ending, String type) {
            this.folder = folder;
            this.ending = ending;
            this.type = type;
        }

        /** The name in the API: {@code samples}. */
        String word() {
            return folder;
        }

        public String type() {
            return type;
        }
    }

    public static Samples samples(ServedRun run) {
        List<Picture> found = pictures(run, Kind.SAMPLE);
        Path folder = run.folder().samples();
        Path latest = folder.resolve(LATEST + Kind.SAMPLE.ending);
        boolean isWatched = run.steering().isPresent(); // then ticks tell of it
        if (!isWatched
                && RegularFiles.isFolder(folder)
                && RegularFiles.isFile(latest)
                && !isKept(latest, folder, found)) {
            found.add(new Picture(LATEST, null, seconds(latest)));
        }
        return new Samples(found);
    }

    /** Returns whether the latest picture is the last one that was kept. */
    private static boolean isKept(Path latest, Path folder, List<Picture> kept) {
        Optional<Picture> last = kept.stream().max(Comparator.comparingDouble(Picture::time));
        try {
            return last.isPresent()
                    && Files.mismatch(latest, folder.resolve(last.get().name() + Kind.SAMPLE.ending)) < 0;
        } catch (IOException e) {
            return true; // one of them has been deleted
        }
    }

    public static Films films(ServedRun run) {
        return new Films(pictures(run, Kind.FILM));
    }

    private static List<Picture> pictures(ServedRun run, Kind kind) {
        List<Picture> found = new ArrayList<>();
        for (Path file : PublicFiles.in(run.folder().path().resolve(kind.folder))) {
            String name = String.valueOf(file.getFileName());
            String plain = name.substring(0, Math.max(0, name.length() - kind.ending.length()));
            if (name.endsWith(kind.ending)
                    && PICTURE.matcher(plain).matches()
                    && !plain.equals(LATEST)
                    && RegularFiles.isFile(file)) {
                found.add(new Picture(plain, null, seconds(file)));
            }
        }
        found.sort(Comparator.comparing(Picture::name, NumberedNames.ORDER));
        return found;
    }

    /** Returns a picture by its plain name; a path out of the folder is rejected. */
    public static byte[] picture(ServedRun run, Kind kind, String name) {
        Path folder = run.folder().path().resolve(kind.folder);
        if (!PICTURE.matcher(name).matches() || !RegularFiles.isFolder(folder)) {
            throw HttpError.missing("there is no picture " + AccessGuard.shown(name) + " in " + kind.folder);
        }
        return PublicFiles.bytes(folder.resolve(name + kind.ending), MOST_PICTURE_BYTES);
    }

    public record Checkpoint(long step, double time, long bytes, boolean best) {}

    public record Checkpoints(List<Checkpoint> checkpoints) {}

    public static Checkpoints checkpoints(ServedRun run) {
        RunFolder folder = run.folder();
        List<Checkpoint> found = new ArrayList<>();
        for (Path parent : List.of(folder.checkpoints(), folder.best())) {
            Predicate<Path> isOne = entry ->
                    CHECKPOINT.matcher(String.valueOf(entry.getFileName())).matches() && RegularFiles.isFolder(entry);
            for (Path entry : PublicFiles.in(parent).stream()
                    .filter(isOne)
                    .sorted(NumberedNames.OF_FILES)
                    .toList()) {
                Checkpoint checkpoint = new Checkpoint(
                        Long.parseLong(String.valueOf(entry.getFileName())),
                        seconds(entry),
                        bytes(entry),
                        parent.equals(folder.best()));
                if (RegularFiles.isFolder(entry)) { // the run may have deleted it meanwhile
                    found.add(checkpoint);
                }
            }
        }
        return new Checkpoints(found);
    }

    private static long bytes(Path folder) {
        long sum = 0;
        for (Path file : PublicFiles.in(folder)) {
            try {
                sum += RegularFiles.isFile(file) ? Files.size(file) : 0;
            } catch (IOException e) {
                // a run deletes old checkpoints
            }
        }
        return sum;
    }

    /** Returns when the file was written, since 1970; 0 if it has been deleted meanwhile. */
    private static double seconds(Path file) {
        try {
            return Files.getLastModifiedTime(file, LinkOption.NOFOLLOW_LINKS).toMillis() / 1000.0;
        } catch (IOException e) {
            return 0;
        }
    }

    public record Log(List<String> lines) {}

    public static Log log(ServedRun run, Query query) {
        int lines = query.whole("lines");
        return new Log(RegularFiles.lastLines(run.folder().log(), lines, MOST_LOG_BYTES));
    }

    /**
     * Serves the result of a run and people's notes on it.
     *
     * @param scores final scores by name; empty before the end
     */
    public record About(Map<String, Double> scores, List<String> tags, String note) {}

    public static About about(ServedRun run) {
        RunFolder folder = run.folder();
        PublicFiles.requireNoLink(folder.scores());
        RunNotes notes = Files.exists(folder.notes())
                ? RunNotes.read(new String(PublicFiles.bytes(folder.notes(), MOST_TEXT_BYTES), StandardCharsets.UTF_8))
                : RunNotes.NONE;
        Map<String, Double> scores = Files.exists(folder.scores()) ? JsonLines.numbers(folder.scores()) : Map.of();
        return new About(scores, notes.tags(), notes.note());
    }

    /** @throws HttpError if the request is invalid */
    public static About note(ServedRun run, String body) {
        RunNotes notes = HttpError.unless(() -> RunNotes.read(body));
        PublicFiles.requireNoLink(run.folder().notes());
        notes.write(run.folder());
        return about(run);
    }

    public static JournalEntry.All journal(ServedRun run) {
        PublicFiles.requireNoLink(run.folder().journal());
        return new JournalEntry.All(Journal.readTimed(run.folder().journal()).stream()
                .map(command -> JournalEntry.of(command.applied(), command.time()))
                .toList());
    }
}
