package hocket.workbench.online;

import hocket.schedulers.Event;
import hocket.schedulers.Ring;
import hocket.schedulers.Run;
import hocket.schedulers.Source;
import hocket.schedulers.checkpoint.Checkpoints;
import hocket.schedulers.checkpoint.DiskFailureText;
import hocket.schedulers.state.State;
import hocket.scopes.SimilarNames;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The queues of a run's feeds from outside, in {@code queue/FEED/} of its folder, while it runs. As a ring it deletes
 * segments that no kept checkpoint needs.
 */
public final class OnlineQueues implements Ring, AutoCloseable {
    /** The name of the queues' folder in a run folder. */
    public static final String FOLDER = "queue";

    private final Map<String, DurableQueue> queues = new LinkedHashMap<>();
    private final List<OnlineSource> sources = new ArrayList<>();
    private final RowsObserver rowsObserver;

    /** The next row of each source, by a checkpoint's number and the source's name. */
    private final Map<Long, Map<String, Long>> rows = new HashMap<>();

    /** The next rows for checkpoints that are about to be written. */
    private final Map<Long, Map<String, Long>> saving = new HashMap<>();

    private String said = "";

    private OnlineQueues(RowsObserver rowsObserver) {
        this.rowsObserver = rowsObserver;
    }

    /**
     * Opens the queues of the sources that take rows from outside; without such sources no file is created.
     *
     * @param sources of a run that has begun, or was restored from its checkpoint
     * @param folder the run folder, which only this process writes to
     * @throws UncheckedIOException if a file of a queue was changed or is missing, naming file and place, or reading or
     *     writing fails
     * @throws IllegalArgumentException if a queue does not match its source, naming both
     */
    public static OnlineQueues open(Collection<Source> sources, Path folder, RowsObserver rowsObserver) {
        return open(sources, folder, rowsObserver, DurableQueue.SEGMENT_BYTES);
    }

    static OnlineQueues open(Collection<Source> sources, Path folder, RowsObserver rowsObserver, long segmentBytes) {
        OnlineQueues opened = new OnlineQueues(rowsObserver);
        try {
            for (Source source : sources) {
                if (source instanceof OnlineSource online) {
                    Path place = folder.resolve(FOLDER).resolve(online.feedName());
                    opened.queues.put(online.name(), online.open(place, segmentBytes, rowsObserver));
                    opened.sources.add(online);
                }
            }
            return opened;
        } catch (RuntimeException | Error e) {
            opened.close();
            throw e;
        }
    }

    /** Returns the open queues by feed name, to append rows. */
    public Map<String, DurableQueue> byFeed() {
        return Collections.unmodifiableMap(queues);
    }

    /**
     * The queue of a feed.
     *
     * @throws IllegalArgumentException if the name is unknown, naming similar ones
     */
    public DurableQueue of(String feed) {
        DurableQueue queue = queues.get(feed);
        if (queue == null) {
            throw new IllegalArgumentException(
                    "no feed from outside is called " + feed + SimilarNames.among(feed, queues.keySet()));
        }
        return queue;
    }

    /** Returns the open sources. */
    public List<OnlineSource> sources() {
        return Collections.unmodifiableList(sources);
    }

    @Override
    public void saving(Run run, Event.Saving now) {
        Map<String, Long> next = new HashMap<>();
        sources.forEach(source -> next.put(source.name(), OnlineSource.next(source.save())));
        saving.put(now.at().step(), next);
    }

    @Override
    public void notSaved(Run run, Event.NotSaved refused) {
        saving.remove(refused.at().step());
        rows.remove(refused.at().step()); // the files' content is unknown now
    }

    @Override
    public void saved(Run run, Event.Saved saved) {
        if (!sources.isEmpty()) {
            Map<String, Long> next = saving.remove(saved.at().step());
            if (next != null) {
                rows.put(saved.at().step(), next);
            }
            release(saved.folder());
        }
    }

    /** Deletes what no checkpoint needs; nothing if a checkpoint is unreadable, since it may need anything. */
    private void release(Path checkpoints) {
        try {
            List<Long> kept = Checkpoints.numbers(checkpoints);
            rows.keySet().retainAll(kept);
            Map<String, Long> oldest = new HashMap<>();
            for (long number : kept) {
                if (!rows.containsKey(number)) {
                    rows.put(number, rows(checkpoints, number));
                }
                rows.getOrDefault(number, Map.of()).forEach((name, next) -> oldest.merge(name, next, Math::min));
            }
            for (Map.Entry<String, DurableQueue> queue : queues.entrySet()) {
                queue.getValue().release(oldest.getOrDefault(queue.getKey(), 0L));
            }
        } catch (IOException e) {
            String line = "segments that no checkpoint needs any longer stay: " + DiskFailureText.of(e);
            if (!line.equals(said)) {
                said = line;
                rowsObserver.says(line);
            }
        }
    }

    private Map<String, Long> rows(Path checkpoints, long number) throws IOException {
        State saved = Checkpoints.read(checkpoints, number).state("sources");
        Map<String, Long> next = new HashMap<>();
        for (OnlineSource source : sources) {
            boolean isKnown = saved.has(source.name());
            next.put(source.name(), isKnown ? OnlineSource.next(saved.state(source.name())) : 0);
        }
        return next;
    }

    /** Closes the queues: appends are rejected from now on. */
    @Override
    public void close() {
        List<Runnable> all = new ArrayList<>();
        sources.forEach(source -> all.add(source::close));
        queues.values().forEach(queue -> all.add(queue::close));
        sources.clear();
        RuntimeException refused = null;
        for (Runnable each : all) {
            try {
                each.run();
            } catch (UncheckedIOException e) {
                refused = e;
            }
        }
        if (refused != null) {
            throw refused;
        }
    }
}
