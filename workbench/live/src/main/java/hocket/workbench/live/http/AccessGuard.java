package hocket.workbench.live.http;

import hocket.workbench.live.json.ApiDocument.Operation;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.BodyHandler;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Authorises requests: they must name this server's address, come from no other site's page, and carry the token. A
 * rejected request reaches nothing else. The headers follow the OWASP cheat sheets (DNS rebinding, CSRF, XSS).
 */
public final class AccessGuard {
    private static final String SCHEME = "Bearer ";
    private static final String PROTOCOL = "token.";
    private static final Set<HttpMethod> METHODS = Set.of(HttpMethod.GET, HttpMethod.POST);
    private static final Pattern JSON = Pattern.compile(
            "\\s*application/json\\s*(;\\s*charset\\s*=\\s*\"?utf-8\"?\\s*)?", Pattern.CASE_INSENSITIVE);

    /** A command has some hundred bytes; one with a long plan has a few thousand. */
    private static final int MOST_BODY_BYTES = 64 << 10;

    private static final BodyHandler ROWS = BodyHandler.create(false).setBodyLimit(RowBodies.MOST_BYTES);
    private static final BodyHandler OTHERS = BodyHandler.create(false).setBodyLimit(MOST_BODY_BYTES);

    private final byte[] token;
    private final Supplier<AllowedHosts> allowedHosts;
    private final Consumer<HttpConnection> identified;

    /** @param identified receives connections that have shown the token */
    public AccessGuard(String token, Supplier<AllowedHosts> allowedHosts, Consumer<HttpConnection> identified) {
        this.token = token.getBytes(StandardCharsets.UTF_8);
        this.allowedHosts = allowedHosts;
        this.identified = identified;
    }

    /** Checks every request, and sets the headers of every answer. */
    public void admit(RoutingContext context) {
        HttpServerRequest request = context.request();
        context.response()
                .putHeader(
                        "Content-Security-Policy",
                        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; media-src blob:;"
                                + " connect-src 'self'; font-src 'none'; base-uri 'none'; form-action 'none';"
                                + " frame-ancestors 'none'")
                .putHeader("X-Content-Type-Options", "nosniff")
                .putHeader("Referrer-Policy", "no-referrer")
                .putHeader("Cross-Origin-Opener-Policy", "same-origin")
                .putHeader("Cross-Origin-Resource-Policy", "same-origin")
                .putHeader("Cache-Control", "no-store");
        if (!isOurs(request)) {
            JsonResponses.refuse(context, 421, "unknown host name: open the address that the server printed");
        } else if (!METHODS.contains(request.method())) {
            refuseMethod(context);
        } else if (isForeign(request)) {
            JsonResponses.refuse(context, 403, "requests from other sites' pages are not allowed");
        } else if (!isOneBody(request)) {
            context.response().putHeader("Connection", "close");
            JsonResponses.refuse(context, 411, "a body needs a Content-Length");
            request.connection().close();
        } else {
            context.next();
        }
    }

    /** A request has one way to mark the end of its body: a length, or chunks for rows, which may be streamed. */
    private static boolean isOneBody(HttpServerRequest request) {
        List<String> encodings = request.headers().getAll("Transfer-Encoding");
        return encodings.isEmpty()
                || mayBeLong(request)
                        && encodings.equals(List.of("chunked"))
                        && !request.headers().contains("Content-Length");
    }

    private boolean isOurs(HttpServerRequest request) {
        List<String> all = request.headers().getAll("Host");
        return all.size() == 1
                && allowedHosts.get().isHost(all.get(0))
                && request.uri().startsWith("/");
    }

    /** Checks the browser's fetch metadata. A link from another site may open the page, and nothing else. */
    private boolean isForeign(HttpServerRequest request) {
        String origin = request.getHeader("Origin");
        String site = request.getHeader("Sec-Fetch-Site");
        boolean isLink =
                request.method().equals(HttpMethod.GET) && request.path().equals("/");
        return (origin != null && !allowedHosts.get().isOrigin(origin))
                || (site != null && !site.equals("same-origin") && !site.equals("none") && !isLink);
    }

    /** Rejects a method that the address does not support. */
    public static void refuseMethod(RoutingContext context) {
        String method = context.request().method().name();
        String path = String.valueOf(context.request().path());
        context.response().putHeader("Allow", allowed(path));
        JsonResponses.refuse(context, 405, "method " + shown(method) + " is not allowed");
    }

    private static String allowed(String path) {
        String methods = Routes.of(path).map(Operation::method).sorted().collect(Collectors.joining(", "));
        return methods.isEmpty() ? "GET" : methods;
    }

    /** Forms of other sites cannot send JSON or rows; nothing is decompressed, so that a small body stays small. */
    static void requireBody(RoutingContext context, Operation operation) {
        boolean isOfRows = isOfRows(operation);
        if (!operation.needsBody() && RowBodies.isMissing(context)) {
            context.next(); // for any declared type
        } else if (context.request().getHeader("Content-Encoding") != null) {
            JsonResponses.refuse(context, 415, "a body must not be encoded");
        } else if (isOfRows ? !RowBodies.isRows(context) : !isJson(context)) {
            JsonResponses.refuse(context, 415, isOfRows ? RowBodies.RULE : "a body must be of type application/json");
        } else {
            context.next();
        }
    }

    private static boolean isJson(RoutingContext context) {
        List<String> types = context.request().headers().getAll("Content-Type");
        return types.size() == 1 && JSON.matcher(types.get(0)).matches();
    }

    /**
     * Reads the body before it is routed, so that a client that does not send its announced body delays no other
     * client. An announced body that is too long is rejected before it is sent.
     */
    static void readBody(RoutingContext context) {
        if (context.request().method() != HttpMethod.POST) {
            context.next();
            return;
        }
        boolean isOfRows = mayBeLong(context.request());
        long most = isOfRows ? RowBodies.MOST_BYTES : MOST_BODY_BYTES;
        String length = context.request().getHeader("Content-Length");
        if (length == null || length.matches("\\d{1,18}") && Long.parseLong(length) <= most) {
            (isOfRows ? ROWS : OTHERS).handle(context);
        } else {
            context.response().putHeader("Connection", "close");
            JsonResponses.refuse(
                    context, 413, "a body must have at most " + most + " bytes, this one has " + shown(length));
            context.request().connection().close();
        }
    }

    /** Returns whether a request carries rows. */
    private static boolean mayBeLong(HttpServerRequest request) {
        return request.method().equals(HttpMethod.POST)
                && Routes.of(String.valueOf(request.path())).anyMatch(AccessGuard::isOfRows);
    }

    private static boolean isOfRows(Operation operation) {
        return operation.bodies().contains(RowBodies.LINES);
    }

    /** Checks the token. */
    void identify(RoutingContext context) {
        if (isKnown(context.request())) {
            identified.accept(context.request().connection());
            context.next();
        } else {
            context.response().putHeader("WWW-Authenticate", "Bearer");
            JsonResponses.refuse(
                    context, 401, "needs the token that was printed with the address: Authorization: Bearer TOKEN");
        }
    }

    private boolean isKnown(HttpServerRequest request) {
        String header = request.getHeader("Authorization");
        if (header != null) {
            return header.startsWith(SCHEME) && isToken(header.substring(SCHEME.length()));
        }
        String protocols = request.getHeader("Sec-WebSocket-Protocol"); // a browser can set no other header
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

    /** Compares in constant time. */
    private boolean isToken(String given) {
        return MessageDigest.isEqual(token, given.getBytes(StandardCharsets.UTF_8));
    }

    /** Checks a client's text for a message: it must be short and plain. */
    public static String shown(String text) {
        String plain = text.replaceAll("[^\\x20-\\x7e]", "?");
        return plain.length() > 40 ? plain.substring(0, 40) + "..." : plain;
    }
}
