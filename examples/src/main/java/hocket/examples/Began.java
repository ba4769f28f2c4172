package hocket.examples;

import static hocket.programs.Layers.dense;
import static hocket.programs.Operators.abs;
import static hocket.programs.Operators.add;
import static hocket.programs.Operators.clip;
import static hocket.programs.Operators.elu;
import static hocket.programs.Operators.flatten;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.multiply;
import static hocket.programs.Operators.reshape;
import static hocket.programs.Operators.scale;
import static hocket.programs.Operators.spreadToRows;
import static hocket.programs.Operators.stopGradient;
import static hocket.programs.Operators.subtract;
import static hocket.schedulers.Budget.rounds;
import static hocket.schedulers.Plan.sequence;
import static hocket.schedulers.Resample.EACH_TURN;
import static hocket.schedulers.optimizers.Optimizers.adam;
import static hocket.scopes.Streams.seed;

import hocket.gan.data.ImageGrid;
import hocket.gan.data.ImageSource;
import hocket.gan.data.Optdigits;
import hocket.gan.scores.Evaluator;
import hocket.gan.scores.ImageScores;
import hocket.programs.Graph;
import hocket.programs.Loss;
import hocket.programs.Mode;
import hocket.programs.Network;
import hocket.programs.Program;
import hocket.programs.Session.Feeds;
import hocket.programs.Value;
import hocket.schedulers.Columns;
import hocket.schedulers.Scheduler;
import hocket.schedulers.Turn;
import hocket.schedulers.settings.Limits;
import hocket.schedulers.settings.NetworkDefinition;
import hocket.schedulers.settings.Networks;
import hocket.schedulers.settings.Setting;
import hocket.scopes.Parameters;
import hocket.scopes.Shape;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * BEGAN (Berthelot et al. 2017), a method that is not in the box: D is an autoencoder, its loss is L(v) = |v − D(v)|, and a number k
 * keeps E[L(G(z))] / E[L(x)] near γ.
 *
 * <p>{@code examples/run Began [rounds]}: the default 8,000 rounds take half a minute on two cores; {@code began.png} has 64 samples.
 * They are strokes of few kinds, with a Fréchet distance of 9.9 (without training 42, {@code digits-gan} 0.1). In a file: {@code network: {class: hocket.examples.Began}}, and the discriminator's turn has {@code carries: {k: k_next}}.
 */
public record Began(
        @Setting(usually = "32", least = 1, help = "numbers of noise, and of the autoencoder's code")
        int latent,

        @Setting(usually = "256", least = 1, help = "units of each hidden layer")
        int width,

        @Setting(usually = "0.9", least = 0, most = 1, help = "γ, the diversity ratio E[L(G(z))] / E[L(x)]")
        double gamma,

        @Setting(usually = "0.001", least = 0, help = "λ, the step of k")
        double lambda)
        implements NetworkDefinition {
    public Began {
        Limits.atLeast(1, "latent", latent);
        Limits.atLeast(1, "width", width);
        Limits.fraction("gamma", gamma);
        Limits.notNegative("lambda", lambda);
    }

    @Override
    public Networks build(Columns columns) {
        Graph graph = new Graph();
        Shape row = columns.shape("image");
        Value x = graph.input("image", row);
        Value k = mean(graph.input("k", Shape.scalar())); // k_0 = 0
        Network<Value, Value> g = graph.module("generator", z -> decode(z, row));
        Network<Value, Value> d = graph.module("discriminator", v -> decode(encode(v), row));
        Value fake = g.apply(graph.noise("noise", Shape.of(latent)));
        Value ofReal = mean(abs(subtract(x, d.apply(x)))); // L(x)
        Value ofFake = mean(abs(subtract(fake, d.apply(fake)))); // L(G(z))
        Value balance = subtract(scale(ofReal, gamma), ofFake); // γ L(x) − L(G(z))
        Value next = clip(add(k, scale(balance, lambda)), 0, 1); // k_{t+1} = k_t + λ (γ L(x) − L(G(z)))
        graph.name("k_next", spreadToRows(stopGradient(next)));
        Loss ofD = Loss.of(subtract(ofReal, multiply(k, ofFake))); // L_D = L(x) − k_t L(G(z))
        Value convergence = add(ofReal, abs(balance)); // M_global
        return Networks.of(
                        graph,
                        Program.compile(
                                "discriminator",
                                Mode.TRAIN,
                                ofD.metric("convergence", convergence).metric("k", k)),
                        Program.compile("generator", Mode.TRAIN, Loss.of(ofFake)), // L_G = L(G(z))
                        Program.compile("draw", Mode.EVAL, fake))
                .withStatesOfNoRow(graph.value("k"));
    }

    private Value encode(Value v) {
        return dense("code", elu(dense("enter", flatten(v), width), 1), latent);
    }

    private Value decode(Value code, Shape row) {
        return reshape(dense("out", elu(dense("hidden", code, width), 1), row.size()), row.extents());
    }

    public static void main(String[] args) {
        System.out.println(run(args.length > 0 ? Integer.parseInt(args[0]) : 8000, Optional.of(Path.of("began.png"))));
    }

    /** Trains on the digits, writes samples, and returns their scores. */
    static Map<String, Double> run(int rounds, Optional<Path> picture) {
        ImageSource digits = new Optdigits(Optdigits.Part.TRAIN).open("digits", 64, true);
        Networks networks = new Began(32, 256, 0.9, 0.001).build(Columns.of(digits));
        Turn d = Turn.of("d", networks.program("discriminator"))
                .updates("discriminator/**", adam(2e-4).beta1(0.5))
                .carries(networks.graph().value("k"), networks.graph().value("k_next"));
        Turn g = Turn.of("g", networks.program("generator"))
                .updates("generator/**", adam(2e-4).beta1(0.5));
        try (Parameters parameters = Parameters.initialise(networks.graph().declarations(), seed(7));
                Scheduler scheduler = Scheduler.over(parameters)) {
            scheduler.plan(sequence(d, g)).feed(digits, EACH_TURN).run(rounds(rounds));
            picture.ifPresent(file -> new ImageGrid(8, 1, 8)
                    .write(
                            file,
                            scheduler
                                    .now()
                                    .session()
                                    .run(networks.program("draw"), Feeds.rows(64))
                                    .get(0)
                                    .floats(),
                            1,
                            8,
                            8));
            return new ImageScores("digits", "draw", Optional.empty(), new Evaluator.Pixels())
                    .build(networks, Map.of("digits", digits))
                    .scores(parameters);
        }
    }
}
