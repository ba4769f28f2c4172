package hocket.workbench.command;

import hocket.workbench.command.options.CompletedNames;
import hocket.workbench.files.UserError;
import hocket.workbench.files.experiment.ExperimentFile;
import hocket.workbench.files.forms.PartDescription;
import hocket.workbench.files.forms.PartDescription.SettingDescription;
import hocket.workbench.files.forms.PartDescription.Use;
import hocket.workbench.files.forms.PartIndex;
import hocket.workbench.files.json.JsonDocument;
import hocket.workbench.terminal.TextPage;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
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
            "  hocket list terms",
            "  hocket list r1",
        })
public final class ListCommand extends WorkplaceCommand implements Runnable {
    private static final String PARTS = "parts";

    @Parameters(
            arity = "0..1",
            paramLabel = "NAME",
            completionCandidates = CompletedNames.OfParts.class,
            description =
                    "parts, for the names of all parts: networks, losses, optimizers, rates, …; a kind of parts, or a"
                            + " key that takes them, for their summaries; or a part, for its settings and an example")
    private @Nullable String name;

    @Option(names = "--json", description = "print one JSON array: experiments by name and summary, or whole parts")
    private boolean json;

    @Option(
            names = "--classpath",
            paramLabel = "JAR",
            description = "also list what META-INF/hocket of this jar or folder names; may be repeated")
    private List<String> classpath = List.of();

    @Override
    public void run() {
        ExperimentFile.Surroundings here = workplace.surroundings(classpath);
        String asked = name;
        if (asked == null) {
            List<ExperimentFile.Title> all = ExperimentFile.builtIn(here);
            say(all, experiments(all));
            return;
        }
        PartIndex index = UserError.unless(() -> ExperimentFile.parts(here));
        if (asked.equals(PARTS)) {
            say(index.all(), kinds(index.all()));
            return;
        }
        PartIndex.Found found = UserError.unless(() -> found(index, asked, here));
        TextPage page = new TextPage();
        found.named().forEach(part -> describe(part, page));
        summarise(found.ofKind(), page);
        say(
                Stream.of(found.named(), found.ofKind())
                        .flatMap(List::stream)
                        .distinct()
                        .toList(),
                page);
    }

    private static PartIndex.Found found(PartIndex index, String asked, ExperimentFile.Surroundings here) {
        try {
            return index.find(asked);
        } catch (IllegalArgumentException e) {
            if (ExperimentFile.isBuiltIn(asked, here)) {
                throw new IllegalArgumentException(
                        asked + " is an experiment; hocket plan " + asked + " shows its settings and turns", e);
            }
            throw e;
        }
    }

    private void say(List<? extends Record> all, TextPage page) {
        if (json) {
            workplace.terminal().say(JsonDocument.of(all));
        } else {
            page.lines().forEach(workplace.terminal()::say);
        }
    }

    private static TextPage experiments(List<ExperimentFile.Title> all) {
        int column = all.stream().mapToInt(each -> each.name().length()).max().orElse(0) + 2;
        TextPage page = new TextPage();
        all.forEach(each -> page.entry(each.name(), column, each.summary()));
        return page;
    }

    /** Returns the parts of each kind; two kinds may have the same name. */
    private static Collection<List<PartDescription>> byKind(List<PartDescription> parts) {
        return parts.stream()
                .collect(Collectors.groupingBy(
                        part -> part.kind() + ": " + uses(part), LinkedHashMap::new, Collectors.toList()))
                .values();
    }

    private static TextPage kinds(List<PartDescription> all) {
        TextPage page = new TextPage()
                .entry("", 0, "Parts that files name, by kind; hocket list NAME shows those of a kind, or one.")
                .gap();
        int column = TextPage.column(all, PartDescription::kind);
        byKind(all)
                .forEach(parts -> page.entry(
                        "  " + parts.get(0).kind(), column, TextPage.listed(parts, PartDescription::name, "")));
        return page;
    }

    private static void summarise(List<PartDescription> all, TextPage page) {
        byKind(all).forEach(parts -> {
            page.heading(parts.get(0).kind() + ": " + uses(parts.get(0)));
            int column = TextPage.column(parts, PartDescription::name);
            parts.forEach(part -> page.entry("  " + part.name(), column, part.summary()));
        });
    }

    private static void describe(PartDescription part, TextPage page) {
        String article = part.kind().matches("[aeiou].*") ? "an " : "a ";
        page.heading(part.name() + ", " + article + part.kind() + ": " + part.type());
        if (!part.summary().isEmpty()) {
            page.heading(part.summary());
        }
        page.heading("for " + uses(part));
        page.heading(part.settings().isEmpty() ? "It has no settings." : "settings");
        int column = TextPage.column(part.settings(), SettingDescription::key);
        for (SettingDescription setting : part.settings()) {
            String values = setting.values() + "; " + usually(setting);
            page.entry("  " + setting.key(), column, setting.help().isEmpty() ? values : setting.help());
            if (!setting.help().isEmpty()) {
                page.entry("", column, values);
            }
        }
        page.heading("for example").entry("", 2, part.example());
    }

    private static String uses(PartDescription part) {
        return part.uses().stream().map(Use::text).collect(Collectors.joining("; "));
    }

    private static String usually(SettingDescription setting) {
        String usually = setting.usually();
        return usually == null ? "must be given" : usually.isEmpty() ? "usually none" : "usually " + usually;
    }
}
