package hocket.workbench.live;

import io.vertx.core.buffer.Buffer;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;

/** The page and what it loads, and {@code openapi.json}: files of the jar, in one folder, which anybody may see. */
final class PageFiles {
    /** Where the document lies that says what can be asked. */
    static final String OPENAPI = "/hocket/workbench/live/openapi.json";

    private static final String FOLDER = "/hocket/workbench/live/page/";
    private static final String PLAIN_NAME = "/([A-Za-z0-9][A-Za-z0-9.]*)";
    private static final Map<String, String> TYPES = Map.of(
            "html", "text/html; charset=utf-8",
            "js", "text/javascript; charset=utf-8",
            "css", "text/css; charset=utf-8",
            "svg", "image/svg+xml",
            "json", Answers.JSON,
            "LICENSE", "text/plain; charset=utf-8");

    private PageFiles() {}

    static void routes(Router router) {
        router.get("/openapi.json").handler(context -> send(context, OPENAPI));
        router.get("/").handler(context -> send(context, FOLDER + "index.html"));
        router.getWithRegex(PLAIN_NAME).handler(context -> send(context, FOLDER + context.pathParam("param0")));
    }

    private static void send(RoutingContext context, String resource) {
        String type = TYPES.get(resource.substring(resource.lastIndexOf('.') + 1));
        try (InputStream in = type == null ? null : PageFiles.class.getResourceAsStream(resource)) {
            if (type == null || in == null) {
                throw Denial.missing("there is nothing here");
            }
            context.response().putHeader("Content-Type", type).end(Buffer.buffer(in.readAllBytes()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
