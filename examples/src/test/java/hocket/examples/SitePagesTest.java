package hocket.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The navigation of the documentation site has every page of docs, and each of its links leads to a file. */
class SitePagesTest {
    private static final Path ROOT = Path.of(System.getProperty("hocket.root", ".."));

    private static final Pattern ENTRY = Pattern.compile("^ +- (?:[^:#]+: )?(\\S+\\.md)$", Pattern.MULTILINE);

    /** Pages of files outside docs, as docs/site/hooks.py declares them. */
    private static final Pattern SHOWN = Pattern.compile("^ {4}\"(\\S+\\.md)\": \"(\\S+\\.md)\",$", Pattern.MULTILINE);

    private static final Pattern LINK = Pattern.compile("\\]\\(([^()#:\\s]+)(?:#[^()\\s]*)?\\)");

    private static List<String> pages() throws IOException {
        try (Stream<Path> files = Files.list(ROOT.resolve("docs"))) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".md"))
                    .toList();
        }
    }

    private static List<MatchResult> shown() throws IOException {
        return SHOWN.matcher(Files.readString(ROOT.resolve("docs/site/hooks.py")))
                .results()
                .toList();
    }

    @Test
    void theNavigationHasEachPageOnceAndNoOther() throws IOException {
        String configuration = Files.readString(ROOT.resolve("docs/site/mkdocs.yml"));
        Matcher entries = ENTRY.matcher(configuration.substring(configuration.indexOf("\nnav:")));
        List<String> entered = entries.results().map(entry -> entry.group(1)).toList();
        List<String> wanted = Stream.concat(pages().stream(), shown().stream().map(page -> page.group(1)))
                .toList();
        assertThat(wanted).contains("index.md", "concepts.md").hasSizeGreaterThan(20);
        assertThat(entered).containsExactlyInAnyOrderElementsOf(wanted);
    }

    @Test
    void theGalleryHasARowForEveryExperiment() throws IOException {
        List<String> names = new ArrayList<>();
        for (String module : List.of("gan", "rl", "workbench/command")) {
            names.addAll(
                    Files.readAllLines(ROOT.resolve(module).resolve("src/main/resources/META-INF/hocket/experiments")));
        }
        Matcher rows = Pattern.compile("^\\| `hocket run (\\S+)` \\|", Pattern.MULTILINE)
                .matcher(Files.readString(ROOT.resolve("docs/gallery.md")));
        assertThat(names).hasSizeGreaterThan(40);
        assertThat(rows.results().map(row -> row.group(1)).toList()).containsExactlyInAnyOrderElementsOf(names);
    }

    @Test
    void everyLinkToAFileLeadsToOne() throws IOException {
        List<Path> files = Stream.concat(
                        pages().stream().map(name -> "docs/" + name),
                        shown().stream().map(page -> page.group(2)))
                .map(ROOT::resolve)
                .toList();
        int links = 0;
        for (Path file : files) {
            for (Matcher link = LINK.matcher(Files.readString(file)); link.find(); links++) {
                assertThat(file.resolveSibling(link.group(1)))
                        .as(file + ": " + link.group())
                        .exists();
            }
        }
        assertThat(links).isGreaterThan(150);
    }
}
