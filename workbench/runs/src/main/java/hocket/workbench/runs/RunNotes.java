package hocket.workbench.runs;

import hocket.schedulers.checkpoint.AtomicFile;
import hocket.schedulers.checkpoint.FileWork;
import hocket.workbench.files.json.JsonDocument;
import java.io.UncheckedIOException;
import java.util.List;

/**
 * People's notes on a run: {@code notes.json} in its folder. Training neither reads nor writes it.
 *
 * @param tags words to find runs by, each once
 * @param note a text
 */
public record RunNotes(List<String> tags, String note) {
    /** The notes of a run without notes. */
    public static final RunNotes NONE = new RunNotes(List.of(), "");

    private static final int MOST_TAGS = 20;
    private static final int LONGEST_TAG = 40;
    private static final int LONGEST_NOTE = 10_000;

    /** @throws IllegalArgumentException if a tag or the note is invalid, naming the key */
    public RunNotes {
        tags = List.copyOf(tags);
        if (tags.size() > MOST_TAGS) {
            throw new IllegalArgumentException("tags: must be at most " + MOST_TAGS + ", were " + tags.size());
        }
        for (String tag : tags) {
            if (tag.isBlank() || tag.length() > LONGEST_TAG || tag.chars().anyMatch(RunNotes::separates)) {
                throw new IllegalArgumentException("tags: each must be 1 to " + LONGEST_TAG
                        + " characters without commas and line ends, was \"" + tag + "\"");
            } else if (tags.indexOf(tag) != tags.lastIndexOf(tag)) {
                throw new IllegalArgumentException("tags: " + tag + " is there twice");
            }
        }
        if (note.length() > LONGEST_NOTE) {
            throw new IllegalArgumentException(
                    "note: must be at most " + LONGEST_NOTE + " characters long, was " + note.length());
        }
    }

    private static boolean separates(int letter) {
        return letter == ',' || Character.isISOControl(letter);
    }

    /**
     * Reads notes from the text of a file or request.
     *
     * @throws IllegalArgumentException if it is not an object of notes
     */
    public static RunNotes read(String json) {
        try {
            return JsonDocument.readWhole(json, RunNotes.class);
        } catch (IllegalArgumentException e) {
            boolean isRefusedHere = e.getCause() != null && e.getCause().getCause() instanceof IllegalArgumentException;
            throw isRefusedHere
                    ? e
                    : new IllegalArgumentException(
                            "notes must be an object such as {\"tags\": [\"wide\"], \"note\": \"a text\"}", e);
        }
    }

    /** @throws UncheckedIOException if writing fails */
    public void write(RunFolder folder) {
        FileWork.run(
                folder.notes() + " could not be written",
                () -> AtomicFile.write(folder.notes(), JsonDocument.line(this) + "\n"));
    }
}
