package hocket.workbench.live.peers;

import hocket.workbench.json.JsonDocument;
import hocket.workbench.live.http.BlockingWork;
import hocket.workbench.live.views.RunFacts;
import hocket.workbench.live.views.ServedRun;
import hocket.workbench.runs.RunFolder;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The processes that serve runs of a folder: who they are, and what they say of their runs. Each is asked at most once a second,
 * whoever wants to know, and again where it has failed to answer something since; one that does not answer soon is none. On the
 * server's thread.
 */
public final class PeerRunners {
    private static final long FRESH_MILLIS = 1000;
    /** It is on this machine, and answers from memory; but others may compute on all cores. */
    private static final long LONGEST_MILLIS = 5000;
    /** A list of runs is not kept waiting by one of them. */
    private static final long SOON_MILLIS = 1000;

    private static final long MOST_BYTES = 1 << 20;
    private static final int OK = 200;

    private final BlockingWork work;
    private final HttpClient client;
    private final Map<Path, Future<Optional<Neighbour>>> seen = new HashMap<>();

    PeerRunners(BlockingWork work, HttpClient client) {
        this.work = work;
        this.client = client;
    }

    /**
     * One that has answered.
     *
     * @param facts what it said of its run
     */
    public record Neighbour(Peer at, RunFacts facts) {}

    /** Who serves a run; empty where nobody does, or nobody who answers. Never fails. */
    Future<Optional<Neighbour>> of(ServedRun run) {
        Path folder = run.folder().path();
        Future<Optional<Neighbour>> known = seen.get(folder);
        if (known != null) {
            return known;
        }
        Future<Optional<Neighbour>> asked = ask(run);
        seen.put(folder, asked);
        asked.onComplete(done -> work.vertx().setTimer(FRESH_MILLIS, stale -> seen.remove(folder, asked)));
        return asked;
    }

    /** The same, where it is there soon; meanwhile there is none. */
    public Future<Optional<Neighbour>> soon(ServedRun run) {
        Promise<Optional<Neighbour>> first = Promise.promise();
        long timer = work.vertx().setTimer(SOON_MILLIS, late -> first.tryComplete(Optional.empty()));
        of(run).onSuccess(found -> {
            work.vertx().cancelTimer(timer);
            first.tryComplete(found);
        });
        return first.future();
    }

    /** It did not answer just now: the next who wants to know asks again. */
    void forget(ServedRun run) {
        seen.remove(run.folder().path());
    }

    private Future<Optional<Neighbour>> ask(ServedRun run) {
        return work.run(() -> LiveAddress.found(run.folder()).flatMap(Peer::of))
                .compose(at -> at.isEmpty() ? Future.succeededFuture(Optional.<Neighbour>empty()) : ask(run, at.get()))
                .otherwise(Optional.empty());
    }

    private Future<Optional<Neighbour>> ask(ServedRun run, Peer at) {
        return client.request(at.request(HttpMethod.GET, "").setTimeout(LONGEST_MILLIS))
                .compose(request -> request.send())
                .compose(PeerRunners::body)
                .timeout(LONGEST_MILLIS, TimeUnit.MILLISECONDS)
                .compose(body -> work.run(() -> Optional.of(JsonDocument.read(body, RunFacts.class))
                        .filter(facts -> isOf(facts, run))
                        .map(facts -> new Neighbour(at, facts))));
    }

    private static Future<String> body(HttpClientResponse answer) {
        String length = answer.getHeader("Content-Length");
        if (answer.statusCode() != OK
                || length == null
                || !length.matches("\\d{1,9}")
                || Long.parseLong(length) > MOST_BYTES) {
            answer.request().reset();
            return Future.failedFuture("this is none of ours");
        }
        return answer.body().map(body -> body.toString(StandardCharsets.UTF_8));
    }

    /** Whether it speaks of that very folder, not of one of which that is a copy. */
    private static boolean isOf(RunFacts facts, ServedRun run) {
        RunFolder folder = run.folder();
        try {
            return facts.identity().id().equals(run.id())
                    && Files.isSameFile(Path.of(facts.identity().folder()), folder.path());
        } catch (IOException e) {
            return false;
        }
    }
}
