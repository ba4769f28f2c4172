package hocket.workbench.actors;

import hocket.programs.KeyValueStore.Membership;
import hocket.programs.KeyValueStore.Role;
import hocket.workbench.terminal.Refusal;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where policies are kept by servers of a key-value store, on this machine: the learner and its actors are the workers.
 *
 * @param port of the store's scheduler
 * @param workers the learner and its actors
 * @param servers how many keep the policy, each the whole
 */
public record PolicyPlace(int port, int workers, int servers) {
    private static final String HOST = "127.0.0.1";
    private static final Pattern FORM = Pattern.compile("(\\d{1,5})/(\\d{1,5})/(\\d{1,5})");

    /** Reads what {@link #toString} wrote. */
    static PolicyPlace of(String text) {
        Matcher form = FORM.matcher(text);
        if (!form.matches()) {
            throw new Refusal("policies are kept at PORT/WORKERS/SERVERS, was " + text);
        }
        return new PolicyPlace(
                Integer.parseInt(form.group(1)), Integer.parseInt(form.group(2)), Integer.parseInt(form.group(3)));
    }

    Membership membership(Role role) {
        return new Membership(role, HOST, port, workers, servers, HOST, true);
    }

    /** The key of the policy at one of the servers: the same has all that are alike modulo the number of servers. */
    int policy(int server) {
        return server;
    }

    /** The key of the policy's version there. */
    int version(int server) {
        return servers + server;
    }

    @Override
    public String toString() {
        return port + "/" + workers + "/" + servers;
    }
}
