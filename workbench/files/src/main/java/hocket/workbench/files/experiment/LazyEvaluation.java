package hocket.workbench.files.experiment;

import hocket.programs.Session;
import hocket.schedulers.Source;
import hocket.schedulers.evaluation.Evaluation;
import hocket.schedulers.settings.NonNull;
import hocket.scopes.Parameters;
import hocket.workbench.files.UserError;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** An evaluation that opens its feeds at its first use. Used by one thread. */
final class LazyEvaluation implements Evaluation {
    private final Map<String, Source> sources;
    private final Map<String, Supplier<Source>> opening;
    private final Function<Map<String, Source>, Evaluation> building;
    private @Nullable Evaluation built;

    /**
     * @param sources the open feeds, by name
     * @param opening opens the others
     * @param building builds the evaluation from the open ones
     */
    LazyEvaluation(
            Map<String, Source> sources,
            Map<String, Supplier<Source>> opening,
            Function<Map<String, Source>, Evaluation> building) {
        this.sources = sources;
        this.opening = opening;
        this.building = building;
    }

    /** @throws UserError if it needs data that cannot be read */
    private Evaluation built() {
        if (built == null) {
            built = build();
        }
        return built;
    }

    private Evaluation build() {
        Map<String, Source> open = new LinkedHashMap<>(sources);
        Optional<RuntimeException> missing = Optional.empty();
        for (Map.Entry<String, Supplier<Source>> feed : opening.entrySet()) {
            try {
                open.put(feed.getKey(), feed.getValue().get());
            } catch (IllegalArgumentException | UncheckedIOException e) {
                missing = missing.or(() -> Optional.of(FileFeed.refusal(feed.getKey(), e)));
            }
        }
        try {
            return building.apply(open);
        } catch (RuntimeException e) {
            throw missing.orElse(e); // some evaluations do not need all feeds
        }
    }

    @Override
    public SortedMap<String, Double> scores(Parameters parameters) {
        return NonNull.by(built(), "scores()", built().scores(parameters));
    }

    @Override
    public SortedMap<String, Double> scores(Session session) {
        return NonNull.by(built(), "scores()", built().scores(session));
    }

    @Override
    public Optional<Merit> merit() {
        return built().merit();
    }

    @Override
    public Map<String, Range> ranges() {
        return built().ranges();
    }

    @Override
    public List<Reference> references(int threads) {
        return built().references(threads);
    }

    @Override
    public OptionalInt rows() {
        return built().rows();
    }

    @Override
    public Evaluation thorough() {
        return built().thorough();
    }

    @Override
    public Evaluation over(int episodes) {
        return built().over(episodes);
    }

    @Override
    public Evaluation sampled() {
        return built().sampled();
    }

    @Override
    public Evaluation selecting(int episodes) {
        return built().selecting(episodes);
    }
}
