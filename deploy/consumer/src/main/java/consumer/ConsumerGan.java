package consumer;

import static hocket.programs.Layers.dense;
import static hocket.programs.Mode.EVAL;
import static hocket.programs.Mode.TRAIN;
import static hocket.programs.Operators.leakyRelu;
import static hocket.programs.Operators.relu;
import static hocket.schedulers.Budget.rounds;
import static hocket.schedulers.Plan.choose;
import static hocket.schedulers.Resample.EACH_TURN;
import static hocket.schedulers.optimizers.Optimizers.adam;
import static hocket.scopes.Streams.seed;

import com.sun.net.httpserver.HttpServer;
import hocket.gan.losses.GanLoss;
import hocket.programs.Graph;
import hocket.programs.Network;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.schedulers.Rows;
import hocket.schedulers.Schedule;
import hocket.schedulers.ScheduleView;
import hocket.schedulers.Scheduler;
import hocket.schedulers.Source;
import hocket.schedulers.Turn;
import hocket.schedulers.inference.Inferencer;
import hocket.scopes.Parameters;
import hocket.scopes.Shape;
import hocket.scopes.Tensor;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Arrays;

/**
 * A program of a stranger, who has only the published artefacts: trains a GAN on a ring of points by a schedule of its
 * own, serves the generator over HTTP, asks it once, and prints {@code consumer: passed}. It exits with status 1 where
 * the generator did not learn the ring.
 */
public final class ConsumerGan {
    private ConsumerGan() {}

    /** Gives the discriminator {@code ahead} turns for each of the generator. */
    record Ahead(int ahead) implements Schedule<Ahead.Taken> {
        record Taken(int turns) {}

        @Override
        public Taken start() {
            return new Taken(0);
        }

        @Override
        public Choice<Taken> next(Taken taken, ScheduleView view) {
            return taken.turns() < ahead
                    ? new Choice<>("d", new Taken(taken.turns() + 1))
                    : new Choice<>("g", new Taken(0));
        }
    }

    public static void main(String[] args) throws IOException, InterruptedException {
        Graph graph = new Graph();
        Value noise = graph.noise("noise", Shape.of(4));
        Value real = graph.input("point", Shape.of(2));
        Value fake;
        try (var generator = graph.module("generator")) {
            fake = graph.name("point", dense("out", relu(dense("h", noise, 32)), 2));
        }
        Network<Value, Value> discriminator =
                graph.module("discriminator", x -> dense("logit", leakyRelu(dense("h", x, 32), 0.2), 1));
        GanLoss loss = GanLoss.nonSaturating();
        var d = Turn.of("d", Program.compile("d_step", TRAIN, loss.discriminator(discriminator, real, fake)))
                .updates("discriminator/**", adam(2e-3).beta1(0.5));
        var g = Turn.of("g", Program.compile("g_step", TRAIN, loss.generator(discriminator, fake)))
                .updates("generator/**", adam(2e-3).beta1(0.5));
        Program draw = Program.compile("draw", EVAL, fake);
        try (Parameters parameters = Parameters.initialise(graph.declarations(), seed(7));
                Scheduler scheduler = Scheduler.over(parameters)) {
            double before = distance(draw, parameters);
            scheduler.plan(choose(new Ahead(2), d, g)).feed(ring(), EACH_TURN).run(rounds(1500));
            double after = distance(draw, parameters);
            System.out.printf("turns: d %d, g %d%n", scheduler.count("d"), scheduler.count("g"));
            System.out.printf("mean distance from the ring: %.3f before, %.3f after%n", before, after);
            check(scheduler.count("d") == 1000 && scheduler.count("g") == 500, "the schedule gave the turns");
            check(after < before / 2, "the generator came closer to the ring");
            String answer = served(draw, parameters);
            System.out.println("GET /points: " + answer);
            check(answer.split(",").length == 8, "the server gave four points");
        }
        System.out.println("consumer: passed");
    }

    private static void check(boolean holds, String what) {
        if (!holds) {
            System.err.println("consumer: failed: " + what);
            System.exit(1);
        }
    }

    /** How far generated points are from the ring of radius 2, in the mean. */
    private static double distance(Program draw, Parameters parameters) {
        try (Inferencer generator = Inferencer.of(draw, parameters.snapshot())) {
            float[] points = generator.sample(256, 1).tensor().floats();
            double sum = 0;
            for (int i = 0; i < points.length; i += 2) {
                sum += Math.abs(Math.hypot(points[i], points[i + 1]) - 2);
            }
            return sum / 256;
        }
    }

    /** Starts a server of generated points, and returns what it answers to one request: four points. */
    private static String served(Program draw, Parameters parameters) throws IOException, InterruptedException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        try (Inferencer generator = Inferencer.of(draw, parameters.snapshot())) {
            server.createContext("/points", exchange -> {
                byte[] body = Arrays.toString(generator.sample(4, 3).tensor().floats()).getBytes();
                exchange.sendResponseHeaders(200, body.length);
                try (var out = exchange.getResponseBody()) {
                    out.write(body);
                }
            });
            server.start();
            var request = HttpRequest.newBuilder(
                            URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/points"))
                    .build();
            return HttpClient.newHttpClient()
                    .send(request, HttpResponse.BodyHandlers.ofString())
                    .body();
        } finally {
            server.stop(0);
        }
    }

    private static Source ring() {
        int count = 512;
        float[] points = new float[2 * count];
        for (int i = 0; i < count; i++) {
            points[2 * i] = (float) (2 * StrictMath.cos(2 * Math.PI * i / count));
            points[2 * i + 1] = (float) (2 * StrictMath.sin(2 * Math.PI * i / count));
        }
        return Rows.of("point", Tensor.of(Shape.of(count, 2), points)).batches(64);
    }
}
