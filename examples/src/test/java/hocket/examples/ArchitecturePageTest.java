package hocket.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Packages, classes and counts of docs/architecture.md are those of the code. */
class ArchitecturePageTest {
    private static final Path ROOT = Path.of(System.getProperty("hocket.root", ".."));

    /** Names on the page begin after one of these. */
    private static final List<String> BEGINNINGS = List.of("hocket.", "hocket.workbench.");

    private static final Pattern PACKAGED = Pattern.compile("`((?:[a-z]+\\.)+[A-Z]\\w+)`");
    private static final Pattern PACKAGE = Pattern.compile("`(\\.?[a-z]+(?:\\.[a-z]+)*)`");
    private static final Pattern COUNTS = Pattern.compile("\\((\\d+) classes, (\\d+) packages\\)");

    private static String page() throws IOException {
        return Files.readString(ROOT.resolve("docs/architecture.md"));
    }

    private static Set<String> classes() throws IOException {
        List<Path> sources = new ArrayList<>();
        for (Path modules : List.of(ROOT, ROOT.resolve("workbench"))) {
            try (Stream<Path> folders = Files.list(modules)) {
                folders.map(folder -> folder.resolve("src/main/java"))
                        .filter(Files::isDirectory)
                        .forEach(sources::add);
            }
        }
        Set<String> classes = new LinkedHashSet<>();
        for (Path source : sources) {
            try (Stream<Path> files = Files.walk(source)) {
                files.filter(file -> file.toString().endsWith(".java"))
                        .map(file -> source.relativize(file).toString())
                        .forEach(file ->
                                classes.add(file.replaceFirst("\\.java$", "").replace('/', '.')));
            }
        }
        return classes;
    }

    private static Set<String> named(String text, Pattern pattern) {
        Set<String> names = new LinkedHashSet<>();
        for (Matcher found = pattern.matcher(text); found.find(); ) {
            names.add(found.group(1));
        }
        return names;
    }

    private static String packageOf(String type) {
        return type.substring(0, type.lastIndexOf('.'));
    }

    @Test
    void eachClassOnThePageIsInThePackageThatThePageNames() throws IOException {
        Set<String> classes = classes();
        Set<String> named = named(page(), PACKAGED);
        assertThat(named).hasSizeGreaterThan(25);
        assertThat(named)
                .allSatisfy(name -> assertThat(BEGINNINGS.stream().map(before -> before + name))
                        .as(name)
                        .containsAnyElementsOf(classes));
    }

    private static List<String> rows() throws IOException {
        return page().lines().filter(line -> line.startsWith("| `")).toList();
    }

    /** The packages that a row names, without what they begin with. */
    private static Set<String> packagesIn(String row) {
        String[] cells = row.split("\\|", -1);
        Set<String> named = named(cells[1], PACKAGE);
        String first = named.iterator().next();
        String module = first.replaceFirst("\\..*", "");
        Set<String> packages = new LinkedHashSet<>();
        named.forEach(name -> packages.add(name.startsWith(".") ? module + name : name));
        named(cells[2], PACKAGE).stream()
                .filter(name -> name.startsWith("."))
                .forEach(name -> packages.add(first + name));
        return packages;
    }

    @Test
    void eachPackageInTheTableExists() throws IOException {
        Set<String> packages = new LinkedHashSet<>();
        for (String type : classes()) {
            for (String name = packageOf(type); name.contains("."); name = packageOf(name)) {
                packages.add(name);
            }
        }
        assertThat(rows()).hasSizeGreaterThan(15);
        for (String row : rows()) {
            for (String name : packagesIn(row)) {
                assertThat(BEGINNINGS.stream().map(before -> before + name))
                        .as(row)
                        .containsAnyElementsOf(packages);
            }
        }
    }

    @Test
    void eachPackageOfMoreThanTwoClassesIsInTheTable() throws IOException {
        Map<String, Long> sizes = classes().stream()
                .filter(type -> !type.endsWith(".package-info"))
                .collect(Collectors.groupingBy(ArchitecturePageTest::packageOf, Collectors.counting()));
        List<String> wanted = sizes.entrySet().stream()
                .filter(each -> each.getValue() > 2 && !each.getKey().endsWith(".json"))
                .map(Map.Entry::getKey)
                .toList();
        assertThat(wanted).hasSizeGreaterThan(80);
        Set<String> named = new LinkedHashSet<>();
        for (String row : rows()) {
            packagesIn(row).forEach(name -> BEGINNINGS.forEach(before -> named.add(before + name)));
        }
        assertThat(named).containsAll(wanted);
    }

    @Test
    void thePathsCountTheirClassesAndPackages() throws IOException {
        int paths = 0;
        for (String paragraph : page().split("\n\n", -1)) {
            Matcher counts = COUNTS.matcher(paragraph);
            if (counts.find()) {
                Set<String> named = named(paragraph, PACKAGED);
                assertThat(counts.group())
                        .isEqualTo(
                                "(%d classes, %d packages)",
                                named.size(),
                                named.stream()
                                        .map(ArchitecturePageTest::packageOf)
                                        .distinct()
                                        .count());
                paths++;
            }
        }
        assertThat(paths).isEqualTo(3);
    }
}
