package hocket.workbench.command;

import hocket.schedulers.evaluation.Evaluation;
import hocket.workbench.command.options.CheckpointOptions;
import hocket.workbench.files.UserError;
import hocket.workbench.files.json.JsonLines;
import hocket.workbench.runs.CheckpointedRun;
import hocket.workbench.runs.CommandFailure;
import hocket.workbench.runs.SelectedExperiment;
import hocket.workbench.terminal.Spinner;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Judges a run's result. */
@Command(
        name = "eval",
        header = "Evaluates a checkpoint of a run.",
        description = {
            "",
            "For a GAN: distances between samples and data (frechet_distance, kid, sliced_wasserstein; lower is better),"
                    + " and the shares of each that lie among the other (precision, recall, density, coverage). If the data"
                    + " has labels: classifier_confidence, the share of samples that a classifier is confident about, and"
                    + " smallest_class, the share of samples in the rarest class.",
            "",
            "If the experiment has held-out data: nearest_neighbour_ratio, the distance of samples to their nearest"
                    + " training row divided by that to the nearest held-out row (0 if they are training rows), the share"
                    + " nearer_to_training, and for generators with labels classification_accuracy_score, the accuracy on"
                    + " held-out rows of a classifier that is trained on samples.",
            "",
            "Beside them are the scores of rows that no generator made: bootstrap, real rows drawn again (what a"
                    + " generator gets that only memorises); halves, one half of the real rows against the other;"
                    + " gaussian, one Gaussian with their mean and covariance; and held_out. N is the number of rows.",
            "",
            "For an agent: the returns of its episodes, and the number of episodes truncated after 10,000 steps"
                    + " (episodes_cut_off); beside them those of actions at random.",
            ""
        },
        footer = {
            "",
            "For example:",
            "  hocket eval runs/digits-gan --json",
            "  hocket eval runs/my-agent --best --episodes 100",
            "  hocket eval runs/my-agent --sampled"
        })
public final class EvalCommand extends WorkplaceCommand implements Runnable {
    @Parameters(paramLabel = "RUN", description = "a run folder, such as runs/digits-gan")
    private String run = "";

    @Option(names = "--episodes", paramLabel = "N", description = "number of episodes of the evaluation, for agents")
    private @Nullable Integer episodes;

    @Option(
            names = "--sampled",
            description = "draw an agent's actions, as it does in training; usually it takes the most probable ones")
    private boolean sampled;

    @Mixin
    private final CheckpointOptions checkpoint = new CheckpointOptions();

    @Option(
            names = "--set",
            paramLabel = "KEY=VALUE",
            description = "new path of the data, such as data=DIR, if it was moved")
    private List<String> changes = new ArrayList<>();

    @Option(names = "--json", description = "print one JSON object of scores by name")
    private boolean json;

    private static Evaluation asked(String option, String experiment, Supplier<Evaluation> evaluation) {
        try {
            return evaluation.get();
        } catch (IllegalArgumentException e) {
            throw new UserError(option + ": experiment " + experiment + ": " + e.getMessage(), e);
        }
    }

    @Override
    public void run() {
        CheckpointedRun saved = checkpoint.open(workplace, run);
        SelectedExperiment selectedExperiment = saved.selected(workplace, changes);
        Evaluation usual = selectedExperiment
                .setup()
                .evaluation()
                .orElseThrow(() -> new UserError("experiment " + selectedExperiment.name() + " has no evaluation"));
        saved.requireSameData(selectedExperiment);
        String name = selectedExperiment.name();
        Evaluation drawn = sampled ? asked("--sampled", name, usual::sampled) : usual;
        Integer count = episodes;
        Evaluation asked =
                count == null ? drawn : asked("--episodes " + count, name, () -> drawn.over(count.intValue()));
        ScoreTable table = Spinner.during(
                workplace.terminal(),
                "scoring",
                false,
                () -> CommandFailure.unless(() -> {
                    Evaluation evaluation = asked.thorough();
                    return new ScoreTable(
                            evaluation.rows(),
                            saved.scores(selectedExperiment, evaluation),
                            evaluation.references(selectedExperiment.file().threads()),
                            evaluation.ranges());
                }));
        if (json) {
            workplace.terminal().say(JsonLines.line(table.json(Map.of("step", saved.step()))));
        } else {
            table.lines().forEach(workplace.terminal()::say);
        }
    }
}
