package hocket.workbench.live;

import hocket.schedulers.commands.Steering;
import hocket.workbench.command.Ran;
import hocket.workbench.files.json.JsonDocument;
import hocket.workbench.live.peers.RunLauncher;
import hocket.workbench.live.views.FolderRun;
import hocket.workbench.live.views.FolderRuns;
import hocket.workbench.live.views.LiveAddress;
import hocket.workbench.live.views.LiveCurves;
import hocket.workbench.live.views.RunFacts;
import hocket.workbench.live.views.ServedRun;
import hocket.workbench.online.DurableQueue;
import hocket.workbench.runs.CommandContext;
import hocket.workbench.runs.RunFolder;
import hocket.workbench.runs.SelectedExperiment;
import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A workbench over a folder, and a server of one of its runs, as it is in another process: what it says shows that it was asked. */
public final class Neighbourhood implements AutoCloseable {
    public static final String THERE = "said there";

    private final Path runs;
    private final RunFolder run;
    private final LiveServer there;
    private final LiveServer workbench;
    private volatile Map<String, DurableQueue> feeds = Map.of();

    /** @param tls certificate and key of the run's server; empty for plain HTTP */
    public Neighbourhood(Path runs, String name, List<byte[]> tls) throws IOException {
        this.runs = runs;
        run = new RunFolder(Files.createDirectories(runs.resolve(name)));
        Files.writeString(run.experiment(), ServedToy.FILE);
        CommandContext commandContext = workplace(runs.resolveSibling("."));
        there = LiveServer.open(new LiveServer.Listening("127.0.0.1", 0, tls))
                .show(() -> List.of(new Elsewhere(new FolderRun(commandContext, run), feeds)));
        workbench = starting(0);
    }

    /** Says of the folder's run that it trains. */
    private record Elsewhere(FolderRun run, @Override Map<String, DurableQueue> feeds) implements ServedRun {
        @Override
        public RunFolder folder() {
            return run.folder();
        }

        @Override
        public RunFacts facts() {
            return JsonDocument.read(
                    JsonDocument.line(run.facts())
                            .replaceFirst("\"summary\":\"[^\"]*\"", "\"summary\":\"" + THERE + "\"")
                            .replace("\"live\":false", "\"live\":true"),
                    RunFacts.class);
        }

        @Override
        public LiveCurves curves() {
            return run.curves();
        }

        @Override
        public SelectedExperiment experiment() {
            return run.experiment();
        }

        @Override
        public CompletableFuture<Moment> parameters() {
            return run.parameters();
        }

        @Override
        public Optional<Steering> steering() {
            return Optional.empty();
        }
    }

    private String name() {
        return String.valueOf(run.path().getFileName());
    }

    public RunFolder run() {
        return run;
    }

    public Path liveFile() {
        return run.path().resolve("live.json");
    }

    /** Leaves the address of the run's server in its folder. */
    public void write(@Nullable String certificate) {
        write(there.address(), name(), certificate);
    }

    public void write(String address, String id, @Nullable String certificate) {
        new LiveAddress(address, there.token(), id, ProcessHandle.current().pid(), certificate).write(run);
    }

    public static CommandContext workplace(Path at) {
        return new CommandContext(Ran.terminal(new StringWriter(), new StringWriter(), false), at.normalize());
    }

    /** Another workbench over the same folder, which starts so many runs. */
    public LiveServer starting(int most) {
        CommandContext commandContext = workplace(runs.resolveSibling("."));
        return LiveServer.open(new LiveServer.Listening("127.0.0.1", 0, List.of()))
                .show(new FolderRuns(commandContext, runs), new RunLauncher(commandContext, runs, most));
    }

    /** The run takes rows there from now on. */
    public void feed(Map<String, DurableQueue> queues) {
        feeds = queues;
    }

    public LiveServer there() {
        return there;
    }

    public LiveServer workbench() {
        return workbench;
    }

    public void endThere() {
        there.close();
    }

    /** What was learned of others is asked anew after that. */
    public void awaitForgotten() throws InterruptedException {
        Thread.sleep(1200);
    }

    public Wire.Answer got(String target) throws IOException {
        return asked(workbench, "GET " + target, token(), "");
    }

    public Wire.Answer posted(String target, String headers, String body) throws IOException {
        return asked(workbench, "POST " + target, headers + "Content-Length: " + body.length() + "\r\n", body);
    }

    /** JSON by who may. */
    public static Wire.Answer posted(LiveServer to, String target, String body) throws IOException {
        return asked(
                to,
                "POST " + target,
                "Authorization: Bearer " + to.token() + "\r\nContent-Type: application/json\r\nContent-Length: "
                        + body.length() + "\r\n",
                body);
    }

    public String token() {
        return "Authorization: Bearer " + workbench.token() + "\r\n";
    }

    /** A connection to the workbench. */
    public Wire wire() throws IOException {
        return new Wire(port(workbench));
    }

    /** How a request to the workbench begins, by who may. */
    public String head(String line) {
        return head(workbench, line) + token();
    }

    private static int port(LiveServer to) {
        return URI.create(to.address()).getPort();
    }

    private static String head(LiveServer to, String line) {
        return line + " HTTP/1.1\r\nHost: 127.0.0.1:" + port(to) + "\r\n";
    }

    private static Wire.Answer asked(LiveServer to, String line, String headers, String body) throws IOException {
        try (Wire wire = new Wire(port(to))) {
            return wire.send(head(to, line) + headers + "\r\n" + body).answer();
        }
    }

    @Override
    public void close() {
        workbench.close();
        there.close();
    }
}
