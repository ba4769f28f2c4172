package hocket.workbench.live.http;

import java.io.IOException;
import java.net.InetAddress;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The names under which a server accepts requests. Any other name is an attack (DNS rebinding): a page of another site
 * whose name resolves to this machine.
 *
 * @param scheme {@code http://} or {@code https://}
 * @param names host and port of each, in lower case; the host alone, too, where the port is the scheme's usual one
 */
public record AllowedHosts(String scheme, Set<String> names) {
    /** Before it listens. */
    public static final AllowedHosts NONE = new AllowedHosts("", Set.of());

    public static AllowedHosts of(String host, boolean isTls, int port) {
        Stream<String> more = !isLoopback(host)
                ? Stream.of()
                : host.contains(":") ? Stream.of("::1", "localhost") : Stream.of("127.0.0.1", "localhost");
        boolean isUsual = port == (isTls ? 443 : 80); // which clients leave out
        Set<String> names = Stream.concat(Stream.of(host), more)
                .map(name -> bracketed(name).toLowerCase(Locale.ROOT))
                .flatMap(name -> isUsual ? Stream.of(name + ":" + port, name) : Stream.of(name + ":" + port))
                .collect(Collectors.toUnmodifiableSet());
        return new AllowedHosts(isTls ? "https://" : "http://", names);
    }

    /** Returns whether a host is this machine, reached from itself alone. */
    public static boolean isLoopback(String host) {
        if (!host.matches("[0-9.]+|[0-9a-fA-F:]+|localhost")) {
            return false; // a name would cause a network request
        }
        try {
            return InetAddress.getByName(host).isLoopbackAddress();
        } catch (IOException e) {
            return false;
        }
    }

    private static String bracketed(String host) {
        return host.contains(":") ? "[" + host + "]" : host;
    }

    /** Returns the names for the address that the server listens on. */
    public String origin(String host) {
        String start = bracketed(host).toLowerCase(Locale.ROOT) + ":";
        return scheme
                + names.stream()
                        .filter(name -> name.startsWith(start))
                        .findFirst()
                        .orElseThrow();
    }

    boolean isHost(String header) {
        return names.contains(header.toLowerCase(Locale.ROOT));
    }

    boolean isOrigin(String header) {
        String small = header.toLowerCase(Locale.ROOT);
        return small.startsWith(scheme) && names.contains(small.substring(scheme.length()));
    }
}
