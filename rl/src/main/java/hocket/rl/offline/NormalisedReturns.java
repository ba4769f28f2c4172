package hocket.rl.offline;

import hocket.schedulers.evaluation.Evaluation;
import hocket.scopes.Parameters;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Evaluates a policy that learnt from recorded steps: its returns, and {@code normalised_score}, 0 to 100 from the low to the high
 * reference of the data (Fu et al. 2020, D4RL), if the file has these and is there.
 *
 * @param returns of episodes
 * @param data has the references
 */
public record NormalisedReturns(Evaluation returns, OfflineData data) implements Evaluation {
    private static final String NAME = "normalised_score";

    @Override
    public SortedMap<String, Double> scores(Parameters parameters) {
        return normalised(returns.scores(parameters));
    }

    private SortedMap<String, Double> normalised(SortedMap<String, Double> scores) {
        SortedMap<String, Double> all = new TreeMap<>(scores);
        data.references()
                .ifPresent(each ->
                        returns.merit().ifPresent(merit -> all.put(NAME, each.normalised(merit.of(scores)))));
        return all;
    }

    @Override
    public Optional<Merit> merit() {
        return returns.merit();
    }

    @Override
    public Map<String, Range> ranges() {
        return returns.ranges();
    }

    @Override
    public Evaluation over(int episodes) {
        return new NormalisedReturns(returns.over(episodes), data);
    }

    @Override
    public Evaluation sampled() {
        return new NormalisedReturns(returns.sampled(), data);
    }

    @Override
    public Evaluation selecting(int episodes) {
        return returns.selecting(episodes);
    }

    @Override
    public List<Reference> references(int threads) {
        return returns.references(threads).stream()
                .map(each -> new Reference(each.name(), each.meaning(), each.rows(), normalised(each.scores())))
                .toList();
    }
}
