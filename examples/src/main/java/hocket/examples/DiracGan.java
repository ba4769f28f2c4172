package hocket.examples;

import static hocket.programs.Layers.dense;
import static hocket.programs.Operators.scale;
import static hocket.programs.Operators.shift;
import static hocket.schedulers.Budget.rounds;
import static hocket.schedulers.Resample.EACH_TURN;
import static hocket.schedulers.optimizers.Optimizers.sgd;
import static hocket.scopes.Streams.seed;

import hocket.gan.augmentations.InstanceNoise;
import hocket.gan.losses.GanLoss;
import hocket.gan.networks.Gan;
import hocket.gan.parts.Scored;
import hocket.gan.terms.Term;
import hocket.programs.layers.Weights;
import hocket.schedulers.Columns;
import hocket.schedulers.Rows;
import hocket.schedulers.Scheduler;
import hocket.schedulers.Source;
import hocket.schedulers.Turn;
import hocket.schedulers.games.Dynamics;
import hocket.schedulers.settings.Networks;
import hocket.scopes.Initialiser;
import hocket.scopes.Parameters;
import hocket.scopes.Shape;
import hocket.scopes.Tensor;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The Dirac-GAN of Mescheder et al. 2018, "Which training methods for GANs do actually converge?": the generator has the point θ, the data
 * are the point 0, the discriminator is ψx, and the equilibrium is θ = ψ = 0. Each method begins with θ = ψ = 1 and takes steps of 0.1.
 *
 * <p>{@code examples/run DiracGan [rounds]}: prints the distance from the equilibrium after 500 rounds of each method, in two seconds.
 */
public final class DiracGan {
    private static final Weights ONE = Weights.weights(Initialiser.constant(1)).withoutBias();

    /** A method: a GAN's loss, terms and augmentation, and the dynamics of its players. */
    record Method(Gan gan, Dynamics dynamics) {}

    private DiracGan() {}

    public static void main(String[] args) {
        int rounds = args.length > 0 ? Integer.parseInt(args[0]) : 500;
        methods()
                .forEach((name, method) ->
                        System.out.printf(Locale.ROOT, "%-32s %8.5f%n", name, distance(method, rounds)));
    }

    static Map<String, Method> methods() {
        Gan plain = Gan.of(
                        (z, none, row) -> dense("theta", shift(scale(z, 0), 1), 1, ONE),
                        (x, none) -> Scored.of(dense("psi", x, 1, ONE)))
                .latent(1);
        Gan wasserstein = plain.loss(GanLoss.wasserstein());
        Dynamics simultaneous = new Dynamics.Simultaneous();
        Map<String, Method> methods = new LinkedHashMap<>();
        methods.put("minimax", new Method(plain.loss(GanLoss.minimax()), simultaneous));
        methods.put("non-saturating", new Method(plain, simultaneous));
        methods.put("non-saturating, alternating", new Method(plain, new Dynamics.Alternating()));
        methods.put("Wasserstein", new Method(wasserstein, simultaneous));
        methods.put("Wasserstein, alternating", new Method(wasserstein, new Dynamics.Alternating()));
        methods.put(
                "WGAN-GP, alternating",
                new Method(wasserstein.terms(List.of(Term.wganGp(1))), new Dynamics.Alternating()));
        methods.put("R1", new Method(plain.terms(List.of(Term.r1(0.5))), simultaneous));
        methods.put("R2", new Method(plain.terms(List.of(Term.r2(0.5))), simultaneous));
        methods.put("instance noise", new Method(plain.augmentation(new InstanceNoise(1)), simultaneous));
        methods.put("consensus", new Method(plain, new Dynamics.Consensus(1)));
        methods.put("extragradient", new Method(plain, new Dynamics.Extragradient(false)));
        return methods;
    }

    /** Returns √(θ² + ψ²) after some rounds. */
    static double distance(Method method, int rounds) {
        Source zeros = Rows.of("x", Tensor.of(Shape.of(512, 1), new float[512])).batches(512);
        Networks networks = method.gan().build(Columns.of(zeros));
        Turn.Descend d = Turn.of("d", networks.program("discriminator")).updates("discriminator/**", sgd(0.1));
        Turn.Descend g = Turn.of("g", networks.program("generator")).updates("generator/**", sgd(0.1));
        try (Parameters parameters = Parameters.initialise(networks.graph().declarations(), seed(7));
                Scheduler scheduler = Scheduler.over(parameters)) {
            scheduler.plan(method.dynamics().plan(d, g)).feed(zeros, EACH_TURN).run(rounds(rounds));
            return Math.hypot(
                    parameters.tensor("generator/theta/weight").doubles()[0],
                    parameters.tensor("discriminator/psi/weight").doubles()[0]);
        }
    }
}
