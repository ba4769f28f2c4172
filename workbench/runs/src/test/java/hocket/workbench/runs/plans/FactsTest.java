package hocket.workbench.runs.plans;

import static hocket.programs.Layers.dense;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.square;
import static hocket.programs.Operators.tanh;
import static hocket.schedulers.optimizers.Optimizers.adam;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.fasterxml.jackson.databind.JsonNode;
import hocket.programs.Graph;
import hocket.programs.Mode;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.schedulers.Budget;
import hocket.schedulers.Phase;
import hocket.schedulers.Plan;
import hocket.schedulers.Resample;
import hocket.schedulers.Setup;
import hocket.schedulers.Turn;
import hocket.schedulers.plans.Rehearsal.Interval;
import hocket.scopes.Scope;
import hocket.scopes.Shape;
import hocket.workbench.files.json.JsonDocument;
import hocket.workbench.runs.plans.ScopeFacts.Touch;
import hocket.workbench.terminal.Terminal;
import hocket.workbench.testing.SmallGan;
import hocket.workbench.testing.json.Parsed;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

/** What {@code plan} and {@code explain} say, as text and as JSON. */
class FactsTest {
    private final SmallGan gan = SmallGan.of();

    private Setup experiment() {
        Turn.Descend d = gan.d();
        List<Phase> phases = List.of(
                new Phase("warm-up", d.times(2), Budget.rounds(3)),
                new Phase("train", Plan.sequence(d, gan.g(), gan.ema()), Budget.epochs("image", 4)));
        return Setup.of(gan.graph(), phases)
                .copy("generator/**", "ema/generator/**")
                .feed(SmallGan.images(64, 8), Resample.EACH_TURN)
                .samples(gan.draw());
    }

    private PlanFacts plan() {
        return PlanFacts.of("gan", "a small one", 7, Map.of(), List.of(), experiment());
    }

    private ExplainFacts explained(String... program) {
        return ExplainFacts.of(
                "gan", "a small one", experiment(), List.of(program).stream().findFirst(), 2);
    }

    @Test
    void theScopesSayWhoReadsAndWritesHowMuch() {
        // in: 3·5 + 5, norm: 4·5, out: 5·4 + 4; and in: 4·5 + 5, norm: 4·5, logit: 5 + 1
        assertThat(plan().scopes())
                .containsExactly(
                        new ScopeFacts(
                                "discriminator",
                                "",
                                8,
                                51,
                                204,
                                List.of(new Touch("d", 6, true), new Touch("g", 6, true)),
                                List.of(new Touch("d", 8, true)),
                                List.of()),
                        new ScopeFacts(
                                "ema/generator",
                                "",
                                8,
                                64,
                                256,
                                List.of(),
                                List.of(new Touch("ema", 8, true)),
                                List.of(new Touch("draw", 8, true))),
                        new ScopeFacts(
                                "generator",
                                "",
                                8,
                                64,
                                256,
                                List.of(new Touch("d", 6, true), new Touch("g", 6, true), new Touch("ema", 8, true)),
                                List.of(new Touch("g", 8, true)),
                                List.of()));
        assertThat(PlanText.of(plan()))
                .containsSubsequence(
                        "  scope          arrays  numbers  bytes  read by    written by",
                        "  discriminator       8       51  204 B  d, g       d",
                        "  ema/generator       8       64  256 B  [draw]     ema",
                        "  generator           8       64  256 B  d, g, ema  g",
                        "  all                24      179  716 B");
    }

    @Test
    void scopesInsideModulesAreListedUnderThemAndPartsAreCounted() {
        Graph graph = new Graph();
        Value x = graph.input("x", Shape.of(4));
        Value out;
        try (Scope<Value> net = graph.module("net")) {
            Value h = dense("first", x, 3);
            try (Scope<Value> up = graph.scope("up")) {
                h = dense("b", tanh(dense("a", h, 3)), 3);
            }
            out = dense("last", h, 1);
        }
        Turn.Descend part = Turn.of("t", Program.compile("p", Mode.TRAIN, mean(square(out))))
                .updates("net/up/a/**, net/last/**", adam(1e-3));
        Setup setup = Setup.of(graph, part, Budget.rounds(1))
                .feed(SmallGan.rows("x", 8).batches(4), Resample.EACH_TURN);
        PlanFacts facts = PlanFacts.of("net", "", 0, Map.of(), List.of(), setup);
        assertThat(PlanText.of(facts))
                .containsSubsequence(
                        "  net         8       43  172 B  t        t (4)",
                        "    up        4       24   96 B  t        t (2)",
                        "  (number): that many of the arrays, not all weights",
                        "no module reads values of another");
    }

    @Test
    void programsAreSeparateWhereNoTurnOfOneMovesWhatTheOtherReads() {
        assertThat(plan().pairs())
                .containsExactly(
                        new PairFacts(
                                "d_step",
                                "g_step",
                                false,
                                List.of(
                                        new PairFacts.Move("d_step", List.of("d"), "discriminator"),
                                        new PairFacts.Move("g_step", List.of("g"), "generator")),
                                List.of(),
                                List.of(),
                                List.of()),
                        new PairFacts("d_step", "draw", true, List.of(), List.of(), List.of("ema"), List.of()),
                        new PairFacts("g_step", "draw", true, List.of(), List.of(), List.of("ema"), List.of()));
    }

    @Test
    void theTextNamesTheTurnsThatMoveWhatTheOtherReads() {
        assertThat(PlanText.of(plan()))
                .containsSubsequence(
                        "  d_step, g_step  not separate: turn d trains discriminator, turn g trains",
                        "                  generator",
                        "  d_step, draw    separate; turn ema carries weights from one to the other");
    }

    @Test
    void programsThatReadTheSameAndMoveTheirOwnAreSeparate() {
        Graph graph = new Graph();
        Value x = graph.input("x", Shape.of(4));
        var trunk = graph.module("trunk", (Value in) -> tanh(dense("a", in, 3)));
        var one = graph.module("one", (Value in) -> dense("out", trunk.apply(in), 1));
        var two = graph.module("two", (Value in) -> dense("out", trunk.apply(in), 1));
        Turn.Descend first = Turn.of("first", Program.compile("p", Mode.TRAIN, mean(square(one.apply(x)))))
                .updates("one/**", adam(1e-3));
        Turn.Descend second = Turn.of("second", Program.compile("q", Mode.TRAIN, mean(square(two.apply(x)))))
                .updates("two/**", adam(1e-3));
        Setup setup = Setup.of(graph, Plan.sequence(first, second), Budget.rounds(1))
                .feed(SmallGan.rows("x", 8).batches(4), Resample.EACH_TURN);
        PlanFacts facts = PlanFacts.of("heads", "", 0, Map.of(), List.of(), setup);
        assertThat(facts.pairs())
                .containsExactly(new PairFacts("p", "q", true, List.of(), List.of("trunk"), List.of(), List.of("x")));
        assertThat(PlanText.of(facts))
                .contains(
                        "  p, q  separate; both read trunk, which neither updates; both take x",
                        "  one  of trunk; gradients flow back in program p",
                        "  two  of trunk; gradients flow back in program q");
    }

    @Test
    void theNextTurnsGoThroughThePhases() {
        assertThat(plan().next()).extracting(Interval::phase).containsExactly("warm-up", "train");
        assertThat(plan().next().get(0).turns()).containsExactly("d", "d", "d", "d", "d", "d");
        assertThat(plan().next().get(1).turns())
                .hasSize(PlanFacts.NEXT - 6)
                .startsWith("d", "g", "ema", "d", "g", "ema", "d");
        assertThat(PlanText.of(plan()))
                .containsSubsequence(
                        "phases, one after the other",
                        "  warm-up  d × 2",
                        "           3 rounds, 6 turns",
                        "  train    sequence(d, g, ema)",
                        "           4 epochs of image: 32 rounds, 96 turns",
                        "the first 40 turns, in order; | ends a round",
                        "  warm-up",
                        "  d  ##|##|##",
                        "  train",
                        "  d    #..|#..|#..|#..|#..|#..|#..|#..|#..|#..|#..|#",
                        "  g    .#.|.#.|.#.|.#.|.#.|.#.|.#.|.#.|.#.|.#.|.#.|.",
                        "  ema  ..#|..#|..#|..#|..#|..#|..#|..#|..#|..#|..#|.",
                        "nothing looks wrong");
    }

    @Test
    void aPlanAsJsonSaysWhatTheTextSays() {
        JsonNode json = Parsed.document(JsonDocument.of(plan()));
        assertThat(json.path("name").textValue()).isEqualTo("gan");
        assertThat(texts(json.path("programs"), "name")).containsExactly("d_step", "g_step", "draw");
        long numbers = 0;
        for (JsonNode scope : json.path("scopes")) {
            numbers += scope.path("numbers").longValue();
        }
        assertThat(PlanText.of(plan())).anyMatch(line -> line.matches("  all +24 +179 .*"));
        assertThat(numbers).isEqualTo(179);
        assertThat(texts(json.path("scopes").get(2).path("read_by"), "turn")).containsExactly("d", "g", "ema");
        assertThat(json.path("dependencies").get(0).path("with_gradient").get(0).textValue())
                .isEqualTo("g_step");
        assertThat(json.path("feeds").get(0).path("draws_an_epoch").longValue()).isEqualTo(8);
        assertThat(json.path("phases").get(1).path("budget").path("unit").textValue())
                .isEqualTo("epochs");
        assertThat(json.path("turns").get(2).path("decay").doubleValue()).isEqualTo(0.9);
        assertThat(json.path("turns").get(0).path("decay").isNull()).isTrue();
        assertThat(json.path("warnings")).isEmpty();
    }

    @Test
    void anExplanationsTotalsAreTheSameInTextAndJsonAndAddUp() {
        JsonNode json = Parsed.document(JsonDocument.of(explained()));
        String text = String.join("\n", ExplainText.of(explained()));
        Matcher totals = Pattern.compile(
                        "parameters +(?<numbers>[\\d,]+) numbers.*\\R"
                                + " +forward +(?<forward>[\\d,]+) FLOPs a row and (?<once>[\\d,]+) a batch: (?<all>[\\d,]+) for")
                .matcher(text);
        for (JsonNode program : json.path("programs")) {
            assertThat(totals.find()).isTrue();
            assertThat(whole(totals, "numbers"))
                    .isEqualTo(program.path("parameters").longValue());
            assertThat(whole(totals, "forward"))
                    .isEqualTo(program.path("forward").path("per_row").longValue());
            assertThat(whole(totals, "once"))
                    .isEqualTo(program.path("forward").path("once").longValue());
            assertThat(whole(totals, "all")).isEqualTo(8 * whole(totals, "forward") + whole(totals, "once"));
            long forward = 0;
            long numbers = 0;
            for (JsonNode operator : program.path("operators")) {
                forward += operator.path("forward").path("per_row").longValue();
                numbers += operator.path("numbers").longValue()
                        - operator.path("again").longValue();
            }
            assertThat(forward).isEqualTo(whole(totals, "forward"));
            assertThat(numbers).isEqualTo(whole(totals, "numbers"));
        }
    }

    @Test
    void anExplanationListsOperatorsWithWhatTheyCost() {
        assertThat(ExplainText.of(explained("g_step")))
                .containsSubsequence(
                        "g_step: TRAIN for turn g on 8 rows",
                        "  from noise (batch,3)",
                        "  to   loss mean_4 ()",
                        "  value       operator    of a row  parameters  forward  backward  bytes",
                        "  noise       noise       (3)                -        -         -     12",
                        "  generator",
                        "    in        dense       (5)               20       35        35     20",
                        "    norm      batch_norm  (5)               10       35        50     20",
                        "  discriminator#3",
                        "    logit     dense       (1)                6       11        10      4",
                        "  mean_4      mean        () once            -        1         1      4");
        assertThat(ExplainText.of(explained("d_step")))
                .anyMatch(line -> line.matches(" +logit +dense +\\(1\\) +\\(6\\) +11 +21 +4"))
                .anyMatch(line -> line.matches(" +\\(number\\) +of parameters that were read further up already"));
    }

    @Test
    void oneProgramCanBeAskedForByItsName() {
        assertThat(explained("draw").programs()).hasSize(1);
        assertThat(explained().programs()).hasSize(3);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> explained("drw"))
                .withMessage("there is no program drw; did you mean draw?");
    }

    @Test
    void nothingIsWiderThanATerminalHoweverLongTheNames() {
        Graph graph = new Graph();
        String name = "a-name-that-is-much-longer-than-anybody-would-write-it-down-in-a-scope-of-a-network";
        Value x = graph.input(name, Shape.of(4));
        Value out;
        try (Scope<Value> net = graph.module(name)) {
            try (Scope<Value> inner = graph.scope(name)) {
                try (Scope<Value> innermost = graph.scope(name)) {
                    out = dense(name, tanh(dense("a", x, 12345)), 1);
                }
            }
        }
        Turn.Descend turn = Turn.of(name, Program.compile(name, Mode.TRAIN, mean(square(out))))
                .updates(name + "/**", adam(1e-3));
        Turn.Descend other = Turn.of(name + "2", Program.compile(name + "2", Mode.TRAIN, mean(square(tanh(out)))))
                .shares(name + "/**", adam(1e-3));
        Setup setup = Setup.of(graph, Plan.sequence(turn, Turn.act("act-" + name, run -> {})), Budget.epochs(name, 3))
                .feed(SmallGan.rows(name, 8).batches(4), Resample.EACH_TURN);
        assertFits(PlanText.of(PlanFacts.of(name, name, 0, Map.of(), List.of(), setup)));
        assertFits(ExplainText.of(ExplainFacts.of(name, name, setup, Optional.empty(), 2)));
        Setup both = Setup.of(
                        graph,
                        Plan.sequence(Turn.of(name, turn.program()).shares(name + "/**", adam(1e-3)), other),
                        Budget.rounds(3))
                .feed(SmallGan.rows(name, 8).batches(4), Resample.EACH_TURN);
        assertFits(PlanText.of(PlanFacts.of(name, name, 0, Map.of(), List.of(), both)));
    }

    private static void assertFits(List<String> lines) {
        assertThat(lines).allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(Terminal.COLUMNS));
    }

    private static List<String> texts(JsonNode objects, String key) {
        return StreamSupport.stream(objects.spliterator(), false)
                .map(object -> object.path(key).textValue())
                .collect(Collectors.toList());
    }

    private static long whole(Matcher matcher, String group) {
        return Long.parseLong(matcher.group(group).replace(",", ""));
    }
}
