package hocket.distributed.launch;

import hocket.distributed.cluster.NodeConfig;
import hocket.distributed.cluster.Role;
import hocket.workbench.command.options.ExperimentArguments;
import hocket.workbench.command.options.ServeOptions;
import hocket.workbench.files.UserError;
import hocket.workbench.files.experiment.ExperimentFile;
import hocket.workbench.live.Serving;
import hocket.workbench.runs.CommandContext;
import hocket.workbench.runs.RunFolder;
import hocket.workbench.terminal.Terminal;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import sun.misc.Signal;

/** Trains one run in several processes. */
@Command(
        name = "launch",
        header = "Trains one run in several processes, on this machine or on several hosts.",
        description = {
            "",
            "Each worker computes a share of the rows of every turn, servers add up their gradients (the"
                    + " engine's key-value store), and all take the same turns, so the result equals that of one process up to"
                    + " rounding. Worker 0 writes the run folder and the terminal output. Ctrl-C saves and stops all"
                    + " workers. If a process is lost, the others save, name it and end; --resume continues, with any"
                    + " number of workers.",
            ""
        },
        sortOptions = false,
        usageHelpWidth = Terminal.COLUMNS,
        footer = {
            "",
            "For example:",
            "  hocket launch --workers 2 digits-gan",
            "  hocket launch --workers 3 --resume --out runs/digits-gan digits-gan",
            "  hocket launch --workers 2 --serve 0 digits-gan",
            "  hocket launch --workers 8 --threads 2 --hosts hosts.txt --address 10.0.0.1 my.yaml",
            "",
            "hocket plan NAME --processes 2 prints the network traffic."
        })
final class LaunchCommand implements Callable<Integer> {
    private static final int MOST = 1000;

    private final CommandContext commandContext;

    LaunchCommand(CommandContext commandContext) {
        this.commandContext = commandContext;
    }

    @Mixin
    private final ExperimentArguments selection = new ExperimentArguments();

    @Option(names = "--workers", paramLabel = "N", required = true, description = "processes that train")
    private int workers;

    @Option(
            names = "--servers",
            paramLabel = "N",
            defaultValue = "1",
            description = "processes that add up gradients; large arrays are spread over them. Default: 1")
    private int servers;

    @Option(names = "--out", paramLabel = "DIR", description = "the run folder; default: runs/NAME, runs/NAME-2, ...")
    private @Nullable String out;

    @Option(
            names = "--resume",
            description = "resume from the newest checkpoint in the folder, which all hosts must be able to read")
    private boolean resume;

    @Option(
            names = "--threads",
            paramLabel = "N",
            description =
                    "threads of each worker; default: the machine's cores divided by its workers. Needed with other hosts")
    private @Nullable Integer threads;

    @Option(
            names = "--hosts",
            paramLabel = "FILE",
            description = "hosts on which workers and servers run, a line each: HOST or HOST slots=N")
    private @Nullable String hosts;

    @Option(
            names = "--address",
            paramLabel = "HOST",
            description = "with --hosts: the address of this machine, where the scheduler is, for the other hosts")
    private @Nullable String address;

    @Option(
            names = "--port",
            paramLabel = "PORT",
            defaultValue = "0",
            description = "port of the scheduler; default: a free one")
    private int port;

    @Option(
            names = "--ssh",
            paramLabel = "COMMAND",
            defaultValue = "ssh",
            description = "with --hosts: the command that reaches a host; default: ssh. Keys must be set up, as it"
                    + " cannot ask for a password")
    private String ssh = "ssh";

    @Option(
            names = "--hocket",
            paramLabel = "COMMAND",
            defaultValue = "hocket",
            description = "with --hosts: the command that starts hocket there; default: hocket")
    private String hocket = "hocket";

    @Option(
            names = "--patience",
            paramLabel = "SECONDS",
            defaultValue = "10",
            description = "time without an answer after which a process is lost; default: 10")
    private int patience;

    @Option(
            names = "--serve",
            paramLabel = "PORT",
            description = "show the run and its workers on a page, at this port of worker 0's machine; 0 chooses a free"
                    + " one. Prints the address to open")
    private @Nullable Integer serve;

    @Mixin
    private final ServeOptions serving = new ServeOptions();

    @Option(names = "--quiet", description = "print errors only")
    private boolean quiet;

    @Override
    public Integer call() {
        check("--workers", workers, 1, MOST);
        check("--servers", servers, 1, MOST);
        check("--patience", patience, 1, 3600);
        check("--port", port, 0, 65_535);
        if (threads != null) {
            check("--threads", threads, 1, 1024);
        }
        if (threads != null && resume) {
            throw new UserError("--threads: a resumed run keeps its threads");
        }
        if ((hosts == null) != (address == null)) {
            throw new UserError(
                    hosts == null
                            ? "--address: applies with --hosts only"
                            : "--hosts: needs --address, by which those hosts reach this machine");
        }
        if (!resume && out == null) {
            selection.requireNoRun(
                    commandContext, "launch", "--workers", workers, "--servers", servers, "--resume", selection.name());
        }
        HostList where = hosts == null ? HostList.here() : HostList.of(commandContext.path(hosts), ssh, hocket);
        ExperimentFile file =
                ExperimentFile.read(selection.name(), selection.changes(), selection.surroundings(commandContext));
        String host = address == null ? InetAddress.getLoopbackAddress().getHostAddress() : address;
        NodeConfig scheduler = new NodeConfig(
                Role.SCHEDULER,
                0,
                workers,
                servers,
                host,
                port == 0 ? NodeConfig.freePort() : port,
                "",
                token(),
                patience);
        requirePage(where);
        if (threads == null && !resume && file.spec().threads() == 0 && where.here(workers) < workers) {
            throw new UserError(
                    "--threads: must be given with hosts whose cores are not known here, such as --threads 4:"
                            + " the threads of each worker");
        }
        Path folder = resume ? resumed(file.name()) : free(file.name());
        try (Launcher launcher = new Launcher(commandContext.terminal(), commandContext.path(""), where)) {
            Signal.handle(new Signal("INT"), signal -> launcher.stopElsewhere()); // the terminal signals local ones
            Signal.handle(new Signal("HUP"), signal -> launcher.stopElsewhere());
            Signal.handle(new Signal("TERM"), signal -> launcher.stop());
            boolean isOn = resume;
            return launcher.run(
                    scheduler,
                    arguments(file, folder, where),
                    () -> isOn || Files.exists(new RunFolder(folder).experiment()));
        }
    }

    private static void check(String name, int value, int least, int most) {
        if (value < least || value > most) {
            throw new UserError(name + ": must be from " + least + " to " + most + ", was " + value);
        }
    }

    /** A page that cannot be served here is rejected before the start; elsewhere worker 0 rejects it. */
    private void requirePage(HostList where) {
        if (serve != null) {
            Serving page = serving.at(serve);
            if (where.here(1) == 1) {
                page.listen().close();
            }
        }
    }

    private int share(HostList where) {
        return threads != null
                ? threads
                : Math.max(1, Runtime.getRuntime().availableProcessors() / Math.max(1, where.here(workers)));
    }

    private Path free(String name) {
        if (out != null) {
            RunFolder folder = new RunFolder(commandContext.path(out));
            folder.requireFree();
            return folder.path();
        }
        return RunFolder.free(commandContext.path("runs"), name).path();
    }

    private Path resumed(String name) {
        if (out != null) {
            return commandContext.path(out);
        }
        Path named = commandContext.path(selection.name());
        return Files.isDirectory(named)
                ? named
                : RunFolder.last(commandContext.path("runs"), name).path();
    }

    /** Returns the arguments of all processes. */
    private List<String> arguments(ExperimentFile file, Path folder, HostList where) {
        List<String> arguments = new ArrayList<>();
        arguments.add(selection.name());
        selection.changes().forEach(change -> arguments.addAll(List.of("--set", change)));
        selection.jars().forEach(jar -> arguments.addAll(List.of("--classpath", jar)));
        arguments.addAll(List.of("--out", folder.toString()));
        if (resume) {
            arguments.add("--resume");
        } else if (threads != null || file.spec().threads() == 0) {
            arguments.addAll(List.of("--threads", Integer.toString(share(where))));
        }
        if (serve != null) {
            arguments.addAll(serving.arguments(serve));
        }
        if (quiet) {
            arguments.add("--quiet");
        }
        return arguments;
    }

    private static String token() {
        return UUID.randomUUID().toString().replace("-", "");
    }
}
