package hocket.workbench.command.options;

import hocket.workbench.command.bench.Benchmarks;
import hocket.workbench.files.experiment.ExperimentFile;
import hocket.workbench.files.forms.PartDescription;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The names that a shell completes, as they are when the script for completion is printed. */
public final class CompletedNames {
    private CompletedNames() {}

    private static ExperimentFile.Surroundings here() {
        return new ExperimentFile.Surroundings(Path.of(""), List.of(), Map.of());
    }

    /** The built-in experiments. */
    public static final class OfExperiments implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return ExperimentFile.builtIn(here()).stream()
                    .map(ExperimentFile.Title::name)
                    .iterator();
        }
    }

    /** The benchmarks of {@code hocket bench}. */
    public static final class OfBenchmarks implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return Benchmarks.names().iterator();
        }
    }

    /** What {@code hocket list} takes: the parts that files name, and their kinds. */
    public static final class OfParts implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            List<PartDescription> all = ExperimentFile.parts(here()).all();
            return Stream.of(
                            Stream.of("parts"),
                            all.stream().map(PartDescription::kind),
                            all.stream().map(PartDescription::name))
                    .flatMap(names -> names)
                    .distinct()
                    .iterator();
        }
    }
}
