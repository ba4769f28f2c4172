package hocket.distributed.launch;

import hocket.distributed.cluster.Part;
import hocket.distributed.cluster.Place;
import hocket.workbench.processes.Launch;
import hocket.workbench.terminal.UserError;
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
 * The machines on which the processes of a run are started: this one, or those of a host file, over ssh. A host file has a
 * line for each host, {@code NAME} or {@code NAME slots=4}, in the order in which they are filled with workers, as MPI's do;
 * servers are spread over the hosts, and the scheduler is here. {@code localhost} is this machine.
 */
final class Hosts {
    private static final Pattern LINE = Pattern.compile("(\\S+)(?:\\s+slots=([1-9]\\d{0,3}))?");
    private static final String HERE = "localhost";

    private final List<String> slots;
    private final List<String> ssh;
    private final String command;

    private Hosts(List<String> slots, List<String> ssh, String command) {
        this.slots = List.copyOf(slots);
        this.ssh = List.copyOf(ssh);
        this.command = command;
    }

    /** This machine alone. */
    public static Hosts here() {
        return new Hosts(List.of(HERE), List.of(), "");
    }

    /**
     * Those of a file.
     *
     * @param ssh what reaches another host, such as {@code ssh -p 2222}
     * @param command which starts hocket there
     * @throws UserError if the file is not there, or a line is not as it should be
     */
    public static Hosts of(Path file, String ssh, String command) {
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
        return new Hosts(
                slots, ssh.equals("ssh") ? List.of("ssh", "-o", "BatchMode=yes") : List.of(ssh.split(" ")), command);
    }

    /** Where a process runs. */
    String host(Place place) {
        if (place.part() == Part.SCHEDULER) {
            return HERE;
        }
        List<String> all =
                place.part() == Part.PSERVER ? slots.stream().distinct().toList() : slots;
        return all.get(place.rank() % all.size());
    }

    /** How many of this run's workers run on this machine. */
    public int here(int workers) {
        int here = 0;
        for (int i = 0; i < workers; i++) {
            here += slots.get(i % slots.size()).equals(HERE) ? 1 : 0;
        }
        return here;
    }

    /** Whether a process runs on another machine, and reads the token of the run there: others could see it in a command. */
    boolean isElsewhere(Place place) {
        return !host(place).equals(HERE);
    }

    /**
     * What starts a process: on this machine the given command, elsewhere ssh, in the folder of the same name if there is one.
     */
    List<String> command(Place place, Path here, List<String> arguments, Supplier<List<String>> java) {
        if (!isElsewhere(place)) {
            return java.get();
        }
        Map<String, String> variables = place.environment();
        variables.remove(Place.TOKEN);
        variables.put(Place.ON, host(place));
        String all = variables.entrySet().stream()
                .map(each -> each.getKey() + "=" + quoted(each.getValue()))
                .collect(Collectors.joining(" "));
        List<String> words = new ArrayList<>(ssh);
        words.add(host(place));
        words.add("read -r " + Place.TOKEN + " && export " + Place.TOKEN + "; cd "
                + quoted(here.toAbsolutePath().normalize().toString()) + " 2>/dev/null; exec env " + all + " " + command
                + " run "
                + arguments.stream().map(Hosts::quoted).collect(Collectors.joining(" ")));
        return Launch.undisturbed(words); // who is asked to stop there is told by its input
    }

    private static String quoted(String word) {
        return "'" + word.replace("'", "'\\''") + "'";
    }
}
