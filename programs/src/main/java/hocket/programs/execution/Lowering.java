package hocket.programs.execution;

import hocket.programs.Program;
import hocket.programs.Value;
import hocket.scopes.Device;
import hocket.scopes.Parameters;
import hocket.scopes.Path;
import hocket.scopes.Snapshot;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** A compiler that turns programs into executables. Found by {@link ServiceLoader}. */
public interface Lowering {
    /** A name for messages and run folders, for example {@code mxnet}. */
    String name();

    /** Returns the version of its engine, for people; empty without an engine or where it is not available. */
    default String version() {
        return "";
    }

    /** Why this lowering cannot be used on this machine; empty when it can. */
    default Optional<String> unavailable() {
        return Optional.empty();
    }

    /** Returns where its engine unpacks a native library, and whether it can, for people; empty without one. */
    default Optional<String> home() {
        return Optional.empty();
    }

    /** Higher wins among those that are available and do not refuse the program: a pure function of it and the settings. */
    int preference(Program program);

    /**
     * Why this lowering cannot run a program, whatever the machine: an operator that it has no rule for, in the program or
     * its gradients; empty when it can.
     *
     * @param gradients the stored paths whose gradients of the first target will be wanted; may be empty
     */
    default Optional<String> refuses(Program program, SortedSet<Path> gradients) {
        return Optional.empty();
    }

    /**
     * Returns whether several of its executables may run at the same time, each on a separate thread, once the thread
     * that owns the store has {@link Executable#prepare prepared} them.
     */
    default boolean runsBeside() {
        return false;
    }

    /**
     * The device on whose arrays its programs run, to which binding moves the parameters that they read; empty if they copy
     * them from any.
     */
    default Optional<Device> device() {
        return Optional.empty();
    }

    /** Returns for how many numbers of rows a program stays bound: few where each has memory of its own. */
    default int mostRowCounts() {
        return 16;
    }

    /**
     * Makes a program ready to run on the store's arrays, which it may move to its
     * {@link #device}.
     *
     * @throws IllegalArgumentException if the store lacks a parameter that the program reads, or has another shape
     * @throws ProgramException if the engine refuses
     */
    Executable bind(Binding binding);

    /**
     * Frees memory of closed executables that an allocator keeps for later ones. Called when a program is closed.
     *
     * @param bytes size of all values in the program's executables, about the memory that they used
     */
    default void releaseMemory(long bytes) {}

    /**
     * Describes the result of binding a program, without loading an engine or allocating memory; empty where unknown.
     *
     * @param gradients the stored paths whose gradients of the first target are wanted
     * @param batch the number of rows
     * @param threads the most threads that its kernels may use
     * @throws IllegalArgumentException if it has no rule for an operator of the program
     */
    default Optional<Outline> outline(Program program, SortedSet<Path> gradients, int batch, int threads) {
        return Optional.empty();
    }

    /**
     * A program as a lowering writes it.
     *
     * @param operators number of operators that the engine runs forward, with those that only return targets
     * @param threads number of threads of its kernels
     */
    record Outline(int operators, int threads) {}

    /**
     * Exports a program and its parameters as a model that other software loads, in the engine's format; empty without
     * one. Needs neither the engine nor a store.
     *
     * @param program in EVAL mode, which draws nothing: all that it reads is an input
     * @param values of the parameters that it reads, by the paths in the store; others may be among them
     * @throws IllegalArgumentException if it has no rule for an operator of the program, or none for any number of rows; or
     *     if a parameter is missing among the values
     */
    default Optional<Model> model(Program program, Snapshot values) {
        return Optional.empty();
    }

    /**
     * The files of a model.
     *
     * @param files contents, by the suffix of their names after the model's: {@code -symbol.json}
     * @param inputs inputs of the model, in its order, by the paths of the program
     * @param page description of the files and of how other software loads them
     */
    record Model(SortedMap<String, List<ByteBuffer>> files, List<Value> inputs, ModelPage page) {
        public Model {
            inputs = List.copyOf(inputs);
        }
    }

    /** A description of a model's files for people, in Markdown. */
    interface ModelPage {
        /**
         * Returns the row of a table: the files and their readers.
         *
         * @param name the model's name, with which the files begin
         */
        String row(String name);

        /**
         * Returns a section on how other software loads the model.
         *
         * @param normal whether an input is standard normal noise
         */
        List<String> section(String name, Predicate<Value> normal);
    }

    /**
     * Returns the model of a program by the first lowering that has a format. Throws as {@link #model} does.
     *
     * @throws IllegalStateException if there is no such lowering on the class path
     */
    static Model export(Program program, Snapshot values) {
        for (Lowering lowering : all()) {
            Optional<Model> model = lowering.model(program, values);
            if (model.isPresent()) {
                return model.get();
            }
        }
        throw new IllegalStateException("nothing on the class path writes models for other programs");
    }

    /**
     * The arguments of binding. An array that is handed out has at most 2147483647 bytes, another value that many
     * elements.
     *
     * @param program the program to run
     * @param parameters the store that is read
     * @param gradients the stored paths whose gradients of the first target are wanted, in order; may be empty
     * @param batch the number of rows
     * @param threads the most threads that its kernels may use
     * @param worker number of the concurrent worker that runs it, from 1 on; 0 where it runs alone. Its threads are
     *     those of this worker alone
     * @param pool an executable of the same program whose working memory may be used too, or null
     */
    record Binding(
            Program program,
            Parameters parameters,
            SortedSet<Path> gradients,
            int batch,
            int threads,
            int worker,
            @Nullable Executable pool) {
        /** @throws IllegalArgumentException if an array would hold too much, naming the value, the rows and both sizes */
        public Binding {
            for (Value value : program.values()) {
                boolean handed =
                        program.targets().contains(value) || value.inputs().isEmpty();
                long elements =
                        (value.batched() ? (long) batch : 1) * value.shape().size();
                requireRoom(
                        program, value, batch, elements, handed ? value.type().bytes() : 1);
            }
        }

        private static void requireRoom(Program program, Value value, int rows, long elements, int bytes) {
            if (elements * bytes > Integer.MAX_VALUE) {
                throw new IllegalArgumentException("program " + program.name() + ": " + value + " of " + rows
                        + " rows has " + elements * bytes + (bytes == 1 ? " elements" : " bytes")
                        + "; an array may have at most 2147483647");
            }
        }

        /**
         * Checks that an array holds each value of the program as it is compiled.
         *
         * @param elements returns the number of elements of a value's array
         * @throws IllegalArgumentException if one does not, naming the value, the rows and both sizes
         */
        public void requireRoom(Program compiled, ToLongFunction<Value> elements) {
            compiled.values().forEach(value -> requireRoom(program, value, batch, elements.applyAsLong(value), 1));
        }
    }

    /** The name of the lowering that runs every program. */
    String REFERENCE = "reference";

    /** Set to the name of a lowering, this system property takes that one for every program; {@code auto} as usual. */
    String PROPERTY = "hocket.lowering";

    /**
     * Returns the lowering for a program here: of the available ones with rules for all of it, the one that prefers it
     * most. The choice depends on program and settings alone, not on timing.
     *
     * @throws IllegalArgumentException if {@link #PROPERTY} names none, or one that refuses the program or is not available
     * @throws IllegalStateException if there is none, saying why for each
     */
    static Lowering of(Program program) {
        return of(program, Collections.emptySortedSet());
    }

    /**
     * Returns the lowering for a program and gradients of it. Throws as {@link #of(Program)} does.
     *
     * @param gradients the stored paths whose gradients of the first target will be wanted
     */
    static Lowering of(Program program, SortedSet<Path> gradients) {
        List<Lowering> all = all();
        String wanted = System.getProperty(PROPERTY, "auto");
        List<Lowering> some = all.stream()
                .filter(lowering -> wanted.equals("auto") || lowering.name().equals(wanted))
                .sorted(Comparator.comparingInt((Lowering lowering) -> lowering.preference(program))
                        .reversed())
                .toList();
        if (some.isEmpty() && !wanted.equals("auto")) {
            throw new IllegalArgumentException(PROPERTY + ": must be auto or one of "
                    + all.stream().map(Lowering::name).toList() + ", was " + wanted);
        }
        List<String> reasons = new ArrayList<>();
        for (Lowering lowering : some) {
            Optional<String> reason = lowering.refuses(program, gradients).or(lowering::unavailable);
            if (reason.isEmpty()) {
                return lowering;
            }
            reasons.add(reason.get());
        }
        if (!wanted.equals("auto")) {
            throw new IllegalArgumentException(PROPERTY + " is " + wanted + ", and program " + program.name()
                    + " cannot run there: " + String.join("; ", reasons));
        }
        throw new IllegalStateException(
                all.isEmpty()
                        ? "nothing on the class path can run programs"
                        : "program " + program.name() + " cannot run: " + String.join("; ", reasons));
    }

    /**
     * The reference, which has a rule for every operator and both float types, on every machine.
     *
     * @throws IllegalStateException if it is not on the class path
     */
    static Lowering reference() {
        return all().stream()
                .filter(lowering -> lowering.name().equals(REFERENCE))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("the reference lowering is not on the class path"));
    }

    private static List<Lowering> all() {
        return ServiceLoader.load(Lowering.class).stream()
                .map(ServiceLoader.Provider::get)
                .toList();
    }

    /** Name and version, for people: {@code mxnet 1.9.1}. */
    default String title() {
        return (name() + " " + version()).strip();
    }
}
