package hocket.workbench.files.experiment;

import hocket.schedulers.Source;
import hocket.schedulers.SourceDescription;
import hocket.schedulers.feeds.DataFingerprint;
import hocket.workbench.files.UserError;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A feed of an experiment file: described by known facts, and opened as the file says. Used by one thread. */
final class FileFeed implements SourceDescription {
    private final String name;
    private final DescribedFeed facts;
    private final int pack;
    private final Supplier<Source> first;
    private final Supplier<Source> further;
    private @Nullable Source opened;
    private boolean taken;

    /**
     * @param facts facts of its data, which may be missing
     * @param pack rows of the data that a row joins
     * @param first opens the first source, which also answers for unknown facts
     * @param further opens further sources
     */
    FileFeed(String name, DescribedFeed facts, int pack, Supplier<Source> first, Supplier<Source> further) {
        this.name = name;
        this.facts = facts;
        this.pack = pack;
        this.first = first;
        this.further = further;
    }

    /** Returns a feed by its source, which is the first that it hands out. */
    static FileFeed of(Source open, Supplier<Source> further) {
        FileFeed feed = new FileFeed(open.name(), DescribedFeed.of(open), open.pack(), () -> open, further);
        feed.opened = open;
        return feed;
    }

    /** @throws UserError if the data cannot be read, or its columns have changed */
    @Override
    public Source open() {
        Source source = source();
        if (!taken) {
            taken = true;
            return source;
        }
        return source.fresh().orElseGet(() -> unchanged(opened(further)));
    }

    private Source source() {
        return unchanged(read());
    }

    /** Returns the first source, whose columns may have changed. */
    private Source read() {
        Source source = opened;
        if (source == null) {
            source = opened(first);
            opened = source;
        }
        return source;
    }

    private Source opened(Supplier<Source> opening) {
        try {
            return opening.get();
        } catch (IllegalArgumentException | UncheckedIOException e) {
            throw refusal(name, e);
        }
    }

    private Source unchanged(Source source) {
        List<String> differences = source.differences(facts.columns());
        if (!differences.isEmpty()) {
            throw new UserError(
                    "this needs the data of " + name + ", which has changed: " + String.join("; ", differences));
        }
        return source;
    }

    /** Returns the error that a feed's data is needed and cannot be read. */
    static UserError refusal(String name, RuntimeException reason) {
        return new UserError(
                "this needs the data of " + name + ", which cannot be read: " + reason.getMessage()
                        + "; if it was moved, name its new path, such as --set data=DIR or --set path=FILE",
                reason);
    }

    private Optional<Source> sourceIfPossible() {
        try {
            return Optional.of(read());
        } catch (UserError e) {
            return Optional.empty();
        }
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public List<Source.Column> columns() {
        return facts.columns();
    }

    @Override
    public int batch() {
        return facts.batch();
    }

    @Override
    public int pack() {
        return pack;
    }

    @Override
    public long bytes() {
        return opened == null ? bytes(facts.draws().orElse(0) * facts.batch()) : opened.bytes();
    }

    @Override
    public OptionalLong drawsAnEpoch() {
        return facts.draws();
    }

    /** None if the data cannot be read. */
    @Override
    public List<String> differences(List<Source.Column> before) {
        return sourceIfPossible().map(source -> source.differences(before)).orElse(List.of());
    }

    @Override
    public boolean rowsContinue() {
        return opened == null || opened.rowsContinue();
    }

    @Override
    public List<String> notes() {
        return opened == null ? facts.notes() : opened.notes();
    }

    @Override
    public Optional<String> attribution() {
        return sourceIfPossible().flatMap(Source::attribution);
    }

    @Override
    public List<DataFingerprint> origins() {
        return sourceIfPossible().map(Source::origins).orElse(List.of());
    }
}
