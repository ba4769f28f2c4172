package hocket.schedulers.games;

import static hocket.schedulers.games.Player.slope;

import hocket.programs.Operators;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.programs.execution.Substitution;
import hocket.programs.operators.Elementwise;
import hocket.schedulers.Turn;
import hocket.scopes.Path;
import hocket.scopes.Scope;
import hocket.scopes.SimilarNames;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.stream.Stream;

/**
 * Players that each descend a loss of their own, which depends on the weights of all: player i owns the weights θᵢ that its
 * turn updates and its loss Lᵢ reaches; together their gradients ξ = (∇₁L₁, ∇₂L₂, …) are the game's field. A strategy gives
 * the same turns, by name, optimizer and what they report and observe, with programs whose first target has another
 * gradient by the player's weights. Its value is the player's plain loss as ever: what is printed for it is comparable
 * between strategies. Papers take the turns at once ({@link hocket.schedulers.Plan#simultaneous}); one after the other,
 * each sees what the others just did.
 *
 * <p>A loss often detaches what an opponent made, as a discriminator's does with generated rows, since its own gradient does
 * not need it. Here a player must see how the opponent's loss depends on itself. So a {@link Operators#stopGradient} is
 * passed where its argument depends on weights of others and none of the player's own, unless an opponent's loss holds it
 * too (as a straight-through estimator within a generator). The player's own gradient is the same with it and without.
 *
 * <p>A player's program computes the losses of all that its direction needs, so it reads their inputs and noise too: one
 * batch, the same rows and draws for all. Running statistics move as they do in the turn as it was: batch norms that only
 * another's loss calls normalise by the batch and leave them.
 *
 * <p>Directions are gradients of gradients, of convolutions too; the engine cannot run all of these: on a convolutional GAN
 * its backward pass fails in some symplectic programs, naming a layout, where the reference lowering runs them.
 *
 * @param players two or more
 */
public record Game(List<Turn.Descend> players) {
    /**
     * @throws IllegalArgumentException if there are not two players, two have one name, their programs are of different
     *     graphs, one reads parameters under another path than its graph has, two own a weight in common, or one's loss
     *     reaches none of its weights
     */
    public Game {
        players = List.copyOf(players);
        if (players.size() < 2) {
            throw new IllegalArgumentException("a game needs at least two players, got " + players);
        }
        Set<String> names = new HashSet<>();
        Map<Path, String> owners = new HashMap<>();
        for (Turn.Descend turn : players) {
            Program program = turn.program();
            if (!names.add(turn.name())) {
                throw new IllegalArgumentException("two players of the game are called " + turn.name());
            }
            if (program.graph() != players.get(0).program().graph()) {
                throw new IllegalArgumentException("players " + players.get(0).name() + " and " + turn.name()
                        + " descend programs of different graphs: a game is played on one");
            }
            if (!program.mappings().isEmpty()) {
                throw new IllegalArgumentException("player " + turn.name() + ": program " + program.name()
                        + " reads other parameters than its graph names, " + program.mappings()
                        + ": in a game each reads its own");
            }
            for (Path path : Player.of(turn).weights().keySet()) {
                String other = owners.put(path, turn.name());
                if (other != null) {
                    throw new IllegalArgumentException("players " + other + " and " + turn.name() + " both own " + path
                            + ": in a game a weight belongs to one");
                }
            }
        }
    }

    /** The game of these players. Throws as the constructor. */
    public static Game of(Turn.Descend... players) {
        return new Game(List.of(players));
    }

    /**
     * Consensus optimization (Mescheder et al. 2017, algorithm 1): {@code ξ + γ·∇½‖ξ‖²}, which also descends the length of
     * the field.
     *
     * @param gamma weight of that, at least 0
     * @throws IllegalArgumentException if it is not
     */
    public List<Turn.Descend> consensus(double gamma) {
        requireNotNegative("gamma", gamma);
        return each("consensus", (all, me) -> {
            Value half = half(all);
            return slope(Operators.add(me.loss(), Operators.scale(half, gamma)), me.own());
        });
    }

    /**
     * Symplectic gradient adjustment (Balduzzi et al. 2018; Letcher et al. 2019): {@code ξ +
     * λ·Aᵀξ} with A the antisymmetric part of the field's Jacobian, {@code (Aᵀξ)ᵢ = ½·∇ᵢ Σⱼ (∇ⱼLⱼ - ∇ⱼLᵢ)·ξⱼ}, the last ξ
     * held constant.
     *
     * @param lambda weight of the adjustment
     * @param aligned whether λ is given the sign of {@code ⟨ξ, ∇H⟩·⟨Aᵀξ, ∇H⟩/d + 1/10}, with {@code H = ½‖ξ‖²} over d
     *     weights, so that it draws to stable points and away from unstable ones (there)
     * @throws IllegalArgumentException if lambda is not finite
     */
    public List<Turn.Descend> symplectic(double lambda, boolean aligned) {
        if (!Double.isFinite(lambda)) {
            throw new IllegalArgumentException("lambda must be a finite number, was " + lambda);
        }
        return each("symplectic", (all, me) -> {
            List<Value> field = me.gradient();
            List<Value> adjustment = adjustment(all, me);
            if (!aligned) {
                return ValueVectors.plus(field, lambda, adjustment);
            }
            Value sign = Operators.scale(sign(all), lambda);
            return ValueVectors.plus(field, sign, adjustment);
        });
    }

    /**
     * Competitive gradient descent of two players (Schäfer and Anandkumar 2019, algorithm 1): player x of losses f and g
     * moves against {@code (I - η²·F·G)⁻¹ (∇ₓf - η·F·∇ᵧg)} with {@code F = ∂²f/∂x∂y} and {@code G = ∂²g/∂y∂x}, the best
     * answer to an opponent who plays by the same rule; y does the same with the roles exchanged. For SGD of rate η without
     * momentum this is the paper's step. The matrix is symmetric only where {@code g = -f}, so the system is solved by
     * conjugate gradients on the normal equations (Hestenes and Stiefel 1952, section 10), whose residual shrinks in every
     * step, whatever the matrix; near 0 the matrix is near the identity, and few steps do. A step takes four products of a
     * mixed Hessian and a vector. Once the residual is 0, further steps change nothing.
     *
     * @param rate η, above 0: the rate of both players
     * @param steps of conjugate gradients, at least 1
     * @throws IllegalArgumentException if there are more than two players, or a setting is out of its range
     */
    public List<Turn.Descend> competitive(double rate, int steps) {
        requireTwo("competitive gradient descent");
        requirePositive("rate", rate);
        requireAtLeastOne("steps", steps);
        return each("competitive", (all, me) -> new Competitive(me, other(all, me), rate).direction(steps));
    }

    /**
     * An unrolled player (Metz et al. 2017, section 2): it descends its loss as it will be after its opponent took some
     * steps of gradient descent, {@code y₀ = y, yᵢ₊₁ = yᵢ - rate·∇L₂(x, yᵢ)}, along the whole gradient of {@code L₁(x,
     * yₖ(x))}, through these steps too. All of them see the same rows and draws. The opponent's turn is as it was.
     *
     * @param player the name of the one that looks ahead
     * @param steps k, at least 1; memory and time grow in proportion
     * @param rate of the opponent's steps, above 0
     * @throws IllegalArgumentException if there are more than two players, none of that name, or a setting is out of its
     *     range
     */
    public List<Turn.Descend> unrolled(String player, int steps, double rate) {
        requireTwo("unrolling");
        requireAtLeastOne("steps", steps);
        requirePositive("rate", rate);
        List<String> names = players.stream().map(Turn.Descend::name).toList();
        SimilarNames.require(names, player, "no player is called ");
        List<Turn.Descend> ahead = each("unrolled", (all, me) -> {
            Player opponent = other(all, me);
            List<Value> own = opponent.own();
            Substitution at = Substitution.of(Map.of());
            List<Value> now = own;
            for (int i = 0; i < steps; i++) {
                now = ValueVectors.plus(now, -rate, slope(at.in(opponent.loss()), now));
                Map<Value, Value> moved = new HashMap<>();
                for (int k = 0; k < own.size(); k++) {
                    moved.put(own.get(k), now.get(k));
                }
                at = Substitution.of(moved);
            }
            return slope(at.in(me.loss()), me.own());
        });
        return Stream.of(0, 1)
                .map(i -> players.get(i).name().equals(player) ? ahead.get(i) : players.get(i))
                .toList();
    }

    /** The turns, each with the direction that a strategy gives its player. */
    private List<Turn.Descend> each(String strategy, BiFunction<List<Player>, Player, List<Value>> direction) {
        List<Turn.Descend> turns = new ArrayList<>();
        try (Scope<Value> scope = players.get(0).program().graph().derived(strategy)) {
            for (int i = 0; i < players.size(); i++) {
                List<Player> all = seenBy(i);
                turns.add(all.get(i).descending(direction.apply(all, all.get(i))));
            }
        }
        return turns;
    }

    /** ½‖ξ‖². */
    private static Value half(List<Player> all) {
        Value sum = all.stream()
                .map(Player::gradient)
                .map(gradient -> ValueVectors.dot(gradient, gradient))
                .reduce(Operators::add)
                .orElseThrow();
        return Operators.scale(sum, 0.5);
    }

    /** {@code (Aᵀξ)ᵢ}. */
    private static List<Value> adjustment(List<Player> all, Player me) {
        Value sum = all.stream()
                .filter(other -> other != me)
                .map(other -> {
                    List<Value> theirs = other.gradient();
                    List<Value> mine = slope(me.loss(), other.own());
                    List<Value> along = ValueVectors.held(theirs);
                    return Operators.subtract(ValueVectors.dot(theirs, along), ValueVectors.dot(mine, along));
                })
                .reduce(Operators::add)
                .orElseThrow();
        return slope(Operators.scale(sum, 0.5), me.own());
    }

    /** The sign that aligns an adjustment: one number, -1, 0 or 1. */
    private static Value sign(List<Player> all) {
        List<Value> weights = all.stream().flatMap(each -> each.own().stream()).toList();
        List<Value> field =
                all.stream().flatMap(each -> each.gradient().stream()).toList();
        List<Value> adjustments =
                all.stream().flatMap(each -> adjustment(all, each).stream()).toList();
        List<Value> slope = slope(half(all), weights);
        Value product = Operators.multiply(ValueVectors.dot(field, slope), ValueVectors.dot(adjustments, slope));
        return Operators.sign(Operators.shift(Operators.scale(product, 1.0 / ValueVectors.size(weights)), 0.1));
    }

    private static Player other(List<Player> all, Player me) {
        return all.get(0) == me ? all.get(1) : all.get(0);
    }

    /** All players as one of them needs them: detached of nothing, and with that one's running statistics at rest. */
    private List<Player> seenBy(int viewer) {
        List<Player> all = players.stream().map(Player::of).toList();
        List<Set<Value>> above = all.stream().map(Player::above).toList();
        Player me = all.get(viewer);
        Set<Value> kept = new HashSet<>(me.program().values());
        List<Player> seen = new ArrayList<>();
        for (int i = 0; i < all.size(); i++) {
            Set<Value> statistics = new HashSet<>();
            if (i != viewer) {
                Program program = all.get(i).program();
                statistics.addAll(program.batchNormsOwnedBy(me.weights().keySet()));
                program.values().stream()
                        .filter(value -> value.operator() instanceof Elementwise.Running)
                        .forEach(statistics::add);
                statistics.removeAll(kept);
            }
            seen.add(all.get(i)
                    .with(Substitution.of(Map.of())
                            .passing(hiding(i, all, above))
                            .resting(statistics)
                            .in(all.get(i).loss())));
        }
        return seen;
    }

    /** The values at which a player's loss hides how it depends on the others. */
    private static List<Value> hiding(int player, List<Player> all, List<Set<Value>> above) {
        List<Value> ordered = above.get(player).stream()
                .sorted(Comparator.comparingInt(Value::id))
                .toList();
        Set<Value> own = all.get(player).touches(ordered);
        Set<Value> others = new HashSet<>();
        Set<Value> shared = new HashSet<>();
        for (int i = 0; i < all.size(); i++) {
            if (i != player) {
                others.addAll(all.get(i).touches(ordered));
                shared.addAll(above.get(i));
            }
        }
        return ordered.stream()
                .filter(value -> value.operator() instanceof Elementwise.StopGradient)
                .filter(value -> others.contains(value) && !own.contains(value) && !shared.contains(value))
                .toList();
    }

    private void requireTwo(String strategy) {
        if (players.size() != 2) {
            throw new IllegalArgumentException(strategy + " needs two players, this game has "
                    + new TreeSet<>(players.stream().map(Turn.Descend::name).toList()));
        }
    }

    private static void requireNotNegative(String name, double value) {
        if (!(value >= 0 && Double.isFinite(value))) {
            throw new IllegalArgumentException(name + " must be a number of at least 0, was " + value);
        }
    }

    private static void requirePositive(String name, double value) {
        if (!(value > 0 && Double.isFinite(value))) {
            throw new IllegalArgumentException(name + " must be a number above 0, was " + value);
        }
    }

    private static void requireAtLeastOne(String name, int value) {
        if (value < 1) {
            throw new IllegalArgumentException(name + " must be a whole number of at least 1, was " + value);
        }
    }
}
