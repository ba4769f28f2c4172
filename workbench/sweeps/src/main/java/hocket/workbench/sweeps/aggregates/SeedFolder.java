package hocket.workbench.sweeps.aggregates;

import hocket.scopes.SimilarNames;
import hocket.workbench.files.UserError;
import hocket.workbench.files.experiment.WrittenSettings;
import hocket.workbench.runs.CommandContext;
import hocket.workbench.runs.RunFolder;
import hocket.workbench.sweeps.SeedFacts;
import hocket.workbench.sweeps.SweepFolder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The scores in a folder of several seeds of an agent; its algorithm is theirs, and its environment, with options, limit and wrappers
 * if it has any, their task.
 */
final class SeedFolder {
    private static final String CLASS = "algorithm/class";
    private static final String ENVIRONMENT = "algorithm/(.+/)?environment"; // an algorithm may hold another one
    /** Settings that make another task of an environment. */
    private static final String CHANGED = "algorithm/(.+/)?environments/(limit|options|wrappers)(/.+)?";

    private static final Set<String> UNCHANGED = Set.of("limit=0", "options={}", "wrappers=[]");

    private static final String OURS = "hocket[.].*[.]";

    private SeedFolder() {}

    /**
     * Reads a score of all seeds.
     *
     * @param name of the algorithm; null for its class
     * @throws UserError if the folder has no seeds, not of an agent, or not this score
     */
    static List<RunScore> read(Path path, String score, @Nullable String name) {
        SweepFolder folder = new SweepFolder(path);
        if (!Files.isRegularFile(folder.seedFacts())) {
            throw new UserError(path + " has no seeds.json: " + CommandContext.command("run", "NAME", "--seeds", "N")
                    + " makes such a folder when its seeds are finished");
        }
        SeedFacts facts = SeedFacts.read(folder.seedFacts());
        SeedFacts.Score scores = facts.scores().get(score);
        if (scores == null) {
            throw new UserError(folder.seedFacts() + ": there is no score " + score
                    + SimilarNames.among(score, facts.scores().keySet()));
        }
        RunFolder first = folder.seed(facts.seeds().get(0));
        first.requireRun();
        Map<String, String> settings =
                WrittenSettings.present(first.experiment()).byPath();
        String algorithm = name == null
                ? named(path, Optional.ofNullable(settings.get(CLASS)), "algorithm")
                        .replaceFirst(OURS, "")
                : name;
        String environment = named(
                path,
                settings.keySet().stream()
                        .filter(key -> key.matches(ENVIRONMENT))
                        .findFirst()
                        .map(settings::get),
                "environment");
        String task = Stream.concat(
                        Stream.of(environment),
                        settings.keySet().stream()
                                .filter(key -> key.matches(CHANGED))
                                .map(key -> key.replaceFirst(CHANGED, "$2$3") + "=" + settings.get(key))
                                .filter(text -> !UNCHANGED.contains(text)))
                .collect(Collectors.joining(" "));
        List<RunScore> read = new ArrayList<>();
        for (int i = 0; i < facts.seeds().size(); i++) {
            read.add(new RunScore(
                    algorithm, task, facts.seeds().get(i), scores.values().get(i), folder.seedFacts() + ": " + score));
        }
        return read;
    }

    private static String named(Path path, Optional<String> setting, String what) {
        return setting.orElseThrow(() -> new UserError(path + ": its experiment has no " + what + " to name its scores:"
                + " write them into a file with the columns " + String.join(", ", ScoreFile.COLUMNS)));
    }
}
