package hocket.workbench.command.options;

import hocket.workbench.live.Serving;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The address on which a server listens: options of several commands. */
public final class ServeOptions {
    @Option(
            names = "--host",
            paramLabel = "ADDRESS",
            description =
                    "with --serve or serve: an address of this machine; default: 127.0.0.1, which only this machine"
                            + " reaches. Others need TLS")
    private String host = Serving.LOOPBACK;

    @Option(names = "--certificate", paramLabel = "FILE", description = "a certificate in PEM, for TLS")
    private String certificate = "";

    @Option(names = "--key", paramLabel = "FILE", description = "its key in PEM")
    private String key = "";

    /** Returns an option that is given, of those that are for a server alone. */
    public Optional<String> given() {
        return !host.equals(Serving.LOOPBACK)
                ? Optional.of("--host")
                : !certificate.isEmpty()
                        ? Optional.of("--certificate")
                        : key.isEmpty() ? Optional.empty() : Optional.of("--key");
    }

    /** A server at a port. */
    public Serving at(int port) {
        return new Serving(port, host, certificate, key);
    }

    /** Returns these options for another process. */
    public List<String> arguments(int port) {
        List<String> arguments = new ArrayList<>(List.of("--serve", Integer.toString(port), "--host", host));
        if (!certificate.isEmpty()) {
            arguments.addAll(List.of("--certificate", certificate, "--key", key));
        }
        return arguments;
    }
}
