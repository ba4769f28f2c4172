package hocket.workbench.live;

import hocket.schedulers.checkpoint.DiskFailureText;
import hocket.workbench.files.UserError;
import hocket.workbench.live.http.AllowedHosts;
import hocket.workbench.live.peers.RunLauncher;
import hocket.workbench.live.views.FolderRuns;
import hocket.workbench.runs.CommandContext;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The server's settings.
 *
 * @param port 0 for a free port
 * @param host an address of this machine
 * @param certificate a PEM file; empty for plain HTTP
 * @param key its key, a PEM file or empty
 */
public record Serving(int port, String host, String certificate, String key) {
    private static final int MOST_PORT = 65_535;

    /** The default address, which only this machine reaches. */
    public static final String LOOPBACK = "127.0.0.1";

    /** @throws UserError if a port is invalid, or only one of the two files is given */
    public Serving {
        if (port < 0 || port > MOST_PORT) {
            throw new UserError("port: must be 0 to " + MOST_PORT + ", was " + port);
        }
        if (certificate.isEmpty() != key.isEmpty()) {
            throw new UserError("--certificate and --key: TLS needs both");
        }
        if (host.matches("0\\.0\\.0\\.0|[0:]+")) {
            throw new UserError(
                    "--host " + host + ": must be one address or name of this machine, the one that browsers"
                            + " will use: a server that accepts any name is open to DNS rebinding");
        }
        if (certificate.isEmpty() && !AllowedHosts.isLoopback(host)) {
            throw new UserError("--host " + host + ": other machines would send the token unencrypted: add"
                    + " --certificate and --key for TLS, or reach this machine by ssh -L");
        }
    }

    private LiveServer.Listening at() {
        return new LiveServer.Listening(
                host,
                port,
                certificate.isEmpty() ? List.of() : List.of(pem("--certificate", certificate), pem("--key", key)));
    }

    private static byte[] pem(String option, String file) {
        try {
            byte[] bytes = Files.readAllBytes(Path.of(file));
            if (!new String(bytes, StandardCharsets.ISO_8859_1).contains("-----BEGIN ")) {
                throw new UserError(
                        option + " " + file + ": is not a PEM file; it must have a line -----BEGIN ...-----");
            }
            return bytes;
        } catch (IOException e) {
            throw new UserError(option + " " + file + ": cannot be read: " + DiskFailureText.of(e), e);
        }
    }

    /**
     * Listens from now on, so that a port in use is reported before a run writes anything.
     *
     * @throws UserError if the address is in use, or certificate and key do not match
     */
    public LiveListener listen() {
        return new LiveListener(LiveServer.open(at()));
    }

    /**
     * Shows the runs of a folder, or one run, and starts others there, until the process is ended.
     *
     * @param named the folder; {@code runs}, which may not exist yet, if none is given
     * @throws UserError if it is not a folder
     */
    public void show(CommandContext commandContext, Optional<String> named) {
        Path folder = commandContext.path(named.orElse("runs"));
        FolderRuns all = new FolderRuns(commandContext, folder);
        all.require(named.isPresent());
        try (LiveServer server = LiveServer.open(at()).show(all, new RunLauncher(commandContext, folder))) {
            commandContext.terminal().remark("page     " + server.page());
            commandContext.terminal().remark("         Ctrl-C ends it");
            Thread.currentThread().join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
