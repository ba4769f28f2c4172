package hocket.gan.scores.pairs;

import hocket.gan.data.Images;
import hocket.gan.scores.ClassifierCache;
import hocket.gan.scores.ImageClassifier;
import hocket.gan.scores.ImageSetScores;
import hocket.programs.Program;
import hocket.programs.Session;
import hocket.programs.Session.Feeds;
import hocket.schedulers.evaluation.ProgramEvaluation;
import hocket.scopes.Streams;
import hocket.scopes.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Evaluates a translator by {@code label_kept}: the share of translated images whose class, by a classifier that was trained on
 * real images of the wanted kind, is the label of the original. Its references are the true translations, true translations of
 * random originals, and the originals as they are. Not thread-safe.
 */
final class PairEvaluation implements ProgramEvaluation {
    private static final String LABEL_KEPT = "label_kept";

    private final Images wanted;
    private final Images originals;
    private final Images translations;
    private final Program translate;

    /**
     * @param wanted images of the wanted kind
     * @param originals images to translate, of the size of the program's only input
     * @param translations the true translation of each
     */
    PairEvaluation(Images wanted, Images originals, Images translations, Program translate) {
        this.wanted = wanted;
        this.originals = originals;
        this.translations = translations;
        this.translate = translate;
    }

    @Override
    public Optional<Merit> merit() {
        return Optional.of(new Merit(LABEL_KEPT, true));
    }

    @Override
    public Map<String, Range> ranges() {
        return Map.of(LABEL_KEPT, Range.SHARE);
    }

    @Override
    public OptionalInt rows() {
        return OptionalInt.of(originals.count());
    }

    @Override
    public SortedMap<String, Double> scores(Session session) {
        String input = translate.inputs().get(0).path().text();
        Tensor translated = session.run(translate, Feeds.of(input, ImageSetScores.tensor(originals)))
                .get(0);
        ImageSetScores.requireFinite(translated);
        return scores(translated, session.threads());
    }

    @Override
    public List<Reference> references(int threads) {
        int[] order = IntStream.range(0, translations.count()).toArray();
        Streams.seed(0).at("references/pairs").shuffle(0, order);
        List<Reference> references = new ArrayList<>();
        references.add(reference("pairs", "the true translation of each image", translations, threads));
        references.add(reference("random", "the true translation of a random image", translations.at(order), threads));
        if (PairScores.shape(originals).equals(PairScores.shape(wanted))) {
            references.add(reference("identity", "each image as it is", originals, threads));
        }
        return references;
    }

    private Reference reference(String name, String meaning, Images images, int threads) {
        return new Reference(name, meaning, images.count(), scores(ImageSetScores.tensor(images), threads));
    }

    /** The scores of images in the place of the translated originals. */
    private SortedMap<String, Double> scores(Tensor images, int threads) {
        try (ImageClassifier classifier = ClassifierCache.SHARED.classifier(wanted, threads)) {
            return new TreeMap<>(Map.of(LABEL_KEPT, 1 - classifier.errorRate(images, originals.labels())));
        }
    }
}
