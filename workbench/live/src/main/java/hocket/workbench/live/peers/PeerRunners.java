package hocket.workbench.live.peers;

import hocket.workbench.files.json.JsonDocument;
import hocket.workbench.live.http.BlockingWork;
import hocket.workbench.live.views.LiveAddress;
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
 * The processes that serve runs of a folder, and what they report of their runs. Each process gets at most one request
 * a second for all callers, and another one after a failure; one that does not answer soon is left out. Used by the
 * server's thread.
 */
public final class PeerRunners {
    private static final long FRESH_MILLIS = 1000;
    /** The time limit: it is on this machine and answers from memory, but others may compute on all cores. */
    private static final long LONGEST_MILLIS = 5000;
    /** The time limit of a list of runs, which one slow process must not delay. */
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
     * A process that has answered.
     *
     * @param facts the process's answer about its run
     */
    public record Neighbour(Peer at, RunFacts facts) {}

    /** Returns the process that serves a run; empty if there is none, or it does not answer. Never fails. */
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

    /** Returns the same if it is known soon; until then empty. */
    public Future<Optional<Neighbour>> soon(ServedRun run) {
        Promise<Optional<Neighbour>> first = Promise.promise();
        long timer = work.vertx().setTimer(SOON_MILLIS, late -> first.tryComplete(Optional.empty()));
        of(run).onSuccess(found -> {
            work.vertx().cancelTimer(timer);
            first.tryComplete(found);
        });
        return first.future();
    }

    /** Notes a failed request: the next caller asks again. */
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
            return Future.failedFuture("the server is not the run's");
        }
        return answer.body().map(body -> body.toString(StandardCharsets.UTF_8));
    }

    /** Returns whether the answer concerns this very folder and not a copy of it. */
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
