package hocket.workbench.training;

import hocket.workbench.files.experiment.ExperimentFile;
import hocket.workbench.runs.CommandContext;
import hocket.workbench.runs.RunFolder;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.ServiceLoader;
import java.util.Set;

/**
 * A role that a process can take in a run of several processes. Roles are services on the class path; without any, each
 * run is one process. An object serves one command line; its fields may be options of {@code hocket run}.
 */
public interface ProcessRole {
    /** Returns new objects for one command line, in the order in which they are asked. */
    static List<ProcessRole> all() {
        return ServiceLoader.load(ProcessRole.class).stream()
                .map(ServiceLoader.Provider::get)
                .toList();
    }

    /** Returns the environment variables that give a process this role; processes of other runs do not inherit them. */
    Set<String> variables();

    /**
     * Runs this process in its role if the environment assigns one.
     *
     * @return the exit status; empty if the environment does not assign this role
     * @throws hocket.workbench.files.UserError if the command line does not fit the role
     */
    OptionalInt run(Order order);

    /** Returns the option of this role that was given, such as {@code --actors}. */
    default Optional<String> option() {
        return Optional.empty();
    }

    /** Returns the role's options in words for the provenance of the run; empty if none was given. */
    default List<String> asked() {
        return List.of();
    }

    /**
     * Opens an observer of a run that trains in this process.
     *
     * @return empty if no option asks for one
     */
    default Optional<Observer> observer(Order order, StopRequest stopRequest) {
        return Optional.empty();
    }

    /** Observes a run and holds a resource until it is closed. */
    interface Observer extends RunObserver, AutoCloseable {
        @Override
        void close();
    }

    /** A {@code hocket run} as a person requested it. */
    interface Order {
        /** Returns the context of the command. */
        CommandContext workplace();

        /** Returns the environment of this process. */
        Map<String, String> environment();

        /** Returns further jars as they were given. */
        List<String> jars();

        /** Returns whether only errors are printed. */
        boolean quiet();

        /** Checks the command line. Throws a user error if it is wrong. */
        void check();

        /**
         * Rejects options that only a run of one process accepts.
         *
         * @param who the name of this process, such as {@code worker 1}
         */
        void checkPartOf(String who);

        /** Returns the experiment that the command line names, for new and resumed runs. */
        ExperimentFile named();

        /** Returns the experiment that is run: the folder's one if a run is resumed. */
        ExperimentFile file();

        /** Returns the folder of the run that is resumed. */
        Optional<RunFolder> resumed();

        /** Returns which of the experiment's runners trains. */
        String runner(ExperimentFile file);

        /**
         * Trains in this process, which writes the folder.
         *
         * @param ring around the whole run
         * @param host the name of this machine in the page's address; empty for the default
         * @return the exit status
         */
        int train(StopRequest stopRequest, RunRing ring, String host);
    }
}
