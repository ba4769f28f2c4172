package hocket.scopes;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/** The lines of streams.txt, which streams.py beside it wrote. */
final class Expected {
    private Expected() {}

    /** The lines that begin with a word, split at blanks, without it. */
    static List<List<String>> lines(String word) throws IOException {
        try (InputStream in = Objects.requireNonNull(Expected.class.getResourceAsStream("streams.txt"))) {
            List<List<String>> lines = new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> line.startsWith(word + " "))
                    .map(line -> List.of(line.substring(word.length() + 1).split(" ")))
                    .toList();
            if (lines.isEmpty()) {
                throw new IllegalStateException("streams.txt has no line that begins with " + word);
            }
            return lines;
        }
    }
}
