package hocket.workbench.training;

import hocket.workbench.experiment.ExperimentFile;
import hocket.workbench.runs.CommandContext;
import hocket.workbench.runs.RunFolder;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.ServiceLoader;
import java.util.Set;

/**
 * A role that a process can take in a run of several processes. Roles are services, found on the class path: without any, each
 * run is one process. An object serves one command line; its fields may be options of {@code hocket run}.
 */
public interface ProcessRole {
    /** New objects for one command line, in the order in which they are asked. */
    static List<ProcessRole> all() {
        return ServiceLoader.load(ProcessRole.class).stream()
                .map(ServiceLoader.Provider::get)
                .toList();
    }

    /** The environment variables that give a process this role; a process that is started for another run gets none of them. */
    Set<String> variables();

    /**
     * Runs this process in its role, where the environment gives it one.
     *
     * @return the exit status; empty where the environment gives this process no such role
     * @throws hocket.workbench.terminal.UserError if the command line does not fit the role
     */
    OptionalInt run(Order order);

    /** The option of this role that was given, such as {@code --actors}. */
    default Optional<String> option() {
        return Optional.empty();
    }

    /** What the options of this role ask for, in words for the provenance of the run; nothing where none was given. */
    default List<String> asked() {
        return List.of();
    }

    /**
     * Opens an observer of a run that trains in this process.
     *
     * @return empty where no option asks for one
     */
    default Optional<Observer> observer(Order order, StopRequest stopRequest) {
        return Optional.empty();
    }

    /** Observes a run, and holds something open until it is closed. */
    interface Observer extends RunObserver, AutoCloseable {
        @Override
        void close();
    }

    /** The {@code hocket run} that a person asked for. */
    interface Order {
        /** Where the command works. */
        CommandContext workplace();

        /** The environment of this process. */
        Map<String, String> environment();

        /** Further jars, as they were given. */
        List<String> jars();

        /** Whether only errors are said. */
        boolean quiet();

        /** Checks the command line. Throws a refusal if it is wrong. */
        void check();

        /**
         * Refuses options that only a run of one process takes.
         *
         * @param who this process is, such as {@code worker 1}
         */
        void checkPartOf(String who);

        /** The experiment as it is named, whether or not a run is resumed. */
        ExperimentFile named();

        /** The experiment as it is run: that of the folder where a run is resumed. */
        ExperimentFile file();

        /** The folder of the run that is resumed. */
        Optional<RunFolder> resumed();

        /** Which of the experiment's runners trains. */
        String runner(ExperimentFile file);

        /**
         * Trains in this process as the one that writes the folder.
         *
         * @param ring around the whole run
         * @param host by which this machine is reached, for the address of the page; empty for itself
         * @return the exit status
         */
        int train(StopRequest stopRequest, RunRing ring, String host);
    }
}
