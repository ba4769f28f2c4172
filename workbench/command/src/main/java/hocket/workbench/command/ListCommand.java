package hocket.workbench.command;

import hocket.scopes.SimilarNames;
import hocket.workbench.files.UserError;
import hocket.workbench.files.experiment.ExperimentFile;
import hocket.workbench.files.forms.Part;
import hocket.workbench.files.forms.Part.PartSetting;
import hocket.workbench.files.json.JsonDocument;
import hocket.workbench.terminal.TextPage;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Lists the experiments, and the parts of which files compose others. */
@Command(
        name = "list",
        header = "Lists the built-in experiments, or the parts that experiment files name.",
        footer = {
            "",
            "For example:",
            "  hocket list",
            "  hocket list parts",
            "  hocket list term",
            "  hocket list r1",
        })
public final class ListCommand extends WorkplaceCommand implements Runnable {
    private static final String PARTS = "parts";
    private static final String OF = " of ";

    @Parameters(
            arity = "0..1",
            paramLabel = "NAME",
            description =
                    "parts, for the names of all parts: networks, losses, optimizers, rates, …; a kind of parts, or a"
                            + " key that takes them, for their summaries; or a part, for its settings and an example")
    private @Nullable String name;

    @Option(names = "--json", description = "print one JSON array: experiments by name and summary, or whole parts")
    private boolean json;

    @Option(
            names = "--classpath",
            paramLabel = "JAR",
            description =
                    "also list the parts that META-INF/hocket/classes of this jar or folder names; may be repeated")
    private List<String> classpath = List.of();

    @Override
    public void run() {
        if (name == null) {
            experiments();
            return;
        }
        List<Part> all = ExperimentFile.parts(workplace.surroundings(classpath));
        List<Part> asked = asked(all, name);
        if (json) {
            workplace.terminal().say(JsonDocument.of(asked));
        } else if (name.equals(PARTS)) {
            say(kinds(all));
        } else {
            say(asked.stream().allMatch(part -> isNamed(part, name)) ? parts(asked) : ofKinds(asked));
        }
    }

    private void experiments() {
        List<ExperimentFile.Title> all = ExperimentFile.builtIn(workplace.surroundings(classpath));
        if (json) {
            workplace.terminal().say(JsonDocument.of(all));
            return;
        }
        int column = all.stream().mapToInt(each -> each.name().length()).max().orElse(0) + 2;
        TextPage page = new TextPage();
        all.forEach(each -> page.entry(each.name(), column, each.summary()));
        say(page);
    }

    /** Returns the parts of a kind, else those of a name, else those that a setting takes. */
    private static List<Part> asked(List<Part> all, String name) {
        if (name.equals(PARTS)) {
            return all;
        }
        List<Predicate<Part>> ways = List.of(
                part -> part.kind().equals(key(name)),
                part -> isNamed(part, name),
                part -> part.places().stream().anyMatch(place -> place.split(OF)[0].equals(key(name))));
        for (Predicate<Part> way : ways) {
            List<Part> asked = all.stream().filter(way).toList();
            if (!asked.isEmpty()) {
                return asked;
            }
        }
        TreeSet<String> names = all.stream().map(Part::name).collect(Collectors.toCollection(TreeSet::new));
        all.forEach(part -> names.add(part.kind()));
        throw new UserError("there is no part " + name
                + ", no kind of parts and no key that takes them: hocket list parts" + SimilarNames.among(name, names));
    }

    private static String key(String name) {
        return name.replace('-', '_');
    }

    private static boolean isNamed(Part part, String name) {
        String type = part.type();
        return Stream.of(name, key(name)).anyMatch(part.name()::equals)
                || type.equals(name)
                || type.endsWith("." + name);
    }

    private static Map<String, List<Part>> byKind(List<Part> parts) {
        return parts.stream().collect(Collectors.groupingBy(Part::kind, LinkedHashMap::new, Collectors.toList()));
    }

    private static TextPage kinds(List<Part> all) {
        TextPage page = new TextPage()
                .entry("", 0, "Parts that files name, by kind; hocket list NAME shows those of a kind, or one.")
                .gap();
        Map<String, List<Part>> byKind = byKind(all);
        int column = TextPage.column(byKind.keySet(), kind -> kind);
        byKind.forEach((kind, parts) -> page.entry("  " + kind, column, TextPage.listed(parts, Part::name, "")));
        return page;
    }

    private static TextPage ofKinds(List<Part> asked) {
        TextPage page = new TextPage();
        byKind(asked).forEach((kind, parts) -> {
            page.heading(kind + ": " + places(parts.get(0)));
            int column = TextPage.column(parts, Part::name);
            parts.forEach(part -> page.entry("  " + part.name(), column, part.summary()));
        });
        return page;
    }

    private static TextPage parts(List<Part> parts) {
        TextPage page = new TextPage();
        for (Part part : parts) {
            String article = part.kind().matches("[aeiou].*") ? "an " : "a ";
            page.heading(part.name() + ", " + article + part.kind() + ": " + part.type());
            if (!part.summary().isEmpty()) {
                page.heading(part.summary());
            }
            page.heading("for " + places(part));
            page.heading(part.settings().isEmpty() ? "It has no settings." : "settings");
            int column = TextPage.column(part.settings(), PartSetting::key);
            for (PartSetting setting : part.settings()) {
                String values = setting.values() + "; " + usually(setting);
                page.entry("  " + setting.key(), column, setting.help().isEmpty() ? values : setting.help());
                if (!setting.help().isEmpty()) {
                    page.entry("", column, values);
                }
            }
            page.heading("for example").entry("", 2, part.example());
        }
        return page;
    }

    /** Returns the places with those of a key together: {@code terms of Gan, CycleGan; term of lazy}. */
    private static String places(Part part) {
        Map<String, List<String>> owners = new LinkedHashMap<>();
        for (String place : part.places()) {
            int of = place.lastIndexOf(OF);
            owners.computeIfAbsent(place.substring(0, of), key -> new ArrayList<>())
                    .add(place.substring(of + OF.length()));
        }
        return owners.entrySet().stream()
                .map(each -> each.getKey() + OF + String.join(", ", each.getValue()))
                .collect(Collectors.joining("; "));
    }

    private static String usually(PartSetting setting) {
        String usually = setting.usually();
        return usually == null ? "must be given" : usually.isEmpty() ? "usually none" : "usually " + usually;
    }

    private void say(TextPage page) {
        page.lines().forEach(workplace.terminal()::say);
    }
}
