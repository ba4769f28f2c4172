package hocket.schedulers.games;

import static hocket.schedulers.optimizers.Optimizers.extrapolate;
import static hocket.schedulers.optimizers.Optimizers.heavyBall;
import static hocket.schedulers.optimizers.Optimizers.optimistic;
import static hocket.schedulers.optimizers.Optimizers.scale;

import hocket.schedulers.Plan;
import hocket.schedulers.Turn;
import hocket.schedulers.optimizers.Chain;
import hocket.schedulers.optimizers.GradientTransformation;
import hocket.schedulers.optimizers.Lazy;
import hocket.schedulers.optimizers.UpdateRule;
import hocket.schedulers.plans.Trial;
import hocket.schedulers.settings.Keyed;
import hocket.schedulers.settings.Keys;
import hocket.schedulers.settings.Setting;
import hocket.scopes.SimilarNames;
import java.util.ArrayList;
import java.util.List;

/**
 * The dynamics of a two-player game, which make the plan of a round from the players' turns, losses and optimizers. In
 * a file {@code --set plan=NAME} puts all turns of an experiment of two players under one of these.
 */
@Keyed
public interface Dynamics {
    /** The dynamics with default settings. */
    List<Dynamics> USUAL = List.of(
            new Alternating(),
            new Simultaneous(),
            NCriticCopies.usual(),
            TwoTimeScalesCopies.usual(),
            ExtragradientCopies.usual(),
            ExtraAdamCopies.usual(),
            new PastExtragradient(),
            new Optimistic(),
            ImplicitCopies.usual(),
            LookaheadCopies.usual(),
            NegativeMomentumCopies.usual(),
            ConsensusCopies.usual(),
            UnrolledCopies.usual(),
            SymplecticCopies.usual(),
            CompetitiveCopies.usual());

    /** Their names, which are their keys in files. */
    List<String> NAMES = USUAL.stream().map(Dynamics::name).toList();

    /**
     * Returns the dynamics of a name with default settings, as {@code plan: NAME} in a file.
     *
     * @param name one of {@link #NAMES}
     * @throws IllegalArgumentException if the name is unknown; the message names similar ones
     */
    static Dynamics named(String name) {
        return SimilarNames.find(USUAL, Dynamics::name, name, "there are no dynamics ");
    }

    private static String name(Dynamics dynamics) {
        return Keys.of(dynamics.getClass(), Dynamics.class);
    }

    /**
     * Returns the plan of a round.
     *
     * @param first the player that updates first, the discriminator in a GAN
     * @throws IllegalArgumentException if the two turns do not allow it, saying why
     */
    Plan plan(Turn.Descend first, Turn.Descend second);

    /** One after the other, each with the other's update applied. */
    record Alternating() implements Dynamics {
        @Override
        public Plan plan(Turn.Descend first, Turn.Descend second) {
            return Plan.sequence(first, second);
        }
    }

    /** Both gradients first, then both updates. */
    record Simultaneous() implements Dynamics {
        @Override
        public Plan plan(Turn.Descend first, Turn.Descend second) {
            return Plan.simultaneous(first, second);
        }
    }

    /** The first several times for each time of the second (Arjovsky et al. 2017, algorithm 1, n_critic). */
    @Keyed.Name("n-critic")
    record NCritic(
            @Setting(
                    usually = "5",
                    least = 1,
                    most = 1e6,
                    help = "turns of the first player for each turn of the second")
            int n)
            implements Dynamics, NCriticCopies {
        public NCritic {
            NCriticCopies.check(n);
        }

        @Override
        public Plan plan(Turn.Descend first, Turn.Descend second) {
            return Plan.sequence(first.times(n), second);
        }
    }

    /** One after the other, the second more slowly (Heusel et al. 2017). */
    @Keyed.Name("two-time-scales")
    record TwoTimeScales(
            @Setting(usually = "0.25", least = 1e-9, most = 1e9, help = "factor of the second player's rate")
            double share)
            implements Dynamics, TwoTimeScalesCopies {
        public TwoTimeScales {
            TwoTimeScalesCopies.check(share);
        }

        @Override
        public Plan plan(Turn.Descend first, Turn.Descend second) {
            return Plan.sequence(first, withLast(second, scale(share)));
        }
    }

    /**
     * A look-ahead step, whose gradients update both from the weights before it (Korpelevich 1976; Gidel et al. 2019),
     * as do the optimizer slots. {@link ExtraAdam} is the variant whose slots see both steps.
     */
    record Extragradient(
            @Setting(usually = "false", help = "whether both steps see the same rows and noise")
            boolean sameSample) implements Dynamics, ExtragradientCopies {
        @Override
        public Plan plan(Turn.Descend first, Turn.Descend second) {
            return new Trial(Plan.simultaneous(first, second), List.of(first, second), 1, 0, sameSample, false);
        }
    }

    /**
     * Extragradient in which both steps update the optimizer slots, such as Adam's moments (Gidel et al. 2019,
     * algorithm 4); in {@link Extragradient} the look-ahead step does not change them.
     */
    @Keyed.Name("extra-adam")
    record ExtraAdam(
            @Setting(usually = "false", help = "whether both steps see the same rows and noise")
            boolean sameSample) implements Dynamics, ExtraAdamCopies {
        @Override
        public Plan plan(Turn.Descend first, Turn.Descend second) {
            return new Trial(Plan.simultaneous(first, second), List.of(first, second), 1, 0, sameSample, true);
        }
    }

    /** A look-ahead step by the last gradient (Popov 1980; Gidel et al. 2019): one gradient a round. */
    @Keyed.Name("past-extragradient")
    record PastExtragradient() implements Dynamics {
        @Override
        public Plan plan(Turn.Descend first, Turn.Descend second) {
            return Plan.simultaneous(withLast(first, extrapolate()), withLast(second, extrapolate()));
        }
    }

    /** Both at once, each step twice and the last one taken back (Daskalakis et al. 2018). */
    record Optimistic() implements Dynamics {
        @Override
        public Plan plan(Turn.Descend first, Turn.Descend second) {
            return Plan.simultaneous(withLast(first, optimistic()), withLast(second, optimistic()));
        }
    }

    /** The implicit step, whose gradient is taken at its result, by fixed-point iteration (Rockafellar 1976). */
    record Implicit(
            @Setting(usually = "10", least = 1, most = 1e4, help = "iterations")
            int iterations) implements Dynamics, ImplicitCopies {
        public Implicit {
            ImplicitCopies.check(iterations);
        }

        @Override
        public Plan plan(Turn.Descend first, Turn.Descend second) {
            return new Trial(Plan.simultaneous(first, second), List.of(first, second), iterations, 0, true, false);
        }
    }

    /** Several rounds forward, then part of the change undone (Chavdarova et al. 2021, lookahead-minmax). */
    record Lookahead(
            @Setting(usually = "5", least = 1, most = 1e6, help = "number of rounds forward")
            int period,

            @Setting(usually = "0.5", least = 0, most = 1, help = "share of the change that is kept")
            double share)
            implements Dynamics, LookaheadCopies {
        public Lookahead {
            LookaheadCopies.check(period, share);
        }

        @Override
        public Plan plan(Turn.Descend first, Turn.Descend second) {
            return Plan.trial(Plan.sequence(first, second).times(period), share);
        }
    }

    /** One after the other, with momentum against the last step (Gidel et al. 2019). */
    @Keyed.Name("negative-momentum")
    record NegativeMomentum(
            @Setting(usually = "-0.5", least = -0.9999999999, most = 0.9999999999, help = "share of the last step")
            double momentum)
            implements Dynamics, NegativeMomentumCopies {
        public NegativeMomentum {
            NegativeMomentumCopies.check(momentum);
        }

        @Override
        public Plan plan(Turn.Descend first, Turn.Descend second) {
            return Plan.sequence(withLast(first, heavyBall(momentum)), withLast(second, heavyBall(momentum)));
        }
    }

    /** Both at once, also down the gradients' own norm (Mescheder et al. 2017). */
    record Consensus(
            @Setting(usually = "0.1", least = 0, help = "weight of half the squared norm of both gradients")
            double gamma)
            implements Dynamics, ConsensusCopies {
        public Consensus {
            ConsensusCopies.check(gamma);
        }

        @Override
        public Plan plan(Turn.Descend first, Turn.Descend second) {
            return together(Game.of(first, second).consensus(gamma));
        }
    }

    /** The second descends its loss against the first's future weights (Metz et al. 2017). */
    record Unrolled(
            @Setting(
                    usually = "5",
                    least = 1,
                    most = 1000,
                    help = "steps of the first player that the second one differentiates through")
            int steps,

            @Setting(usually = "1e-2", least = 0, help = "rate of these steps")
            double rate,

            @Setting(usually = "true", help = "whether the gradient goes through these steps")
            boolean through)
            implements Dynamics, UnrolledCopies {
        public Unrolled {
            UnrolledCopies.check(steps, rate);
        }

        @Override
        public Plan plan(Turn.Descend first, Turn.Descend second) {
            return through
                    ? together(Game.of(first, second).unrolled(second.name(), steps, rate))
                    : Plan.sequence(Plan.trial(first.times(steps), second), first);
        }
    }

    /** Both at once, with the rotation of the field corrected (Balduzzi et al. 2018). */
    record Symplectic(
            @Setting(usually = "1", help = "weight of the adjustment")
            double lambda,

            @Setting(usually = "false", help = "whether its sign is chosen so that it leads to stable points")
            boolean aligned)
            implements Dynamics, SymplecticCopies {
        @Override
        public Plan plan(Turn.Descend first, Turn.Descend second) {
            return together(Game.of(first, second).symplectic(lambda, aligned));
        }
    }

    /** Each step the equilibrium of the game's bilinear approximation (Schäfer and Anandkumar 2019). */
    record Competitive(
            @Setting(
                    usually = "1e-2",
                    least = 0,
                    help = "how far the approximation is trusted: the players' rate for SGD")
            double rate,

            @Setting(usually = "3", least = 1, most = 100, help = "steps of conjugate gradients")
            int steps)
            implements Dynamics, CompetitiveCopies {
        public Competitive {
            CompetitiveCopies.check(rate, steps);
        }

        @Override
        public Plan plan(Turn.Descend first, Turn.Descend second) {
            return together(Game.of(first, second).competitive(rate, steps));
        }
    }

    private static Plan together(List<Turn.Descend> turns) {
        return Plan.simultaneous(turns.toArray(Turn.Descend[]::new));
    }

    /** Returns a turn with one more transformation after each of its optimizers. */
    private static Turn.Descend withLast(Turn.Descend turn, GradientTransformation gradientTransformation) {
        Player.requireOwnOptimizer(turn);
        List<Turn.Update> updates = new ArrayList<>();
        for (Turn.Update update : turn.updates()) {
            List<GradientTransformation> gradientTransformations =
                    new ArrayList<>(update.rule().links());
            gradientTransformations.add(gradientTransformation);
            UpdateRule longer = new Chain(gradientTransformations);
            longer = update.rule() instanceof Lazy ? new Lazy(longer) : longer;
            updates.add(new Turn.Update(update.selection(), longer, update.shared()));
        }
        return turn.updates(updates);
    }
}
