package hocket.workbench.live;

import hocket.workbench.runs.RunFolder;
import hocket.workbench.runs.Workplace;
import hocket.workbench.terminal.Refusal;
import hocket.workbench.terminal.Terminal;
import hocket.workbench.training.Attendant;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * How runs are to be shown.
 *
 * @param port 0 for one that is free
 * @param host an address of this machine
 * @param certificate a PEM file; empty for plain HTTP
 * @param key of it, likewise
 */
public record Serving(int port, String host, String certificate, String key) {
    private static final int MOST_PORT = 65_535;

    /** By whom it can be reached without saying more. */
    public static final String LOOPBACK = "127.0.0.1";

    /** @throws Refusal if a port is none, or only one of the two files is named */
    public Serving {
        if (port < 0 || port > MOST_PORT) {
            throw new Refusal("--serve: a port must be 0 to " + MOST_PORT + ", was " + port);
        }
        if (certificate.isEmpty() != key.isEmpty()) {
            throw new Refusal("--certificate and --key: TLS needs both");
        }
        if (certificate.isEmpty() && !isLoopback(host)) {
            throw new Refusal("--host " + host + ": beyond this machine, tokens would be seen on their way: add"
                    + " --certificate and --key for TLS, or reach this machine by ssh -L");
        }
    }

    private static boolean isLoopback(String host) {
        if (!host.matches("[0-9.]+|[0-9a-fA-F:]+|localhost")) {
            return false; // a name would ask the network
        }
        try {
            return InetAddress.getByName(host).isLoopbackAddress();
        } catch (IOException e) {
            return false;
        }
    }

    private LiveServer.Listening at() {
        return new LiveServer.Listening(host, port, certificate, key);
    }

    /** What shows a run while it trains in this process. */
    public Attendant attending(Terminal terminal) {
        Attended[] attended = new Attended[1];
        attended[0] = new Attended(run -> {
            LiveServer server = LiveServer.of(at(), attended[0]);
            new LiveAddress(
                            server.address(),
                            server.token(),
                            run.id(),
                            ProcessHandle.current().pid())
                    .write(run.folder());
            terminal.remark("page     " + server.page());
            return () -> {
                LiveAddress.remove(run.folder());
                server.close();
            };
        });
        return attended[0];
    }

    /**
     * Shows what is in a folder, a run's or one of runs, until the process is ended.
     *
     * @throws Refusal if there is no run
     */
    public void show(Workplace workplace, Path folder) {
        Map<Path, FolderRun> known = new LinkedHashMap<>();
        List<RunFolder> first = runs(folder);
        if (first.isEmpty()) {
            throw new Refusal(folder + " is no run folder, and there is none in it");
        }
        LiveServer server = LiveServer.of(at(), () -> {
            synchronized (known) {
                List<FolderRun> all = new ArrayList<>();
                for (RunFolder run : runs(folder)) {
                    all.add(known.computeIfAbsent(run.path(), path -> new FolderRun(workplace, run)));
                }
                return all;
            }
        });
        workplace.terminal().remark("page     " + server.page());
        workplace.terminal().remark("         Ctrl-C ends it");
        try {
            Thread.currentThread().join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            server.close();
        }
    }

    private static List<RunFolder> runs(Path folder) {
        RunFolder itself = new RunFolder(folder);
        if (Files.isRegularFile(itself.experiment())) {
            return List.of(itself);
        }
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.sorted()
                    .map(RunFolder::new)
                    .filter(run -> Files.isRegularFile(run.experiment()))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(folder + " cannot be listed", e);
        }
    }
}
