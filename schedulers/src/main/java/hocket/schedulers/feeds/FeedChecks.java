package hocket.schedulers.feeds;

import hocket.programs.Program;
import hocket.programs.Value;
import hocket.schedulers.Source;
import hocket.schedulers.SourceDescription;
import hocket.schedulers.Turn;
import hocket.schedulers.runs.IncompatibleSetupException;
import hocket.scopes.SimilarNames;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Checks that sources and turns fit, and their messages. */
public final class FeedChecks {
    private FeedChecks() {}

    /**
     * Checks that every input of the turns is fed, by one source, with its shape and type, and that the sources of a turn
     * have batches of one size.
     *
     * @throws IncompatibleSetupException otherwise, of the turn, naming input and source
     */
    public static void check(Collection<Turn.Descend> turns, List<? extends SourceDescription> sources) {
        for (Turn.Descend turn : turns) {
            IncompatibleSetupException.attempt("turns/" + turn.name(), () -> {
                Set<Value> carried =
                        turn.carried().stream().map(Turn.Carried::input).collect(Collectors.toSet());
                for (Value input : turn.program().inputs()) {
                    if (carried.contains(input)) {
                        requireNotFed(turn, input, sources);
                    } else {
                        check(turn, input, sources);
                    }
                }
                checkBatches(turn, sources);
            });
        }
    }

    /**
     * Checks that every source is read by a turn.
     *
     * @throws IllegalArgumentException otherwise, naming the source and the inputs that are read
     */
    public static void requireRead(Collection<Turn.Descend> turns, List<? extends SourceDescription> sources) {
        TreeSet<String> read = new TreeSet<>();
        turns.forEach(turn ->
                turn.program().inputs().forEach(input -> read.add(input.path().text())));
        for (SourceDescription source : sources) {
            if (source.columns().stream().noneMatch(column -> read.contains(column.name()))) {
                throw new IllegalArgumentException("source " + source.name() + " feeds nobody: its columns are "
                        + source.columns() + ", the plan's turns read " + read);
            }
        }
    }

    private static void requireNotFed(Turn.Descend turn, Value input, List<? extends SourceDescription> sources) {
        for (SourceDescription source : sources) {
            if (source.hasColumn(input.path().text())) {
                throw new IllegalArgumentException("turn " + turn.name() + " carries a state to input " + input
                        + ", which source " + source.name() + " feeds too: remove one of them");
            }
        }
    }

    private static void check(Turn.Descend turn, Value input, List<? extends SourceDescription> sources) {
        String name = input.path().text();
        List<Source.Column> by = columns(sources).stream()
                .filter(column -> column.name().equals(name))
                .toList();
        if (by.size() != 1) {
            throw new IllegalArgumentException(
                    notFedOnce(turn.name(), name, sources) + (by.isEmpty() ? carryHint(turn.program(), name) : ""));
        }
        fits(turn.name(), input, by.get(0));
    }

    /** Says that a turn may carry the value {@code NAME_next} to an input {@code NAME}, if a graph has both. */
    private static String carryHint(Program program, String input) {
        String next = input + "_next";
        return program.graph().has(next)
                ? "; as a state of the turn it needs carries: {" + input + ": " + next + "}"
                : "";
    }

    private static void checkBatches(Turn.Descend turn, List<? extends SourceDescription> sources) {
        List<? extends SourceDescription> feeding = sources.stream()
                .filter(source -> source.isReadBy(turn.program()))
                .toList();
        for (SourceDescription other : feeding) {
            SourceDescription first = feeding.get(0);
            if (first.batch() != other.batch()) {
                throw new IllegalArgumentException("turn " + turn.name() + " reads batches of " + first.batch()
                        + " rows from " + first.name() + " and of " + other.batch() + " from " + other.name());
            }
        }
    }

    /**
     * Checks that a source feeds every input of a program, with its shape and type.
     *
     * @throws IllegalArgumentException otherwise, naming program and input
     */
    public static void fits(Program program, SourceDescription source) {
        for (Value input : program.inputs()) {
            String name = input.path().text();
            Source.Column column = source.columns().stream()
                    .filter(each -> each.name().equals(name))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException("program " + program.name() + " reads input " + name
                            + ", which source " + source.name() + " does not feed"
                            + SimilarNames.among(
                                    name,
                                    source.columns().stream()
                                            .map(Source.Column::name)
                                            .toList())));
            fits(program.name(), input, column);
        }
    }

    /** Checks that a column has the shape and type of the input that it feeds. */
    static void fits(String turn, Value input, Source.Column column) {
        if (column.type() != input.type()) {
            throw new IllegalArgumentException("turn " + turn + ": input " + column.name() + " is " + input.type()
                    + ", the source gives " + column.type());
        }
        if (!column.shape().equals(input.shape())) {
            throw new IllegalArgumentException("turn " + turn + ": input " + column.name() + " has rows "
                    + input.shape() + ", the source gives " + column.shape());
        }
    }

    /** Returns the message for an input that no source feeds, or more than one. */
    public static String notFedOnce(String turn, String input, List<? extends SourceDescription> sources) {
        List<String> by = sources.stream()
                .filter(source -> source.hasColumn(input))
                .map(SourceDescription::name)
                .toList();
        if (!by.isEmpty()) {
            return "turn " + turn + " reads input " + input + ", which " + by.size() + " sources feed: "
                    + String.join(" and ", by);
        }
        List<String> known = columns(sources).stream().map(Source.Column::name).toList();
        return "turn " + turn + " reads input " + input + ", which no source feeds" + SimilarNames.among(input, known);
    }

    private static List<Source.Column> columns(List<? extends SourceDescription> sources) {
        return sources.stream().flatMap(source -> source.columns().stream()).toList();
    }
}
