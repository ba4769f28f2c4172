package hocket.workbench.live;

import hocket.workbench.json.JsonDocument;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Who may ask what: only by an address that is this server's, from no other site's page, with the token. What is refused here
 * reaches nothing else. What each header protects from is as the OWASP cheat sheets have it (DNS rebinding, CSRF, XSS).
 */
final class Guard {
    private static final String SCHEME = "Bearer ";
    private static final String PROTOCOL = "token.";
    private static final Set<HttpMethod> METHODS = Set.of(HttpMethod.GET, HttpMethod.HEAD, HttpMethod.POST);

    private final byte[] token;
    private final Supplier<Set<String>> hosts;
    private final String scheme;

    /** @param hosts host and port of each address of this server, in small letters */
    Guard(String token, Supplier<Set<String>> hosts, boolean isSecure) {
        this.token = token.getBytes(StandardCharsets.UTF_8);
        this.hosts = hosts;
        this.scheme = isSecure ? "https://" : "http://";
    }

    /** A refusal or failure, as the network has it. */
    record Wrong(Why error) {
        record Why(String message, @Nullable String key) {}
    }

    /** Answers with a refusal. */
    static void refuse(RoutingContext context, int status, String message) {
        if (!context.response().ended()) {
            context.response()
                    .setStatusCode(status)
                    .putHeader("Content-Type", "application/json")
                    .end(JsonDocument.line(new Wrong(new Wrong.Why(message, null))));
        }
    }

    /** Checks what concerns every request, and sets what every answer says. */
    void admit(RoutingContext context) {
        HttpServerRequest request = context.request();
        HttpServerResponse response = context.response();
        response.putHeader(
                        "Content-Security-Policy",
                        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; media-src blob:;"
                                + " connect-src 'self'; font-src 'none'; base-uri 'none'; form-action 'none';"
                                + " frame-ancestors 'none'")
                .putHeader("X-Content-Type-Options", "nosniff")
                .putHeader("Referrer-Policy", "no-referrer")
                .putHeader("Cross-Origin-Opener-Policy", "same-origin")
                .putHeader("Cross-Origin-Resource-Policy", "same-origin")
                .putHeader("Cache-Control", "no-store");
        String host = request.getHeader("Host");
        List<String> all = request.headers().getAll("Host");
        if (host == null || all.size() != 1 || !hosts.get().contains(host.toLowerCase(Locale.ROOT))) {
            refuse(context, 421, "this server is not called so: open the address that it printed");
        } else if (!METHODS.contains(request.method())) {
            response.putHeader("Allow", "GET, HEAD, POST");
            refuse(context, 405, "method " + shown(request.method().name()) + " is not used here");
        } else if (isForeign(request)) {
            refuse(context, 403, "pages of other sites may not ask");
        } else {
            context.next();
        }
    }

    private boolean isForeign(HttpServerRequest request) {
        String origin = request.getHeader("Origin");
        if (origin != null) {
            String own = origin.toLowerCase(Locale.ROOT);
            return hosts.get().stream().noneMatch(host -> own.equals(scheme + host));
        }
        String site = request.getHeader("Sec-Fetch-Site");
        return site != null && site.equals("cross-site") && !request.method().equals(HttpMethod.GET);
    }

    /** Checks the token. */
    void identify(RoutingContext context) {
        if (isKnown(context.request())) {
            context.next();
        } else {
            context.response().putHeader("WWW-Authenticate", "Bearer");
            refuse(context, 401, "needs the token that was printed with the address: Authorization: Bearer TOKEN");
        }
    }

    private boolean isKnown(HttpServerRequest request) {
        String header = request.getHeader("Authorization");
        if (header != null) {
            return header.startsWith(SCHEME) && isToken(header.substring(SCHEME.length()));
        }
        String protocols = request.getHeader("Sec-WebSocket-Protocol"); // a browser can set nothing else
        if (protocols == null) {
            return false;
        }
        for (String protocol : protocols.split(",")) {
            String name = protocol.strip();
            if (name.startsWith(PROTOCOL) && isToken(name.substring(PROTOCOL.length()))) {
                return true;
            }
        }
        return false;
    }

    /** In a time that does not depend on where they differ. */
    private boolean isToken(String given) {
        return MessageDigest.isEqual(token, given.getBytes(StandardCharsets.UTF_8));
    }

    static String shown(String text) {
        String plain = text.replaceAll("[^\\x20-\\x7e]", "?");
        return plain.length() > 40 ? plain.substring(0, 40) + "..." : plain;
    }
}
