package hocket.workbench.live.http;

import hocket.workbench.live.Serving;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The names under which a server accepts requests. Any other name is an attack (DNS rebinding): a page of another site
 * whose name resolves to this machine.
 *
 * @param scheme {@code http://} or {@code https://}
 * @param names host and port of each, in lower case
 */
record AllowedHosts(String scheme, Set<String> names) {
    /** Before it listens. */
    static final AllowedHosts NONE = new AllowedHosts("", Set.of());

    static AllowedHosts of(LiveServer.Listening at, int port) {
        Stream<String> more = !Serving.isLoopback(at.host())
                ? Stream.of()
                : at.host().contains(":") ? Stream.of("::1", "localhost") : Stream.of("127.0.0.1", "localhost");
        Set<String> names = Stream.concat(Stream.of(at.host()), more)
                .map(host -> bracketed(host).toLowerCase(Locale.ROOT) + ":" + port)
                .collect(Collectors.toUnmodifiableSet());
        return new AllowedHosts(at.tls().isEmpty() ? "http://" : "https://", names);
    }

    private static String bracketed(String host) {
        return host.contains(":") ? "[" + host + "]" : host;
    }

    /** Returns the names for the address that the server listens on. */
    String origin(String host) {
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
