package hocket.workbench.runs.plans;

import hocket.programs.execution.RowCost;
import hocket.workbench.runs.plans.ExplainFacts.OperatorFacts;
import hocket.workbench.runs.plans.ExplainFacts.ProgramFacts;
import hocket.workbench.terminal.NumberFormats;
import hocket.workbench.terminal.TextPage;
import hocket.workbench.terminal.TextTable;
import java.util.List;
import java.util.stream.Collectors;

/** Prints the composition and cost of programs for people. */
public final class ExplainText {
    private static final int TOTALS = 14;
    private static final int LEGEND = 13;

    private final TextPage textPage = new TextPage();

    private ExplainText() {}

    public static List<String> of(ExplainFacts facts) {
        ExplainText text = new ExplainText();
        text.textPage.entry(facts.name() + ":", 0, facts.summary());
        text.textPage.entry("", 0, engine(facts));
        facts.programs().forEach(text::program);
        text.legend(facts);
        return text.textPage.lines();
    }

    private static String engine(ExplainFacts facts) {
        String optimizers = "optimizers on " + facts.kernels() + " kernels";
        return facts.lowering() == null
                ? "no implementation here can run it: " + facts.unavailable() + "; " + optimizers
                : "programs run on " + facts.lowering() + ", " + optimizers + ", at most "
                        + NumberFormats.counted(facts.threads(), "thread");
    }

    private void program(ProgramFacts program) {
        String rows = program.rows() == 0
                ? ""
                : (program.turns().isEmpty() ? ", here for " : " on ") + NumberFormats.counted(program.rows(), "row");
        textPage.heading(program.name() + ": " + program.mode() + " for " + program.purpose() + rows);
        textPage.entry("  from", 7, TextPage.listed(program.from(), ValueFacts::text, "nothing"));
        textPage.entry("  to", 7, TextPage.listed(program.to(), TargetFacts::named, "nothing"));
        textPage.gap();
        textPage.table(table(program));
        textPage.gap();
        totals(program);
    }

    private static TextTable table(ProgramFacts program) {
        TextTable table = new TextTable(
                TextTable.Kind.NAME,
                TextTable.Kind.NAME,
                TextTable.Kind.NAME,
                TextTable.Kind.NUMBER,
                TextTable.Kind.NUMBER,
                TextTable.Kind.NUMBER,
                TextTable.Kind.NUMBER);
        table.row("value", "operator", "of a row", "parameters", "forward", "backward", "bytes");
        String open = "";
        for (OperatorFacts operator : program.operators()) {
            String path = operator.value().path();
            int slash = path.lastIndexOf('/');
            String scope = slash < 0 ? "" : path.substring(0, slash);
            if (!scope.equals(open) && !scope.isEmpty()) {
                table.over(scope);
            }
            open = scope;
            table.row(
                    (scope.isEmpty() ? "" : "  ") + path.substring(slash + 1),
                    operator.operator(),
                    shape(operator.value()),
                    numbers(operator),
                    orDash(operator.forward()),
                    orDash(operator.backward()),
                    orDash(operator.bytes()));
        }
        return table.row(
                "all",
                NumberFormats.counted(program.operators().size(), "value"),
                "",
                NumberFormats.grouped(program.parameters()),
                NumberFormats.briefly(program.forward().perRow()),
                NumberFormats.briefly(program.backward().perRow()),
                NumberFormats.briefly(program.bytes().perRow()));
    }

    private static String shape(ValueFacts value) {
        String extents = value.shape().stream().map(String::valueOf).collect(Collectors.joining(",", "(", ")"));
        return value.batched() ? extents : extents + " once";
    }

    private static String numbers(OperatorFacts operator) {
        String numbers = NumberFormats.grouped(operator.numbers());
        return operator.numbers() == 0 ? "-" : operator.again() == 0 ? numbers : "(" + numbers + ")";
    }

    private static String orDash(RowCost rowCost) {
        long shown = rowCost.perRow() > 0 ? rowCost.perRow() : rowCost.once();
        return shown == 0 ? "-" : NumberFormats.briefly(shown);
    }

    private void totals(ProgramFacts program) {
        textPage.entry(
                "  parameters",
                TOTALS,
                NumberFormats.counted(program.parameters(), "number") + ", "
                        + NumberFormats.bytes(program.parameterBytes()));
        textPage.entry("  forward", TOTALS, amount(program.forward(), "FLOP", program.rows()));
        if (!program.turns().isEmpty()) {
            textPage.entry(
                    "  backward",
                    TOTALS,
                    amount(program.backward(), "FLOP", program.rows()) + ", for the gradients of "
                            + String.join(", ", program.gradients()));
        }
        textPage.entry("  values", TOTALS, amount(program.bytes(), "byte", program.rows()));
        if (program.lowered() != null) {
            textPage.entry(
                    "  lowering",
                    TOTALS,
                    program.lowering() + ", "
                            + NumberFormats.counted(program.lowered().operators(), "operator") + " on "
                            + NumberFormats.counted(program.lowered().threads(), "thread"));
        }
    }

    /** 2,098,432 FLOPs a row and 512 a batch: 134,300,160 for 64 rows. */
    private static String amount(RowCost rowCost, String unit, int rows) {
        return NumberFormats.counted(rowCost.perRow(), unit) + " a row"
                + (rowCost.once() == 0 ? "" : " and " + NumberFormats.grouped(rowCost.once()) + " a batch")
                + (rows == 0
                        ? ""
                        : ": " + NumberFormats.grouped(rowCost.of(rows)) + " for "
                                + NumberFormats.counted(rows, "row"));
    }

    private void legend(ExplainFacts facts) {
        textPage.heading("meaning of the columns");
        textPage.entry(
                "  forward",
                LEGEND,
                "floating-point operations (FLOPs) for a row, by formula: a multiply-add counts 2,"
                        + " a function such as tanh 1, moving numbers nothing");
        textPage.entry("  backward", LEGEND, "the same for the gradients that the turn needs; an estimate");
        textPage.entry("  bytes", LEGEND, "of the value for a row, if it has memory of its own");
        textPage.entry("  once", LEGEND, "the same for all rows, as is its cost");
        if (facts.programs().stream()
                .flatMap(program -> program.operators().stream())
                .anyMatch(operator -> operator.again() > 0)) {
            textPage.entry("  (number)", LEGEND, "of parameters that were read further up already");
        }
    }
}
