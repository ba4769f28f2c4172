package hocket.workbench.command;

import hocket.workbench.command.options.ServeOptions;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Serves a folder of runs. */
@Command(
        name = "serve",
        header = "Serves a page to start, watch and compare runs.",
        description = {
            "",
            "Prints an address to open in a browser, and serves until Ctrl-C. Each run trains in a process of its"
                    + " own, which continues when the server ends; runs that another terminal started with --serve"
                    + " are watched and steered here, too.",
            ""
        },
        footer = {
            "",
            "For example:",
            "  hocket serve",
            "  hocket serve runs/digits-gan",
            "  hocket serve runs --port 8080"
        })
public final class ServeCommand extends WorkplaceCommand implements Runnable {
    @Parameters(paramLabel = "FOLDER", arity = "0..1", description = "a run, or a folder of runs; default: runs")
    private @Nullable String folder;

    @Option(names = "--port", paramLabel = "PORT", description = "port to listen on; default: a free one")
    private int port;

    @Mixin
    private final ServeOptions options = new ServeOptions();

    @Override
    public void run() {
        options.at(port).show(workplace, Optional.ofNullable(folder));
    }
}
