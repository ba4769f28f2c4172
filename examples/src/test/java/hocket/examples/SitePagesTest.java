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

/** The navigation of the documentation site has every page of docs, and each page reads there as it does on GitHub. */
class SitePagesTest {
    private static final Path ROOT = Path.of(System.getProperty("hocket.root", ".."));

    private static final Pattern ENTRY = Pattern.compile("^ +- (?:[^:#]+: )?(\\S+\\.md)$", Pattern.MULTILINE);

    /** Pages of files outside docs, as docs/site/hooks.py declares them. */
    private static final Pattern SHOWN = Pattern.compile("^ {4}\"(\\S+\\.md)\": \"(\\S+\\.md)\",$", Pattern.MULTILINE);

    private static final Pattern LINK = Pattern.compile("\\]\\(([^()#:\\s]+)(?:#[^()\\s]*)?\\)");

    private static final Pattern ITEM = Pattern.compile("(?:[-*+]|\\d+\\.) .*");

    /** Code or an item of a list that the site would take out of the list in which it is. */
    private static final Pattern HALF_INDENTED = Pattern.compile(" {1,3}(?:```|[-*+] |\\d+\\. ).*");

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

    /** The files of all pages. */
    private static List<Path> files() throws IOException {
        return Stream.concat(
                        pages().stream().map(name -> "docs/" + name),
                        shown().stream().map(page -> page.group(2)))
                .map(ROOT::resolve)
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
        int links = 0;
        for (Path file : files()) {
            for (Matcher link = LINK.matcher(Files.readString(file)); link.find(); links++) {
                assertThat(file.resolveSibling(link.group(1)))
                        .as(file + ": " + link.group())
                        .exists();
            }
        }
        assertThat(links).isGreaterThan(150);
    }

    /** GitHub's Markdown reads a list directly after a paragraph, and an indent of less than four columns; the site's does not. */
    @Test
    void theSiteReadsListsTablesAndCodeAsGitHubDoes() throws IOException {
        List<String> others = new ArrayList<>();
        int items = 0;
        for (Path file : files()) {
            boolean isCode = false;
            String before = "";
            for (String line : Files.readAllLines(file)) {
                boolean isFence = line.stripLeading().startsWith("```");
                if (!isCode) {
                    boolean isItem = ITEM.matcher(line).matches();
                    boolean isAfterText = !before.isBlank() && !before.startsWith(" ");
                    if (HALF_INDENTED.matcher(line).matches()
                            || isItem && isAfterText && !ITEM.matcher(before).matches()
                            || line.startsWith("|") && isAfterText && !before.startsWith("|")) {
                        others.add(file.getFileName() + ": " + line);
                    }
                    items += isItem ? 1 : 0;
                }
                isCode ^= isFence;
                before = line;
            }
        }
        assertThat(items).isGreaterThan(300);
        assertThat(others).isEmpty();
    }
}
