package hocket.workbench.runs;

import hocket.schedulers.Setup;
import hocket.schedulers.SourceDescription;
import hocket.schedulers.feeds.DataFingerprint;
import hocket.workbench.runs.Provenance.Column;
import hocket.workbench.runs.Provenance.Content;
import hocket.workbench.runs.Provenance.Feed;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The data that an experiment's sources read, compared with earlier data. */
final class DataRecord {
    private final List<Feed> feeds = new ArrayList<>();
    private final Map<Content, String> places = new LinkedHashMap<>();
    private final Map<String, SourceDescription> sources = new HashMap<>();

    /** @throws java.io.UncheckedIOException if a file cannot be read */
    DataRecord(Setup setup) {
        setup.feeds().forEach(feed -> add(feed.source()));
        setup.validation().ifPresent(validation -> add(validation.source()));
    }

    private void add(SourceDescription source) {
        sources.put(source.name(), source);
        add(new Feed(
                source.name(),
                source.batch(),
                source.drawsAnEpoch().isPresent() ? (Long) source.drawsAnEpoch().getAsLong() : null,
                source.columns().stream().map(Column::of).toList(),
                contents(source.origins())));
    }

    void add(Feed feed) {
        feeds.add(feed);
    }

    List<Content> contents(List<DataFingerprint> dataFingerprints) {
        List<Content> contents = new ArrayList<>();
        for (DataFingerprint dataFingerprint : dataFingerprints) {
            contents.add(Content.of(dataFingerprint));
            places.put(Content.of(dataFingerprint), dataFingerprint.place());
        }
        return contents;
    }

    /** Returns the record without sources that do not say what they read. */
    DataRecord known() {
        feeds.removeIf(feed -> feed.origins().isEmpty());
        return this;
    }

    List<Feed> feeds() {
        return feeds;
    }

    /** Returns the differences from the data read before, in words. */
    List<String> differences(List<Feed> before) {
        List<String> differences = new ArrayList<>();
        feeds.forEach(feed -> before.stream()
                .filter(former -> former.name().equals(feed.name()))
                .forEach(former -> differ(differences, former, feed)));
        return differences;
    }

    private void differ(List<String> differences, Feed former, Feed now) {
        SourceDescription source = sources.get(now.name());
        if (source != null) {
            source.differences(former.columns().stream().map(Column::column).toList())
                    .forEach(difference -> differences.add("data of " + now.name() + " has changed: " + difference));
        }
        if (former.origins().size() != now.origins().size()) {
            differences.add("what " + now.name() + " reads was " + described(former) + ", is " + described(now));
            return;
        }
        for (int i = 0; i < now.origins().size(); i++) {
            Content one = former.origins().get(i);
            Content other = now.origins().get(i);
            if (!one.sha256().equals(other.sha256())) {
                differences.add("data of " + now.name() + " was " + one.described() + ", is "
                        + Objects.requireNonNull(places.get(other)) + ": " + other.described());
            }
        }
    }

    private static List<String> described(Feed feed) {
        return feed.origins().stream().map(Content::described).toList();
    }
}
