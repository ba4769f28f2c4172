package hocket.workbench.live.http;

import io.vertx.core.buffer.Buffer;
import io.vertx.ext.web.RoutingContext;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;

/** Serves the page and its files, and {@code openapi.json}: public files of the jar, in one folder. */
public final class PageFiles {
    private static final String FOLDER = "/hocket/workbench/live/page/";
    private static final Map<String, String> TYPES = Map.of(
            "html", "text/html; charset=utf-8",
            "js", "text/javascript; charset=utf-8",
            "css", "text/css; charset=utf-8",
            "svg", "image/svg+xml",
            "LICENSE", "text/plain; charset=utf-8");

    private PageFiles() {}

    public static void routes(Routes routes) {
        routes.on("page", (context, query) -> send(context, "index.html"));
        routes.on("file", (context, query) -> send(context, context.pathParam("param0")));
        routes.on("openapi", (context, query) -> JsonResponses.answer(context, Routes.DOCUMENT.text()));
    }

    private static void send(RoutingContext context, String name) {
        String type = TYPES.get(name.substring(name.lastIndexOf('.') + 1));
        try (InputStream in = type == null ? null : PageFiles.class.getResourceAsStream(FOLDER + name)) {
            if (type == null || in == null) {
                throw HttpError.missing("not found");
            }
            context.response().putHeader("Content-Type", type).end(Buffer.buffer(in.readAllBytes()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
