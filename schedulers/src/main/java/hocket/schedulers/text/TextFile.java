package hocket.schedulers.text;

import hocket.schedulers.Source;
import hocket.schedulers.checkpoint.DiskFailureText;
import hocket.schedulers.feeds.DataFingerprint;
import hocket.schedulers.settings.Setting;
import hocket.schedulers.settings.SourceDefinition;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Windows of a text file in UTF-8, in the vocabulary of its characters: a column {@code text}, INT64 (steps + 1).
 *
 * @param data the file
 * @param steps characters that a window predicts, one fewer than it has
 * @param part of the text
 * @param lanes whether each row continues the row of the draw before
 */
public record TextFile(
        @Setting(help = "a text file in UTF-8") Path data,

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
        implements SourceDefinition, TextFileCopies {
    /** @throws IllegalArgumentException if steps is below 1 */
    public TextFile {
        TextFileCopies.check(steps);
    }

    @Override
    public Source open(String name, int batch, boolean shuffled) {
        return read().part(part).source(name, steps, batch, shuffled, lanes, () -> List.of(DataFingerprint.of(data)));
    }

    private Text read() {
        try {
            String text = Files.readString(data);
            if (text.isEmpty()) {
                throw new IllegalArgumentException(data + " is empty");
            }
            return Text.of(text);
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException(data + " is no text in UTF-8", e);
        } catch (IOException e) {
            throw new IllegalArgumentException(data + " cannot be read: " + DiskFailureText.of(e), e);
        }
    }

    @Override
    public Optional<List<Source.Column>> declaredColumns() {
        return Optional.of(List.of(Text.column(steps)));
    }
}
