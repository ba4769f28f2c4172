package hocket.workbench.plans;

import hocket.programs.Amount;
import hocket.workbench.plans.ExplainFacts.OperatorFacts;
import hocket.workbench.plans.ExplainFacts.ProgramFacts;
import hocket.workbench.terminal.Figures;
import hocket.workbench.terminal.Page;
import hocket.workbench.terminal.Table;
import java.util.List;
import java.util.stream.Collectors;

/** What programs consist of and cost, for people. */
public final class ExplainText {
    private static final int TOTALS = 14;
    private static final int LEGEND = 13;

    private final Page page = new Page();

    private ExplainText() {}

    public static List<String> of(ExplainFacts facts) {
        ExplainText text = new ExplainText();
        text.page.entry(facts.name() + ":", 0, facts.summary());
        text.page.entry("", 0, engine(facts));
        facts.programs().forEach(text::program);
        text.legend(facts);
        return text.page.lines();
    }

    private static String engine(ExplainFacts facts) {
        String optimizers = "optimizers on " + facts.kernels() + " kernels";
        return facts.lowering() == null
                ? "nothing here can run it: " + facts.unavailable() + "; " + optimizers
                : "programs run on " + facts.lowering() + ", " + optimizers + ", at most "
                        + Figures.counted(facts.threads(), "thread");
    }

    private void program(ProgramFacts program) {
        String rows = program.rows() == 0
                ? ""
                : (program.turns().isEmpty() ? ", here for " : " on ") + Figures.counted(program.rows(), "row");
        page.heading(program.name() + ": " + program.mode() + " for " + program.purpose() + rows);
        page.entry("  from", 7, Page.listed(program.from(), ValueFacts::text, "nothing"));
        page.entry("  to", 7, Page.listed(program.to(), TargetFacts::named, "nothing"));
        page.gap();
        page.table(table(program));
        page.gap();
        totals(program);
    }

    private static Table table(ProgramFacts program) {
        Table table = new Table(
                Table.Kind.NAME,
                Table.Kind.NAME,
                Table.Kind.NAME,
                Table.Kind.NUMBER,
                Table.Kind.NUMBER,
                Table.Kind.NUMBER,
                Table.Kind.NUMBER);
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
                Figures.counted(program.operators().size(), "value"),
                "",
                Figures.grouped(program.parameters()),
                Figures.briefly(program.forward().perRow()),
                Figures.briefly(program.backward().perRow()),
                Figures.briefly(program.bytes().perRow()));
    }

    private static String shape(ValueFacts value) {
        String extents = value.shape().stream().map(String::valueOf).collect(Collectors.joining(",", "(", ")"));
        return value.batched() ? extents : extents + " once";
    }

    private static String numbers(OperatorFacts operator) {
        String numbers = Figures.grouped(operator.numbers());
        return operator.numbers() == 0 ? "-" : operator.again() == 0 ? numbers : "(" + numbers + ")";
    }

    private static String orDash(Amount amount) {
        long shown = amount.perRow() > 0 ? amount.perRow() : amount.once();
        return shown == 0 ? "-" : Figures.briefly(shown);
    }

    private void totals(ProgramFacts program) {
        page.entry(
                "  parameters",
                TOTALS,
                Figures.counted(program.parameters(), "number") + ", " + Figures.bytes(program.parameterBytes()));
        page.entry("  forward", TOTALS, amount(program.forward(), "FLOP", program.rows()));
        if (!program.turns().isEmpty()) {
            page.entry(
                    "  backward",
                    TOTALS,
                    amount(program.backward(), "FLOP", program.rows()) + ", for the gradients of "
                            + String.join(", ", program.gradients()));
        }
        page.entry("  values", TOTALS, amount(program.bytes(), "byte", program.rows()));
        if (program.lowered() != null) {
            page.entry(
                    "  lowering",
                    TOTALS,
                    program.lowering() + ", "
                            + Figures.counted(program.lowered().operators(), "operator") + " on "
                            + Figures.counted(program.lowered().threads(), "thread"));
        }
        if (program.referenceOnly() != null) {
            page.entry("  slow", TOTALS, "only the reference runs it: " + program.referenceOnly());
        }
    }

    /** 2,098,432 FLOPs a row and 512 a batch: 134,300,160 for 64 rows. */
    private static String amount(Amount amount, String unit, int rows) {
        return Figures.counted(amount.perRow(), unit) + " a row"
                + (amount.once() == 0 ? "" : " and " + Figures.grouped(amount.once()) + " a batch")
                + (rows == 0 ? "" : ": " + Figures.grouped(amount.of(rows)) + " for " + Figures.counted(rows, "row"));
    }

    private void legend(ExplainFacts facts) {
        page.heading("what the columns say");
        page.entry(
                "  forward",
                LEGEND,
                "floating-point operations (FLOPs) for a row, by formula: a multiply-add counts 2,"
                        + " a function such as tanh 1, moving numbers nothing");
        page.entry("  backward", LEGEND, "the same for the gradients that the turn needs; an estimate");
        page.entry("  bytes", LEGEND, "of the value for a row, if it has memory of its own");
        page.entry("  once", LEGEND, "the same for all rows, and so is what it costs");
        if (facts.programs().stream()
                .flatMap(program -> program.operators().stream())
                .anyMatch(operator -> operator.again() > 0)) {
            page.entry("  (number)", LEGEND, "of parameters that were read further up already");
        }
    }
}
