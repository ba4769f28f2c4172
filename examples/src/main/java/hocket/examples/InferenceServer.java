package hocket.examples;

import hocket.programs.Session.Feeds;
import hocket.schedulers.inference.Inferencer;
import hocket.schedulers.inference.Outputs;
import hocket.scopes.Shape;
import hocket.scopes.Tensor;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.BodyHandler;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * Serves a trained agent by HTTP with Vert.x: a request has rows of observations, the response their actions.
 *
 * <p>{@code ./hocket run cartpole-ppo} trains the agent in some seconds. {@code examples/run InferenceServer [PORT]}
 * reads it from {@code runs/cartpole-ppo} and listens; {@code curl -d '[[0, 0, 0.1, 0.5], [0, 0, -0.1, -0.5]]'
 * localhost:8080/actions} prints {@code {"step":8211,"actions":[1,0]}}: push to the right, push to the left. {@code
 * curl -X POST localhost:8080/reload} reads the newest checkpoint of a run that still trains, without interrupting
 * requests.
 */
public final class InferenceServer {
    private static final int MOST_BYTES = 1 << 20;

    private InferenceServer() {}

    public static void main(String[] args) throws IOException {
        Vertx vertx = Vertx.vertx();
        Inferencer agent = Inferencer.load(Path.of("runs/cartpole-ppo"));
        start(vertx, agent, args.length > 0 ? Integer.parseInt(args[0]) : 8080)
                .onSuccess(server -> System.out.println("listening at port " + server.actualPort()))
                .onFailure(failure -> {
                    System.err.println(failure.getMessage());
                    agent.close();
                    vertx.close();
                });
    }

    static Future<HttpServer> start(Vertx vertx, Inferencer agent, int port) {
        Router router = Router.router(vertx);
        router.post("/actions")
                .handler(BodyHandler.create(false).setBodyLimit(MOST_BYTES))
                .handler(context -> actions(agent, context));
        router.post("/reload")
                .handler(context -> vertx.executeBlocking(agent::reload) // reads files, so not on the event loop
                        .onSuccess(newer -> context.json(
                                new JsonObject().put("newer", newer).put("step", agent.step())))
                        .onFailure(failure -> refuse(context, 503, failure)));
        return vertx.createHttpServer().requestHandler(router).listen(port, "127.0.0.1");
    }

    /** Answers without blocking the event loop, which sends the response when a session has computed it. */
    private static void actions(Inferencer agent, RoutingContext context) {
        Feeds rows;
        try {
            rows = observations(
                    context.body().asJsonArray(), agent.inputs().get(0).shape());
        } catch (RuntimeException e) {
            refuse(context, 400, e);
            return;
        }
        Future.fromCompletionStage(agent.inferAsync(rows), context.vertx().getOrCreateContext())
                .onSuccess(outputs -> context.json(answer(outputs)))
                .onFailure(
                        failure -> refuse(context, failure instanceof IllegalArgumentException ? 400 : 503, failure));
    }

    private static Feeds observations(JsonArray rows, Shape row) {
        float[] all = new float[rows.size() * row.size()];
        for (int i = 0; i < rows.size(); i++) {
            JsonArray numbers = rows.getJsonArray(i);
            if (numbers.size() != row.size()) {
                throw new IllegalArgumentException(
                        "row " + i + " must have " + row.size() + " numbers, has " + numbers.size());
            }
            for (int j = 0; j < row.size(); j++) {
                all[i * row.size() + j] = numbers.getFloat(j);
            }
        }
        return Feeds.of("observation", Tensor.of(row.prepend(rows.size()), all));
    }

    private static JsonObject answer(Outputs outputs) {
        return new JsonObject()
                .put("step", outputs.step())
                .put("actions", Arrays.stream(outputs.longs()).boxed().toList());
    }

    private static void refuse(RoutingContext context, int status, Throwable failure) {
        context.response()
                .setStatusCode(status)
                .putHeader("Content-Type", "text/plain; charset=utf-8")
                .end(String.valueOf(failure.getMessage()));
    }
}
