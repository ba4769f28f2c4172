package hocket.workbench.commands;

import hocket.workbench.runs.Workplace;
import hocket.workbench.terminal.Terminal;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows runs that are over. */
@Command(
        name = "serve",
        header = "Shows runs on a page: one, or all of a folder, to be compared.",
        description = {
            "",
            "Prints an address to open in a browser, and answers there until Ctrl-C. A run that is being trained shows and"
                    + " takes commands where it trains: hocket run NAME --serve 0.",
            ""
        },
        sortOptions = false,
        usageHelpWidth = Terminal.COLUMNS,
        footer = {"", "For example:", "  hocket serve runs/digits-gan", "  hocket serve runs --port 8080"})
public final class ServeCommand implements Runnable {
    private final Workplace workplace;

    public ServeCommand(Workplace workplace) {
        this.workplace = workplace;
    }

    @Parameters(paramLabel = "FOLDER", arity = "0..1", description = "a run, or a folder of runs; runs without")
    private String folder = "runs";

    @Option(names = "--port", paramLabel = "PORT", description = "where to listen; one that is free without")
    private int port;

    @Mixin
    private final ServeOptions options = new ServeOptions();

    @Override
    public void run() {
        options.at(port).show(workplace, workplace.path(folder));
    }
}
