package hocket.workbench.command;

import hocket.workbench.files.UserError;
import hocket.workbench.sweeps.aggregates.AggregateFacts;
import hocket.workbench.sweeps.aggregates.AggregateFolder;
import hocket.workbench.sweeps.aggregates.AggregateTable;
import hocket.workbench.sweeps.aggregates.ScoreInput;
import hocket.workbench.sweeps.aggregates.ScoreSelection;
import hocket.workbench.sweeps.aggregates.ScoreSet;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Compares algorithms by their scores on several tasks. */
@Command(
        name = "aggregate",
        header = "Compares algorithms by the scores of several seeds on several tasks.",
        description = {
            "",
            "Prints the interquartile mean of each algorithm with its 95 %% interval, the median and the mean of the"
                    + " tasks, and the probability that one algorithm improves on another, as the Python package"
                    + " rliable computes them. Larger scores are better. Intervals are of a bootstrap over seeds within"
                    + " each task.",
            "",
            "An input is a folder of hocket run NAME --seeds N, whose algorithm and environment are the algorithm and"
                    + " the task, or a file of scores from anywhere: columns algorithm, task, seed and score, separated"
                    + " by tabs, named in the first line. NAME=FOLDER gives the algorithm another name, as for two"
                    + " settings of one.",
            ""
        },
        footer = {
            "",
            "For example:",
            "  hocket aggregate runs/cartpole-ppo-seeds runs/cartpole-a2c-seeds",
            "  hocket aggregate masked=runs/taxi-ppo-seeds unmasked=runs/taxi-ppo-seeds-2",
            "  hocket aggregate scores.tsv --task CartPole-v1",
            "  hocket aggregate scores.tsv --range ranges.tsv --out comparison"
        })
public final class AggregateCommand extends WorkplaceCommand implements Runnable {
    private static final String USUAL = "return_mean";

    @Parameters(paramLabel = "INPUT", arity = "1..*", description = "folders of several seeds, or files of scores")
    private List<String> inputs = new ArrayList<>();

    @Option(
            names = "--score",
            paramLabel = "NAME",
            description = "the score that is read from folders; default: " + USUAL)
    private @Nullable String score;

    @Option(names = "--algorithm", paramLabel = "NAME", description = "compare this algorithm only; may be repeated")
    private List<String> algorithms = new ArrayList<>();

    @Option(names = "--task", paramLabel = "NAME", description = "compare on this task only; may be repeated")
    private List<String> tasks = new ArrayList<>();

    @Option(
            names = "--range",
            paramLabel = "FILE",
            description = "normalise scores to (score - low) / (high - low): a file with columns task, low and high,"
                    + " separated by tabs, such as the scores of a random policy and of a reference")
    private @Nullable String range;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "also write aggregate.json, and a picture of the intervals and of performance profiles with"
                    + " bands, aggregate.svg and .png")
    private @Nullable String out;

    @Option(names = "--json", description = "print all of it as one JSON document")
    private boolean json;

    @Override
    public void run() {
        List<ScoreInput> given = inputs.stream()
                .map(each -> ScoreInput.of(each, workplace::path))
                .toList();
        if (score != null && given.stream().map(ScoreInput::path).allMatch(Files::isRegularFile)) {
            throw new UserError("--score: is read from folders, and all inputs are files");
        }
        Optional<AggregateFolder> folder =
                Optional.ofNullable(out).map(this::outFolder).map(AggregateFolder::new);
        ScoreSet scores = ScoreSet.read(
                given,
                score == null ? USUAL : score,
                new ScoreSelection(algorithms, tasks),
                range == null ? null : workplace.path(range));
        AggregateFacts facts = AggregateFacts.of(scores);
        if (json) {
            workplace.terminal().say(facts.json().stripTrailing());
        } else {
            new AggregateTable(facts).lines().forEach(workplace.terminal()::say);
        }
        folder.ifPresent(
                into -> into.write(facts).forEach(file -> workplace.terminal().remark("wrote " + file)));
    }
}
