package hocket.workbench.command;

import hocket.schedulers.evaluation.Evaluation;
import hocket.workbench.files.UserError;
import hocket.workbench.files.json.JsonLines;
import hocket.workbench.runs.CheckpointedRun;
import hocket.workbench.runs.RunFolder;
import hocket.workbench.runs.SelectedExperiment;
import hocket.workbench.terminal.Spinner;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Judges a run's result. */
@Command(
        name = "eval",
        header = "Evaluates the newest checkpoint of a run.",
        description = {
            "",
            "For a GAN: frechet_distance between the pixels of samples and data (lower is better); if the data has"
                    + " labels, confident, the share of samples that a classifier is confident about, and"
                    + " smallest_class, the share of samples in the rarest class.",
            "",
            "Beside them are the scores of rows that no generator made: bootstrap, real rows drawn again (what a"
                    + " generator gets that only memorises); halves, one half of the real rows against the other; and"
                    + " gaussian, one Gaussian with their mean and covariance.",
            "",
            "For an agent: the returns of its episodes, and the number of episodes truncated after 10,000 steps"
                    + " (episodes_cut_off).",
            ""
        },
        footer = {
            "",
            "For example:",
            "  hocket eval runs/digits-gan --json",
            "  hocket eval runs/my-agent --best --episodes 100"
        })
public final class EvalCommand extends WorkplaceCommand implements Runnable {
    @Parameters(paramLabel = "RUN", description = "a run folder, such as runs/digits-gan")
    private String run = "";

    @Option(names = "--episodes", paramLabel = "N", description = "number of episodes of the evaluation, for agents")
    private @Nullable Integer episodes;

    @Option(names = "--best", description = "evaluate the best checkpoint, if the run keeps one")
    private boolean best;

    @Option(
            names = "--set",
            paramLabel = "KEY=VALUE",
            description = "new path of the data, such as data=DIR, if it was moved")
    private List<String> changes = new ArrayList<>();

    @Option(names = "--json", description = "print one JSON object of scores by name")
    private boolean json;

    private static Evaluation over(Evaluation usual, int episodes, String name) {
        try {
            return usual.over(episodes);
        } catch (IllegalArgumentException e) {
            throw new UserError("--episodes " + episodes + ": experiment " + name + ": " + e.getMessage(), e);
        }
    }

    @Override
    public void run() {
        CheckpointedRun saved =
                CheckpointedRun.open(new RunFolder(workplace.path(run)), best).telling(workplace.terminal());
        SelectedExperiment selectedExperiment = saved.selected(workplace, changes);
        Evaluation usual = selectedExperiment
                .setup()
                .evaluation()
                .orElseThrow(() -> new UserError("experiment " + selectedExperiment.name() + " has no evaluation"));
        saved.requireSameData(selectedExperiment);
        Evaluation evaluation = episodes == null ? usual : over(usual, episodes, selectedExperiment.name());
        Scored scored = Spinner.during(
                workplace.terminal(),
                "scoring",
                false,
                () -> new Scored(
                        saved.scores(selectedExperiment, evaluation),
                        evaluation.references(selectedExperiment.file().threads())));
        print(saved.step(), scored, evaluation.ranges());
    }

    /** Scores and those of other rows, for comparison. */
    private record Scored(SortedMap<String, Double> scores, List<Evaluation.Reference> references) {}

    private void print(long step, Scored scored, Map<String, Evaluation.Range> ranges) {
        Map<String, Map<String, Object>> references = new LinkedHashMap<>();
        scored.references.forEach(
                reference -> references.put(reference.name(), JsonLines.scores(reference.scores(), ranges)));
        Map<String, Object> values = new LinkedHashMap<>();
        if (json) {
            values.put("step", step);
        }
        values.putAll(JsonLines.scores(scored.scores, ranges));
        if (json) {
            if (!references.isEmpty()) {
                values.put("references", references);
            }
            workplace.terminal().say(JsonLines.line(values));
            return;
        }
        int width = values.keySet().stream().mapToInt(String::length).max().orElse(0);
        if (!references.isEmpty()) {
            say(width, "", "samples", references.keySet().stream());
        }
        values.forEach((name, value) ->
                say(width, name, text(value), references.values().stream().map(each -> text(each.get(name)))));
        if (!references.isEmpty()) {
            workplace.terminal().say("");
        }
        scored.references.forEach(reference -> say(width, reference.name(), reference.meaning(), Stream.empty()));
    }

    private void say(int width, String name, String first, Stream<String> others) {
        StringBuilder line = new StringBuilder(String.format("%-" + width + "s  %-7s", name, first));
        others.forEach(other -> line.append(String.format("  %-9s", other)));
        workplace.terminal().say(line.toString().stripTrailing());
    }

    private static String text(@Nullable Object value) {
        return value instanceof Double number
                ? String.format(Locale.ROOT, "%.4f", number)
                : value == null ? "-" : value.toString();
    }
}
