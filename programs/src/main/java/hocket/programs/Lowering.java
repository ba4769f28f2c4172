package hocket.programs;

import hocket.scopes.Parameters;
import hocket.scopes.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.SortedSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What turns programs into something that runs. Found by {@link ServiceLoader}. */
public interface Lowering {
    /** A name for messages and run folders, for example {@code mxnet}. */
    String name();

    /** The version of the engine behind it, for people; empty where there is none, or it is not available. */
    default String version() {
        return "";
    }

    /** Why this lowering cannot be used on this machine; empty when it can. */
    Optional<String> unavailable();

    /** Higher wins among the available ones. */
    int preference();

    /** Why this lowering cannot run a program, whatever the machine: an operator that it has no rule for; empty when it can. */
    default Optional<String> refuses(Program program) {
        return Optional.empty();
    }

    /**
     * Makes a program ready to run on the store's arrays.
     *
     * @throws IllegalArgumentException if the store lacks a parameter that the program reads, or has another shape
     * @throws ProgramException if the engine refuses
     */
    Executable bind(Binding binding);

    /**
     * What binding would make of a program, without loading an engine or taking memory; empty where that is not known.
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
     * @param operators how many operators the engine runs forward, those that hand out targets included
     * @param threads how many threads its kernels use
     */
    record Outline(int operators, int threads) {}

    /**
     * What is bound to what.
     *
     * @param program what is computed
     * @param parameters the store that is read
     * @param gradients the stored paths whose gradients of the first target are wanted, in order; may be empty
     * @param moments the batch norms whose batch moments are wanted after a run
     * @param batch the number of rows
     * @param threads the most threads that its kernels may use
     * @param pool an executable of the same program whose working memory may be used too, or null
     */
    record Binding(
            Program program,
            Parameters parameters,
            SortedSet<Path> gradients,
            List<Value> moments,
            int batch,
            int threads,
            @Nullable Executable pool) {}

    /**
     * The available lowering that is preferred on this machine.
     *
     * @throws IllegalStateException if there is none, saying why for each
     */
    static Lowering best() {
        List<Lowering> all = ServiceLoader.load(Lowering.class).stream()
                .map(ServiceLoader.Provider::get)
                .toList();
        return all.stream()
                .filter(lowering -> lowering.unavailable().isEmpty())
                .max(Comparator.comparingInt(Lowering::preference))
                .orElseThrow(() -> new IllegalStateException(
                        all.isEmpty()
                                ? "nothing on the class path can run programs"
                                : all.stream()
                                        .map(lowering -> lowering.unavailable().orElse(""))
                                        .collect(Collectors.joining("; "))));
    }
}
