package hocket.distributed.cluster;

import hocket.scopes.SimilarNames;
import hocket.workbench.terminal.UserError;
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
 * Which part of a run of several processes this one takes, as its environment says.
 *
 * @param part what it does
 * @param rank which of those that do the same, from 0 on; 0 for the scheduler
 * @param workers how many train
 * @param servers how many add up
 * @param host by which all reach the scheduler
 * @param port at which the scheduler listens
 * @param own the address by which the others reach this process
 * @param token that all of a run share, so that no other comes in between
 * @param patience seconds for which a process that does not answer is waited for
 */
public record Place(
        Part part, int rank, int workers, int servers, String host, int port, String own, String token, int patience) {
    static final String ROLE = "TRAINING_ROLE";
    static final String SCHEDULER = "HOCKET_SCHEDULER";
    static final String RANK = "HOCKET_RANK";
    static final String WORKERS = "HOCKET_WORKERS";
    static final String SERVERS = "HOCKET_SERVERS";
    static final String HOST = "HOCKET_HOST";
    /** The secret of a run. */
    public static final String TOKEN = "HOCKET_TOKEN";

    static final String PATIENCE = "HOCKET_PATIENCE";

    /** The process that started this one, with which it ends. */
    public static final String LAUNCHER = "HOCKET_LAUNCHER";

    /** By what name the process that started this one reaches its machine; without, it is the same. */
    public static final String ON = "HOCKET_ON";

    /** All that say that a process is part of a run, and which. */
    public static final Set<String> VARIABLES =
            Set.of(ROLE, SCHEDULER, RANK, WORKERS, SERVERS, HOST, TOKEN, PATIENCE, LAUNCHER, ON);

    private static final int MOST = 1000;

    /** Whether the environment gives this process a part. */
    public static boolean isGiven(Map<String, String> environment) {
        return !environment.getOrDefault(ROLE, "").isBlank();
    }

    /**
     * What the environment says; empty where it says nothing of a role.
     *
     * @throws UserError if it says it wrongly, naming the variable
     */
    public static Optional<Place> of(Map<String, String> environment) {
        if (!isGiven(environment)) {
            return Optional.empty();
        }
        String role = environment.getOrDefault(ROLE, "");
        Part part = Arrays.stream(Part.values())
                .filter(each -> each.name().equals(role))
                .findFirst()
                .orElseThrow(() -> new UserError(ROLE + ": must be TRAINER, PSERVER, SCHEDULER or ACTOR, was \"" + role
                        + "\""
                        + SimilarNames.among(
                                role,
                                Arrays.stream(Part.values()).map(Enum::name).toList())));
        int workers = number(environment, WORKERS, 1, MOST, OptionalInt.empty());
        int servers = number(environment, SERVERS, 1, MOST, OptionalInt.of(1));
        int count = part == Part.TRAINER ? workers : part == Part.PSERVER ? servers : 1;
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
            throw new UserError(TOKEN + ": must be set where the scheduler is on another machine: a secret of the run");
        }
        return Optional.of(new Place(
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
            throw new UserError(name + ": must be set where " + ROLE + " is");
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

    /** The variables that say all this. */
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

    /** The same process as another of the run. */
    public Place as(Part other, int which) {
        return new Place(other, which, workers, servers, host, port, own, token, patience);
    }

    /** Where the scheduler is. */
    String scheduler() {
        return host + ":" + port;
    }

    /** The address of the scheduler's own: the one that it is known by, unless its machine is told another. */
    String listensAt() {
        return own.isEmpty() ? host : own;
    }

    /** A port that is free on this machine just now. */
    public static int freePort() {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException("no port is free: " + e.getMessage(), e);
        }
    }

    /** Milliseconds between two words that one is still there: several within the patience, and one a second at least. */
    long beat() {
        return Math.min(1000, patience * 250L);
    }

    /** Seconds for which all may take to begin: a machine that starts several at once is slow. */
    int toBegin() {
        return 6 * patience;
    }

    /** What people call it. */
    public String called() {
        return part.called(rank);
    }

    /** Whether it is the one that writes the run's folder. */
    public boolean writes() {
        return part == Part.TRAINER && rank == 0;
    }
}
