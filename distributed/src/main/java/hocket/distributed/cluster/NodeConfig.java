package hocket.distributed.cluster;

import hocket.scopes.SimilarNames;
import hocket.workbench.files.UserError;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;

/**
 * The configuration of this process in a multi-process run, from its environment.
 *
 * @param part what it does
 * @param rank number among the processes of its role, from 0; 0 for the scheduler
 * @param workers number of workers
 * @param servers number of servers
 * @param host name of the scheduler's machine
 * @param port the scheduler's port
 * @param own the address by which the others reach this process
 * @param token secret of the run, so that no other process can join
 * @param patience seconds to wait for a process that does not answer
 */
public record NodeConfig(
        Role part, int rank, int workers, int servers, String host, int port, String own, String token, int patience) {
    static final String ROLE = "TRAINING_ROLE";
    static final String SCHEDULER = "HOCKET_SCHEDULER";
    static final String RANK = "HOCKET_RANK";
    static final String WORKERS = "HOCKET_WORKERS";
    static final String SERVERS = "HOCKET_SERVERS";
    static final String HOST = "HOCKET_HOST";
    /** The secret of a run. */
    public static final String TOKEN = "HOCKET_TOKEN";

    static final String PATIENCE = "HOCKET_PATIENCE";

    /** The process that started this one, and with which this one ends. */
    public static final String LAUNCHER = "HOCKET_LAUNCHER";

    /** The name of this machine as the process that started this one knows it; without it, the machine is the same. */
    public static final String ON = "HOCKET_ON";

    /** All variables that give a process its role in a run. */
    public static final Set<String> VARIABLES =
            Set.of(ROLE, SCHEDULER, RANK, WORKERS, SERVERS, HOST, TOKEN, PATIENCE, LAUNCHER, ON);

    private static final int MOST = 1000;

    /** Returns whether the environment gives this process a role. */
    public static boolean isGiven(Map<String, String> environment) {
        return !environment.getOrDefault(ROLE, "").isBlank();
    }

    /**
     * Reads the environment; empty if it has no role.
     *
     * @throws UserError if a variable is missing or invalid, naming it
     */
    public static Optional<NodeConfig> of(Map<String, String> environment) {
        if (!isGiven(environment)) {
            return Optional.empty();
        }
        String role = environment.getOrDefault(ROLE, "");
        Role part = Arrays.stream(Role.values())
                .filter(each -> each.name().equals(role))
                .findFirst()
                .orElseThrow(() -> new UserError(ROLE + ": must be TRAINER, PSERVER, SCHEDULER or ACTOR, was \"" + role
                        + "\"" + SimilarNames.among(role, Arrays.asList(Role.values()))));
        int workers = number(environment, WORKERS, 1, MOST, OptionalInt.empty());
        int servers = number(environment, SERVERS, 1, MOST, OptionalInt.of(1));
        int count = part == Role.TRAINER ? workers : part == Role.PSERVER ? servers : 1;
        int rank = number(environment, RANK, 0, count - 1, count == 1 ? OptionalInt.of(0) : OptionalInt.empty());
        String address = needed(environment, SCHEDULER);
        int colon = address.lastIndexOf(':');
        String port = address.substring(colon + 1);
        if (colon < 1 || !port.matches("\\d{1,5}") || Integer.parseInt(port) < 1 || Integer.parseInt(port) > 65_535) {
            throw new UserError(SCHEDULER + ": must be HOST:PORT, such as 10.0.0.1:7070, was \"" + address + "\"");
        }
        String token = environment.getOrDefault(TOKEN, "");
        String host = address.substring(0, colon);
        if (token.isBlank() && !host.matches("localhost|127(\\.\\d{1,3}){3}|\\[?::1]?")) {
            throw new UserError(TOKEN + ": must be set if the scheduler is on another machine: a secret of the run");
        }
        return Optional.of(new NodeConfig(
                part,
                rank,
                workers,
                servers,
                host,
                Integer.parseInt(port),
                environment.getOrDefault(HOST, ""),
                token,
                number(environment, PATIENCE, 1, 3600, OptionalInt.of(10))));
    }

    private static String needed(Map<String, String> environment, String name) {
        String value = environment.getOrDefault(name, "");
        if (value.isBlank()) {
            throw new UserError(name + ": must be set if " + ROLE + " is");
        }
        return value;
    }

    private static int number(Map<String, String> environment, String name, int least, int most, OptionalInt usual) {
        if (!environment.containsKey(name) && usual.isPresent()) {
            return usual.getAsInt();
        }
        String text = needed(environment, name);
        if (!text.matches("\\d{1,9}") || Integer.parseInt(text) < least || Integer.parseInt(text) > most) {
            throw new UserError(
                    name + ": must be a whole number from " + least + " to " + most + ", was \"" + text + "\"");
        }
        return Integer.parseInt(text);
    }

    /** Returns the variables of this configuration. */
    public Map<String, String> environment() {
        Map<String, String> variables = new TreeMap<>();
        variables.put(ROLE, part.name());
        variables.put(RANK, Integer.toString(rank));
        variables.put(WORKERS, Integer.toString(workers));
        variables.put(SERVERS, Integer.toString(servers));
        variables.put(SCHEDULER, host + ":" + port);
        variables.put(TOKEN, token);
        variables.put(PATIENCE, Integer.toString(patience));
        if (!own.isEmpty()) {
            variables.put(HOST, own);
        }
        return variables;
    }

    /** Returns the configuration of another process of the run. */
    public NodeConfig as(Role other, int which) {
        return new NodeConfig(other, which, workers, servers, host, port, own, token, patience);
    }

    /** Returns the address of the scheduler. */
    String scheduler() {
        return host + ":" + port;
    }

    /** Returns the address on which the scheduler listens: its public one, unless the environment names another. */
    String listensAt() {
        return own.isEmpty() ? host : own;
    }

    /** Returns a port that is free on this machine now. */
    public static int freePort() {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException("no port is free: " + e.getMessage(), e);
        }
    }

    /** Returns the milliseconds between two status messages: several within the patience, and one a second at least. */
    long beat() {
        return Math.min(1000, patience * 250L);
    }

    /** Returns the seconds in which all must begin: a machine that starts several at once is slow. */
    int toBegin() {
        return 6 * patience;
    }

    /** Returns its name for people. */
    public String called() {
        return part.called(rank);
    }

    /** Returns whether it is the worker that writes the run's folder. */
    public boolean writes() {
        return part == Role.TRAINER && rank == 0;
    }
}
