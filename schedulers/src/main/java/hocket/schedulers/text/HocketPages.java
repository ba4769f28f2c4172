package hocket.schedulers.text;

import hocket.schedulers.Source;
import hocket.schedulers.feeds.DataFingerprint;
import hocket.schedulers.settings.Setting;
import hocket.schedulers.settings.SourceDefinition;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.zip.GZIPInputStream;

/**
 * Windows of the text that ships: Hocket's documentation of November 2026, 202,568 characters of 96 kinds, ASCII and
 * under Hocket's own licence ({@code hocket-pages.md} in the same folder). A column {@code text}, INT64 (steps + 1).
 *
 * @param steps characters that a window predicts, one fewer than it has
 * @param part of the text
 * @param lanes whether each row continues the row of the draw before
 */
public record HocketPages(
        @Setting(
                usually = "64",
                least = 1,
                most = 1e6,
                help = "characters that a window predicts, one fewer than it has")
        int steps,

        @Setting(usually = "all", help = "all, train (the first nine tenths) or held-out (the last tenth)")
        Text.Part part,

        @Setting(usually = "false", help = "whether each row continues the row of the draw before; not shuffled then")
        boolean lanes)
        implements SourceDefinition, HocketPagesCopies {
    private static final String RESOURCE = "hocket-pages.txt.gz";

    /** @throws IllegalArgumentException if steps is below 1 */
    public HocketPages {
        HocketPagesCopies.check(steps);
    }

    /** Returns the whole text. Reads the jar at each call. */
    public static Text load() {
        try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(bytes()))) {
            return Text.of(new String(in.readAllBytes(), StandardCharsets.US_ASCII));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + RESOURCE + " from the jar", e);
        }
    }

    @Override
    public Source open(String name, int batch, boolean shuffled) {
        return load().part(part)
                .source(name, steps, batch, shuffled, lanes, () -> List.of(DataFingerprint.of(RESOURCE, bytes())));
    }

    @Override
    public Optional<List<Source.Column>> declaredColumns() {
        return Optional.of(List.of(Text.column(steps)));
    }

    private static byte[] bytes() {
        try (InputStream in = HocketPages.class.getResourceAsStream(RESOURCE)) {
            if (in == null) {
                throw new IllegalStateException("the jar that holds " + HocketPages.class.getName() + " should hold "
                        + RESOURCE + " in the same package, but does not");
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + RESOURCE + " from the jar", e);
        }
    }
}
