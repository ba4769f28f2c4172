package hocket.workbench.runs.plans;

import hocket.workbench.runs.plans.ScopeFacts.Touch;
import hocket.workbench.terminal.NumberFormats;
import hocket.workbench.terminal.TextPage;
import hocket.workbench.terminal.TextTable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The part of a plan's text that is about parameters, modules and programs: what depends on what. */
record StructureText(PlanFacts facts, TextPage page) {
    /** More pairs than this are shown in part. */
    private static final int MANY = 20;

    static void print(PlanFacts facts, TextPage textPage) {
        StructureText text = new StructureText(facts, textPage);
        text.scopes();
        text.dependencies();
        text.pairs();
    }

    private void scopes() {
        page.heading("parameters by scope");
        TextTable table = new TextTable(
                TextTable.Kind.NAME,
                TextTable.Kind.NUMBER,
                TextTable.Kind.NUMBER,
                TextTable.Kind.NUMBER,
                TextTable.Kind.WORDS,
                TextTable.Kind.WORDS);
        table.row("scope", "arrays", "numbers", "bytes", "read by", "written by");
        for (ScopeFacts.Nested each : ScopeFacts.nested(facts.scopes())) {
            ScopeFacts scope = each.scope();
            row(table, "  ".repeat(each.depth()) + each.label(), List.of(scope), readers(scope), writers(scope));
        }
        List<ScopeFacts> modules = facts.scopes().stream()
                .filter(scope -> scope.parent().isEmpty())
                .toList();
        row(table, "all", modules, "", "");
        page.table(table);
        legend();
    }

    private static void row(TextTable table, String name, List<ScopeFacts> held, String readers, String writers) {
        table.row(
                name,
                NumberFormats.grouped(
                        held.stream().mapToLong(ScopeFacts::arrays).sum()),
                NumberFormats.grouped(
                        held.stream().mapToLong(ScopeFacts::numbers).sum()),
                NumberFormats.bytes(held.stream().mapToLong(ScopeFacts::bytes).sum()),
                readers,
                writers);
    }

    private static String readers(ScopeFacts scope) {
        List<String> readers = new ArrayList<>();
        scope.readBy().forEach(touch -> readers.add(touch(touch)));
        scope.readBeside().forEach(program -> readers.add("[" + touch(program) + "]"));
        return TextPage.listed(readers, reader -> reader, "-");
    }

    private static String writers(ScopeFacts scope) {
        return TextPage.listed(scope.writtenBy(), StructureText::touch, "-");
    }

    private void legend() {
        if (facts.scopes().stream().anyMatch(scope -> !scope.readBeside().isEmpty())) {
            page.entry("", 2, "[name]: a program that runs in addition to training");
        }
        if (facts.scopes().stream()
                .flatMap(scope -> Stream.of(scope.readBy(), scope.readBeside(), scope.writtenBy()))
                .flatMap(List::stream)
                .anyMatch(touch -> !touch.whole())) {
            page.entry("", 2, "(number): that many of the arrays, not all weights");
        }
    }

    private static String touch(Touch touch) {
        return touch.turn() + (touch.whole() ? "" : " (" + touch.arrays() + ")");
    }

    private void dependencies() {
        if (facts.dependencies().isEmpty()) {
            page.heading("no module reads values of another");
            return;
        }
        page.heading("modules that read values of others");
        int column = TextPage.column(facts.dependencies(), DependencyFacts::module);
        String last = "";
        for (DependencyFacts dependency : facts.dependencies()) {
            String label = dependency.module().equals(last) ? "" : dependency.module();
            page.entry(
                    label.isEmpty() ? "" : "  " + label,
                    column,
                    "of " + dependency.from() + "; "
                            + gradients(dependency.withGradient(), dependency.withoutGradient()));
            last = dependency.module();
        }
    }

    private static String gradients(List<String> with, List<String> without) {
        if (with.isEmpty()) {
            return "no gradient flows back in " + named(without);
        }
        return "gradients flow back in " + named(with) + (without.isEmpty() ? "" : ", none in " + named(without));
    }

    private static String named(List<String> programs) {
        return (programs.size() == 1 ? "program " : "programs ") + String.join(" and ", programs);
    }

    private void pairs() {
        if (facts.pairs().isEmpty()) {
            return;
        }
        page.heading("separate programs: no turn of one updates what the other reads");
        List<PairFacts> shown = facts.pairs().size() > MANY ? trained() : facts.pairs();
        int column = TextPage.column(shown, pair -> pair.first() + ", " + pair.second());
        for (PairFacts pair : shown) {
            page.entry("  " + pair.first() + ", " + pair.second(), column, relation(pair));
        }
        if (shown.size() < facts.pairs().size()) {
            int others = facts.pairs().size() - shown.size();
            page.entry("", 2, "and " + others + " pairs of programs that no turn trains");
        }
    }

    /** Returns the pairs of which a turn trains a program. */
    private List<PairFacts> trained() {
        Set<String> beside = facts.scopes().stream()
                .flatMap(scope -> scope.readBeside().stream())
                .map(Touch::turn)
                .collect(Collectors.toSet());
        return facts.pairs().stream()
                .filter(pair -> !beside.contains(pair.first()) || !beside.contains(pair.second()))
                .toList();
    }

    private static String relation(PairFacts pair) {
        if (!pair.separate()) {
            Map<List<String>, List<String>> moves = pair.moves().stream()
                    .collect(Collectors.groupingBy(
                            PairFacts.Move::turns,
                            LinkedHashMap::new,
                            Collectors.mapping(PairFacts.Move::module, Collectors.toList())));
            return "not separate: "
                    + moves.entrySet().stream()
                            .map(entry -> "turn " + String.join(", ", entry.getKey()) + " trains "
                                    + String.join(" and ", entry.getValue()))
                            .collect(Collectors.joining(", "));
        }
        List<String> beside = new ArrayList<>();
        if (!pair.read().isEmpty()) {
            beside.add("both read " + String.join(" and ", pair.read()) + ", which neither updates");
        }
        if (!pair.carriedBy().isEmpty()) {
            beside.add("turn " + String.join(" and ", pair.carriedBy()) + " carries weights from one to the other");
        }
        if (!pair.inputs().isEmpty()) {
            beside.add("both take " + String.join(" and ", pair.inputs()));
        }
        return "separate" + (beside.isEmpty() ? "" : "; " + String.join("; ", beside));
    }
}
