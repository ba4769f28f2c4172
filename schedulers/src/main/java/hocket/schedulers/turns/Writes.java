package hocket.schedulers.turns;

import hocket.programs.Mode;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.schedulers.Plan;
import hocket.schedulers.Turn;
import hocket.schedulers.optimizers.Lazy;
import hocket.schedulers.plans.Choose;
import hocket.schedulers.runs.IncompatibleSetupException;
import hocket.scopes.Declaration;
import hocket.scopes.Declaration.Kind;
import hocket.scopes.Path;
import hocket.scopes.Selection;
import hocket.scopes.SimilarNames;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The checked map of which turn writes which parameters. A turn writes only selected paths that the gradient of its
 * loss reaches, and two turns write one path only where both share it.
 *
 * @param byTurn the paths that each turn writes: weights, and the running statistics that come with them
 * @param byPath the turns that write each path
 */
public record Writes(Map<String, SortedSet<Path>> byTurn, SortedMap<Path, List<String>> byPath) {
    private static final String FROM = "/follow/from";
    private static final String TO = "/follow/to";
    private static final String WRITES = "/writes/";
    private static final String OPTIMIZER_OF = "/optimizer_of";

    /**
     * @param optimizerOf the turn whose optimizer updates it
     * @param isJava whether it is a turn of Java
     * @param key of the part of the experiment that selects a path
     */
    private record Owner(String turn, String optimizerOf, boolean shared, boolean isJava, String key) {}

    /**
     * The writes of a plan's turns over a store with these declarations.
     *
     * @throws IncompatibleSetupException of the turn or one of its updates, naming the path, if a turn updates nothing,
     *     selects no path or one that its loss does not reach, or two turns write one path without sharing it
     */
    public static Writes of(Collection<Turn> turns, Collection<Declaration> declarations) {
        Map<String, SortedSet<Path>> byTurn = new LinkedHashMap<>();
        TreeMap<Path, List<Owner>> owners = new TreeMap<>();
        Map<String, SortedMap<Path, Owner>> following = new LinkedHashMap<>();
        for (Turn.Follow turn : Turn.following(turns)) {
            following.put(turn.name(), follow(turn, declarations));
        }
        for (Turn turn : turns) {
            turn.descend().ifPresent(descend -> requireOwner(descend, turns));
            SortedMap<Path, Owner> written = following.getOrDefault(turn.name(), new TreeMap<>());
            turn.descend()
                    .ifPresent(descend -> IncompatibleSetupException.attempt(
                            "turns/" + turn.name(), () -> descend(descend, declarations, following.values(), written)));
            turn.act().ifPresent(act -> written.putAll(act(act, declarations)));
            byTurn.put(turn.name(), new TreeSet<>(written.keySet()));
            written.forEach((path, owner) ->
                    owners.computeIfAbsent(path, key -> new ArrayList<>()).add(owner));
        }
        owners.forEach(Writes::check);
        TreeMap<Path, List<String>> byPath = new TreeMap<>();
        owners.forEach(
                (path, list) -> byPath.put(path, list.stream().map(Owner::turn).toList()));
        return new Writes(byTurn, byPath);
    }

    /**
     * Returns the paths that a turn writes.
     *
     * @throws IllegalArgumentException if no turn has this name, naming the nearest
     */
    public SortedSet<Path> paths(String turn) {
        return SimilarNames.get(byTurn, turn, "no turn is called ");
    }

    /**
     * Checks that turns which a plan takes together write no path twice: the second would apply an outdated gradient.
     *
     * @throws IllegalArgumentException otherwise, naming part, turns and path
     */
    public void checkTogether(Plan plan) {
        for (List<Integer> group : plan.together()) {
            TreeMap<Path, String> writers = new TreeMap<>();
            for (int part : group) {
                String turn = Choose.name(plan.parts().get(part));
                for (Path path : byTurn.getOrDefault(turn, new TreeSet<>())) {
                    String other = writers.put(path, turn);
                    if (other != null) {
                        throw new IllegalArgumentException(
                                plan + " takes turns " + other + " and " + turn + " together, which both write " + path
                                        + ": take one after the other, as in sequence(" + other + ", " + turn
                                        + "), or give the path to one of them");
                    }
                }
            }
        }
        plan.parts().forEach(this::checkTogether);
    }

    /** Names the last of these turns, or the last one that follows, as the place to correct. */
    private static void check(Path path, List<Owner> owners) {
        if (owners.stream().map(Owner::optimizerOf).distinct().count() > 1
                && !owners.stream().allMatch(Owner::shared)) {
            List<Owner> following =
                    owners.stream().filter(owner -> owner.key().endsWith(TO)).toList();
            boolean isJava = owners.stream().anyMatch(Owner::isJava);
            List<Owner> mended = following.isEmpty() ? owners : following;
            String turns = String.join(" and ", owners.stream().map(Owner::turn).toList());
            throw new IncompatibleSetupException(
                    mended.get(mended.size() - 1).key(),
                    "turns " + turns + " both write " + path + ": "
                            + (following.isEmpty()
                                    ? "give it to one of them"
                                            + (isJava ? "" : ", or let each share it: shares in place of updates")
                                    : "an average is written by one turn alone; follow to a path of its own, such"
                                            + " as ema/**"));
        }
    }

    private static SortedMap<Path, Owner> follow(Turn.Follow turn, Collection<Declaration> declarations) {
        Owner owner = new Owner(turn.name(), turn.name(), false, false, "turns/" + turn.name() + TO);
        SortedMap<Path, Owner> written = new TreeMap<>();
        followed(turn, declarations).values().forEach(target -> written.put(target.path(), owner));
        return written;
    }

    private static SortedMap<Path, Owner> act(Turn.Act turn, Collection<Declaration> declarations) {
        SortedMap<Path, Owner> written = new TreeMap<>();
        for (int i = 0; i < turn.written().size(); i++) {
            Selection selection = turn.written().get(i);
            Owner owner = new Owner(turn.name(), turn.name(), false, true, "turns/" + turn.name() + WRITES + i);
            IncompatibleSetupException.attempt(owner.key(), () -> {
                for (Declaration declaration :
                        selected(turn.name(), selection, declarations).values()) {
                    if (declaration.kind() == Kind.SETTING) {
                        throw new IllegalArgumentException("turn " + turn.name() + " writes " + declaration.path()
                                + " by " + selection + ", which is a setting: Run.set changes it");
                    }
                    written.put(declaration.path(), owner);
                }
            });
        }
        return written;
    }

    /** Returns the parameters that a turn of Java writes, in path order. */
    static SortedSet<Path> written(Turn.Act turn, Collection<Declaration> declarations) {
        return new TreeSet<>(act(turn, declarations).keySet());
    }

    /**
     * @param following what turns that follow write
     * @param written takes what this one writes
     */
    private static void descend(
            Turn.Descend turn,
            Collection<Declaration> declarations,
            Collection<SortedMap<Path, Owner>> following,
            SortedMap<Path, Owner> written) {
        if (turn.stepped().isEmpty() && turn.program().mode() == Mode.TRAIN) {
            throw new IllegalArgumentException("turn " + turn.name()
                    + " updates nothing: choose weights with .updates(\"module/**\", adam(1e-3))");
        }
        SortedSet<Path> reached = turn.program().reached();
        boolean steps = turn.optimizerOf().isPresent();
        String optimizerOf = turn.optimizerOf().orElse(turn).name();
        for (Turn.Update update : turn.stepped()) {
            String key = "turns/" + turn.name()
                    + (steps ? OPTIMIZER_OF : (update.shared() ? "/shares/" : "/updates/") + update.selection());
            IncompatibleSetupException.attempt(key, () -> {
                for (Path path : weights(turn, update, declarations)) {
                    Owner owner = new Owner(turn.name(), optimizerOf, update.shared(), false, key);
                    if (!steps && !reached.contains(path)) {
                        throw new IllegalArgumentException(unreached(turn, update, path)
                                + following.stream()
                                        .flatMap(each -> Optional.ofNullable(each.get(path)).stream())
                                        .map(follower -> "; turn " + follower.turn() + " writes it, which follows")
                                        .collect(Collectors.joining()));
                    }
                    Owner other = written.put(path, owner);
                    if (other != null) {
                        throw new IllegalArgumentException("turn " + turn.name() + " selects " + path
                                + " in two of its updates, also by "
                                + other.key().split("/", 4)[3]);
                    }
                }
                UsedRows.indices(turn, update, declarations);
            });
        }
        if (steps) {
            IncompatibleSetupException.attempt(
                    "turns/" + turn.name() + OPTIMIZER_OF, () -> requireStep(turn, written.keySet()));
        }
        turn.program()
                .statisticsOwnedBy(Set.copyOf(written.keySet()))
                .forEach((statistic, owner) -> written.put(
                        statistic,
                        written.getOrDefault(
                                owner, new Owner(turn.name(), optimizerOf, false, false, "turns/" + turn.name()))));
    }

    /** Checks that the turn whose optimizer another steps is one of these, with the same updates. */
    private static void requireOwner(Turn.Descend turn, Collection<Turn> turns) {
        turn.optimizerOf().ifPresent(owner -> {
            Optional<Turn> found = turns.stream()
                    .filter(other -> other.name().equals(owner.name()))
                    .findFirst();
            if (found.isEmpty() || !found.get().updates().equals(owner.updates())) {
                throw new IncompatibleSetupException(
                        "turns/" + turn.name() + OPTIMIZER_OF,
                        "turn " + turn.name() + " steps the optimizer of turn " + owner.name() + ", which "
                                + (found.isEmpty() ? "is not part of the run" : "has other updates here"));
            }
        });
    }

    /** Checks that a step of another turn's optimizer changes something, and all of its rows. */
    private static void requireStep(Turn.Descend turn, Set<Path> weights) {
        if (turn.program().reached().stream().noneMatch(weights::contains)) {
            throw new IllegalArgumentException("turn " + turn.name() + ": the gradient of its loss "
                    + turn.program().targets().get(0).path() + " reaches none of the weights that it updates, "
                    + turn.stepped().stream().map(Turn.Update::selection).toList());
        }
        if (turn.stepped().stream().anyMatch(update -> update.rule() instanceof Lazy)) {
            throw new IllegalArgumentException("turn " + turn.name()
                    + ": a lazy optimizer updates the rows that its own turn looks up, and no other turn steps it");
        }
    }

    private static String unreached(Turn.Descend turn, Turn.Update update, Path path) {
        Program program = turn.program();
        String why;
        if (!program.parameters().containsKey(path)) {
            why = "program " + program.name() + " does not read it";
        } else {
            List<String> cuts = cuts(program, path);
            why = cuts.isEmpty()
                    ? "program " + program.name() + " reads it for other targets only"
                    : "it is cut by " + String.join(" and ", cuts);
        }
        return "turn " + turn.name() + " selects " + path + " by " + update.selection()
                + ", but the gradient of its loss " + program.targets().get(0).path() + " does not reach it: " + why;
    }

    /** The values on the way from the loss to a parameter at which the gradient ends, by name. */
    private static List<String> cuts(Program program, Path path) {
        Value parameter = program.parameters().get(path);
        Set<Value> above = new HashSet<>();
        for (Value value : program.values()) {
            if (value.equals(parameter) || program.inputsOf(value).stream().anyMatch(above::contains)) {
                above.add(value);
            }
        }
        Set<Value> reached = new HashSet<>();
        Deque<Value> open = new ArrayDeque<>(List.of(program.targets().get(0)));
        List<String> cuts = new ArrayList<>();
        while (!open.isEmpty()) {
            Value value = open.pop();
            if (!reached.add(value)) {
                continue;
            }
            List<Value> inputs = program.inputsOf(value);
            for (int i = 0; i < inputs.size(); i++) {
                if (value.operator().differentiable(i)) {
                    open.push(inputs.get(i));
                } else if (above.contains(inputs.get(i))) {
                    cuts.add(value.path().text());
                }
            }
        }
        return cuts.stream().distinct().sorted().toList();
    }

    /** Returns the weights of an update, in path order. */
    public static SortedSet<Path> weights(Turn.Descend turn, Turn.Update update, Collection<Declaration> declarations) {
        SortedSet<Path> weights = new TreeSet<>();
        selected(turn.name(), update.selection(), declarations).values().forEach(declaration -> {
            if (declaration.kind() == Kind.WEIGHT) {
                weights.add(declaration.path());
            }
        });
        if (weights.isEmpty()) {
            throw new IllegalArgumentException("turn " + turn.name() + ": selection " + update.selection()
                    + " holds running statistics only, which no optimizer updates");
        }
        return weights;
    }

    /** Returns the weights that a turn updates, in path order. */
    public static SortedSet<Path> weights(Turn.Descend turn, Collection<Declaration> declarations) {
        SortedSet<Path> weights = new TreeSet<>();
        turn.stepped().forEach(update -> weights.addAll(weights(turn, update, declarations)));
        return weights;
    }

    /** Returns those weights of them that the gradient of its loss reaches: all, if it has optimizers of its own. */
    static SortedSet<Path> reachedWeights(Turn.Descend turn, Collection<Declaration> declarations) {
        SortedSet<Path> weights = weights(turn, declarations);
        if (turn.optimizerOf().isPresent()) {
            weights.retainAll(turn.program().reached());
        }
        return weights;
    }

    /** Returns sources and targets of an averaging turn. */
    public static SortedMap<Path, Declaration> followed(Turn.Follow turn, Collection<Declaration> declarations) {
        SortedMap<Path, Declaration> known = new TreeMap<>();
        declarations.forEach(declaration -> known.put(declaration.path(), declaration));
        SortedMap<Path, Declaration> targets = new TreeMap<>();
        SortedMap<Path, Declaration> sources = new TreeMap<>();
        IncompatibleSetupException.attempt(
                "turns/" + turn.name() + FROM,
                () -> sources.putAll(selected(turn.name(), Selection.of(turn.from()), declarations)));
        sources.forEach((path, source) -> {
            Path to = turn.mapping().map(path);
            Declaration target = known.get(to);
            if (target == null) {
                throw new IncompatibleSetupException(
                        "turns/" + turn.name() + TO, nothingAt(to, turn, path, known.keySet()));
            }
            if (!target.shape().equals(source.shape()) || target.type() != source.type()) {
                throw new IncompatibleSetupException(
                        "turns/" + turn.name() + TO,
                        "turn " + turn.name() + ": " + path + " is " + source.type() + source.shape() + ", " + to
                                + " is " + target.type() + target.shape() + ": what follows has the same shape");
            }
            targets.put(path, target);
        });
        return targets;
    }

    private static String nothingAt(Path to, Turn.Follow turn, Path path, Set<Path> known) {
        Selection followers = Selection.of(turn.to());
        return "turn " + turn.name() + ": there is no " + to + " to follow " + path + ": "
                + (known.stream().anyMatch(followers::matches)
                        ? turn.to() + " holds something else; follow to a path of its own, such as ema/" + turn.from()
                        : "make it with copy(\"" + turn.from() + "\", \"" + turn.to() + "\")");
    }

    private static SortedMap<Path, Declaration> selected(
            String turn, Selection selection, Collection<Declaration> declarations) {
        try {
            return selection.of(declarations);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("turn " + turn + ": " + e.getMessage(), e);
        }
    }
}
