package hocket.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The code in the README compiles, and its program for library users runs. */
class ReadmeTest {
    private static final Pattern BLOCK = Pattern.compile("<!-- code: (.*?) -->\\s*```java\\n(.*?)```", Pattern.DOTALL);

    private record Block(String kind, String code) {}

    @TempDir
    Path folder;

    @Test
    void theStatementsAndMembersCompileTogether() throws IOException {
        StringBuilder imports = new StringBuilder();
        StringBuilder statements = new StringBuilder();
        StringBuilder members = new StringBuilder();
        for (Block block : blocks()) {
            switch (block.kind()) {
                case "imports" -> imports.append(block.code());
                case "statements" -> statements.append(block.code());
                case "members" -> members.append(block.code());
                default -> {}
            }
        }
        // The sentence below the schedule is code too.
        String choice = "scheduler.plan(choose(new Balance(0.4, 10), d, g)).run(rounds(10_000))";
        assertThat(page("docs/java.md")).contains(choice);
        statements
                .append("try (var parameters = Parameters.initialise(graph.declarations(), seed(7));\n")
                .append("        var scheduler = Scheduler.over(parameters)) {\n    ")
                .append(choice)
                .append(";\n}\n");
        compile(
                "Readme.java",
                imports + "class Readme {\n" + members + "void body() throws java.io.IOException {\n" + statements
                        + "}\n}\n");
    }

    @Test
    @Tag("engine")
    void theProgramForLibraryUsersFindsTheLine() throws Exception {
        Block file = blocks().stream()
                .filter(block -> block.kind().startsWith("file "))
                .findFirst()
                .orElseThrow();
        compile(file.kind().substring("file ".length()), file.code());
        PrintStream out = System.out;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {folder.toUri().toURL()})) {
            System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
            loader.loadClass("Line").getMethod("main", String[].class).invoke(null, (Object) new String[0]);
        } finally {
            System.setOut(out);
        }
        assertThat(Double.parseDouble(printed.toString(StandardCharsets.UTF_8).strip()))
                .isBetween(1.99, 2.01);
    }

    @Test
    void everyFileThatThePagesLinkToExists() throws IOException {
        for (String page : List.of(
                "README.md",
                "docs/agents.md",
                "docs/concepts.md",
                "docs/design.md",
                "docs/distributed.md",
                "docs/environments.md",
                "docs/export.md",
                "docs/folders.md",
                "docs/formats.md",
                "docs/java.md",
                "docs/live.md",
                "docs/networks.md",
                "docs/online.md",
                "docs/operating.md",
                "docs/programs.md",
                "docs/runs.md",
                "docs/sequences.md",
                "docs/serving.md",
                "docs/sweeps.md",
                "docs/schedules.md")) {
            Matcher link = Pattern.compile("\\]\\(([^)#:]+)(#[^)]*)?\\)").matcher(page(page));
            int links = 0;
            while (link.find()) {
                assertThat(root().resolve(page).resolveSibling(link.group(1))).exists();
                links++;
            }
            assertThat(links).as(page).isPositive();
        }
    }

    @Test
    void theReadmeStaysANewcomersPage() throws IOException {
        assertThat(page("README.md").lines().count()).isLessThanOrEqualTo(300);
    }

    private void compile(String name, String code) throws IOException {
        SourceCompiler.compile(folder, name, code);
    }

    private static List<Block> blocks() throws IOException {
        List<Block> blocks = new ArrayList<>();
        Matcher matcher = BLOCK.matcher(page("docs/java.md")
                + page("docs/runs.md")
                + page("docs/formats.md")
                + page("docs/serving.md")
                + page("docs/sequences.md")
                + page("docs/migrating.md")
                + page("docs/sharing.md")
                + page("docs/programs.md"));
        while (matcher.find()) {
            blocks.add(new Block(matcher.group(1), matcher.group(2)));
        }
        assertThat(blocks).hasSizeGreaterThan(4);
        return blocks;
    }

    private static String page(String name) throws IOException {
        return Files.readString(root().resolve(name));
    }

    private static Path root() {
        return Path.of(System.getProperty("hocket.root", ".."));
    }
}
