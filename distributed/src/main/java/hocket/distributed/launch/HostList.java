package hocket.distributed.launch;

import hocket.distributed.cluster.NodeConfig;
import hocket.distributed.cluster.Role;
import hocket.workbench.files.UserError;
import hocket.workbench.training.processes.ProcessLauncher;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The machines on which the processes of a run are started: this one, or those of a host file, over ssh. A host file
 * has a line for each host, {@code NAME} or {@code NAME slots=4}, in the order in which they are filled with workers,
 * as MPI's do; servers are spread over the hosts, and the scheduler is here. {@code localhost} is this machine.
 */
final class HostList {
    private static final Pattern LINE = Pattern.compile("(\\S+)(?:\\s+slots=([1-9]\\d{0,3}))?");
    private static final String HERE = "localhost";

    private final List<String> slots;
    private final List<String> ssh;
    private final String command;

    private HostList(List<String> slots, List<String> ssh, String command) {
        this.slots = List.copyOf(slots);
        this.ssh = List.copyOf(ssh);
        this.command = command;
    }

    /** This machine alone. */
    public static HostList here() {
        return new HostList(List.of(HERE), List.of(), "");
    }

    /**
     * Reads the hosts of a file.
     *
     * @param ssh command that reaches another host, such as {@code ssh -p 2222}
     * @param command command that starts hocket there
     * @throws UserError if the file is missing, or a line is malformed
     */
    public static HostList of(Path file, String ssh, String command) {
        List<String> lines;
        try {
            lines = Files.readAllLines(file);
        } catch (IOException e) {
            throw new UserError("--hosts: " + file + " cannot be read", e);
        }
        List<String> slots = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).replaceFirst("#.*", "").strip();
            if (line.isEmpty()) {
                continue;
            }
            Matcher matcher = LINE.matcher(line);
            if (!matcher.matches() || line.startsWith("-")) {
                throw new UserError(file + ":" + (i + 1) + ": must be a host, or HOST slots=N, was \"" + line + "\"");
            }
            int count = matcher.group(2) == null ? 1 : Integer.parseInt(matcher.group(2));
            for (int k = 0; k < count; k++) {
                slots.add(matcher.group(1));
            }
        }
        if (slots.isEmpty()) {
            throw new UserError("--hosts: " + file + " names no host");
        }
        return new HostList(
                slots, ssh.equals("ssh") ? List.of("ssh", "-o", "BatchMode=yes") : List.of(ssh.split(" ")), command);
    }

    /** Returns the host of a process. */
    String host(NodeConfig nodeConfig) {
        if (nodeConfig.part() == Role.SCHEDULER) {
            return HERE;
        }
        List<String> all =
                nodeConfig.part() == Role.PSERVER ? slots.stream().distinct().toList() : slots;
        return all.get(nodeConfig.rank() % all.size());
    }

    /** Returns how many of this run's workers run on this machine. */
    public int here(int workers) {
        int here = 0;
        for (int i = 0; i < workers; i++) {
            here += slots.get(i % slots.size()).equals(HERE) ? 1 : 0;
        }
        return here;
    }

    /**
     * Returns whether a process runs on another machine and reads the token there from its input: in a command, others
     * could see it.
     */
    boolean isElsewhere(NodeConfig nodeConfig) {
        return !host(nodeConfig).equals(HERE);
    }

    /**
     * Returns the command of a process: on this machine the given one, elsewhere ssh, in the folder of the same name if
     * it exists.
     */
    List<String> command(NodeConfig nodeConfig, Path here, List<String> arguments, Supplier<List<String>> java) {
        if (!isElsewhere(nodeConfig)) {
            return java.get();
        }
        Map<String, String> variables = nodeConfig.environment();
        variables.remove(NodeConfig.TOKEN);
        variables.put(NodeConfig.ON, host(nodeConfig));
        String all = variables.entrySet().stream()
                .map(each -> each.getKey() + "=" + quoted(each.getValue()))
                .collect(Collectors.joining(" "));
        List<String> words = new ArrayList<>(ssh);
        words.add(host(nodeConfig));
        words.add("read -r " + NodeConfig.TOKEN + " && export " + NodeConfig.TOKEN + "; cd "
                + quoted(here.toAbsolutePath().normalize().toString()) + " 2>/dev/null; exec env " + all + " " + command
                + " run "
                + arguments.stream().map(HostList::quoted).collect(Collectors.joining(" ")));
        return ProcessLauncher.undisturbed(words); // a request to stop is sent to its input
    }

    private static String quoted(String word) {
        return "'" + word.replace("'", "'\\''") + "'";
    }
}
