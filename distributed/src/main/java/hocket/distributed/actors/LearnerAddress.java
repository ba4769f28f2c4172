package hocket.distributed.actors;

import hocket.workbench.files.UserError;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The address of a learner.
 *
 * @param host a name or an address, without brackets
 * @param port 0 for a free one
 */
public record LearnerAddress(String host, int port) {
    private static final Pattern FORM = Pattern.compile("(?:(?:\\[([^\\]]+)\\]|([^:\\[\\]]+)):)?(\\d{1,5})");
    private static final String LOOPBACK = "127.0.0.1";
    private static final int MOST_PORT = 65_535;

    /**
     * Reads {@code host:port}, {@code [address]:port} or, for this machine, {@code port}.
     *
     * @param name its name in messages
     * @throws UserError if it is not an address
     */
    public static LearnerAddress of(String name, String text) {
        Matcher form = FORM.matcher(text);
        if (!form.matches()) {
            throw new UserError(name + ": must be ADDRESS:PORT, such as 10.0.0.1:7070, was " + text);
        }
        int port = Integer.parseInt(form.group(3));
        if (port > MOST_PORT) {
            throw new UserError(name + ": a port must be 0 to " + MOST_PORT + ", was " + port);
        }
        String host = form.group(1) != null ? form.group(1) : form.group(2);
        return new LearnerAddress(host == null ? LOOPBACK : host, port);
    }

    /** Returns a free port at an address that only this machine reaches. */
    static LearnerAddress here() {
        return new LearnerAddress(LOOPBACK, 0);
    }

    @Override
    public String toString() {
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
    }
}
