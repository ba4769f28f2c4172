package hocket.workbench.live.peers;

import hocket.workbench.files.experiment.ExperimentFile;
import hocket.workbench.live.http.AccessGuard;
import hocket.workbench.live.http.HttpError;
import hocket.workbench.live.http.PublicFiles;
import hocket.workbench.runs.CommandContext;
import hocket.workbench.runs.RegularFiles;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The experiments that the page may start: built-in ones, and files in the folder of runs or in the server's working
 * folder. No path and no link leads out of these two folders.
 *
 * @param folder of the runs
 */
public record StartableExperiments(CommandContext workplace, Path folder) {
    private static final String ENDING = ".yaml";

    /**
     * A startable experiment.
     *
     * @param name built-in name, or the file
     * @param file whether it is a file
     */
    public record Known(String name, String summary, boolean file) {}

    public record All(List<Known> experiments) {}

    /** Returns the experiments to choose from: built-in ones, and files directly in the two folders. */
    List<Known> known() {
        List<Known> all = new ArrayList<>();
        files().forEach(name -> all.add(new Known(name, "", true)));
        builtIn().forEach(title -> all.add(new Known(title.name(), title.summary(), false)));
        return all;
    }

    private List<ExperimentFile.Title> builtIn() {
        return ExperimentFile.builtIn(workplace.surroundings(List.of()));
    }

    private Stream<String> files() {
        return roots().stream()
                .flatMap(root -> PublicFiles.in(root).stream())
                .filter(file -> file.toString().endsWith(ENDING) && RegularFiles.isFile(file))
                .map(this::named)
                .distinct();
    }

    /** Returns its name, as {@link #find} accepts it. */
    private String named(Path file) {
        Path here = roots().get(0);
        return (file.startsWith(here) ? here : roots().get(1)).relativize(file).toString();
    }

    private List<Path> roots() {
        return Stream.of(workplace.here(), folder)
                .map(root -> root.toAbsolutePath().normalize())
                .distinct()
                .toList();
    }

    /**
     * Returns the experiment of a name.
     *
     * @throws HttpError if there is none
     */
    String find(String name) {
        if (!name.endsWith(ENDING)) {
            return builtIn().stream()
                    .map(ExperimentFile.Title::name)
                    .filter(name::equals)
                    .findFirst()
                    .orElseThrow(() -> missing(name));
        }
        return roots().stream()
                .flatMap(root -> within(root, name).stream())
                .findFirst()
                .orElseThrow(() -> missing(name))
                .toString();
    }

    private static HttpError missing(String name) {
        return HttpError.wrong(
                "experiment",
                "must be a name from GET /api/experiments, or a file NAME.yaml in the folder of runs or where the server"
                        + " was started, was " + AccessGuard.shown(name));
    }

    /** Returns a plain file below a folder, by a path without links or {@code ..}. */
    private static Optional<Path> within(Path root, String name) {
        Path path = root;
        for (String step : name.split("/", -1)) {
            if (step.isEmpty() || step.startsWith(".") || step.matches(".*[\\\\:\\p{Cntrl}].*")) {
                return Optional.empty();
            }
            path = path.resolve(step);
            if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS) || Files.isSymbolicLink(path)) {
                return Optional.empty();
            }
        }
        return RegularFiles.isFile(path) ? Optional.of(path) : Optional.empty();
    }
}
