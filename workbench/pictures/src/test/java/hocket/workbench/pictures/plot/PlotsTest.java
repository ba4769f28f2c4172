package hocket.workbench.pictures.plot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import hocket.workbench.testing.SyntheticRun;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import javax.imageio.ImageIO;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.style.XYStyler;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

class PlotsTest {
    private static final String BLUE = "rgb(0,114,178)";
    private static final String GRID = "rgb(230,230,230)";
    private static final String VERMILION = "rgb(213,94,0)";

    @TempDir
    private Path here;

    private Path out;

    @BeforeEach
    void makeOut() throws IOException {
        out = Files.createDirectory(here.resolve("out"));
    }

    @Test
    void seriesAreSortedIntoSheets() throws IOException {
        run("a").reports("d", "loss", 1, 2)
                .reports("d", "gradient_norm", 1, 2)
                .reports("d", "error_rate", 1, 2)
                .reports("g", "loss", 3, 4)
                .reports("evaluation", "loss", 5)
                .reports("validation", "accuracy", 6);
        List<Sheet> sheets = plots(List.of(), "a").sheets();
        assertThat(sheets).extracting(Sheet::name).containsExactly("losses", "scores", "gradients", "metrics");
        assertThat(sheets.get(0).panels()).hasSize(1);
        assertThat(sheets.get(0).panels().get(0).curves())
                .extracting(Curve::label)
                .containsExactly("d", "g");
        assertThat(sheets.get(1).panels()).extracting(Panel::title).containsExactly("Loss", "Accuracy");
    }

    @Test
    void runsThatCountStepsAreDrawnByThem() throws IOException {
        run("a").reports("d", "loss", 1, 2, 3).reports("collect", "steps", 100, 300, 400);
        run("b").reports("d", "loss", 5, 6).reports("collect", "steps", 50, 90);
        Panel one = plots(List.of("d/loss"), "a").sheets().get(0).panels().get(0);
        assertThat(one.across()).isEqualTo("step");
        assertThat(one.curves().get(0).x()).containsExactly(100, 300, 400);
        Panel both = plots(List.of("d/loss"), "a", "b").sheets().get(0).panels().get(0);
        assertThat(both.curves().get(1).x()).containsExactly(50, 90);
        assertThat(both.range()).isEqualTo(new Extent(0, 400));
        run("c").reports("d", "loss", 1, 2);
        assertThat(plots(List.of(), "a", "c").sheets().get(0).panels().get(0).across())
                .isEqualTo("epoch");
    }

    @Test
    void theEndsOfAnIntervalAreOnTheChartOfTheirMiddle() throws IOException {
        run("a").reports("rate", "elo", 1, 2)
                .reports("rate", "elo_low", 0, 1)
                .reports("rate", "elo_high", 2, 3)
                .reports("d", "is_low", 1, 2); // no end of an interval: there is no "is"
        List<Panel> panels = plots(List.of(), "a").sheets().get(0).panels();
        assertThat(panels).hasSize(2);
        assertThat(panels.stream().flatMap(panel -> panel.curves().stream()).map(Curve::label))
                .containsExactlyInAnyOrder("rate", "rate, low", "rate, high", "d");
    }

    @Test
    void sheetsWithoutASeriesAreNotDrawn() throws IOException {
        run("a").reports("d", "loss", 1, 2);
        assertThat(plots(List.of(), "a").write(out))
                .containsExactly(out.resolve("losses.svg"), out.resolve("losses.png"));
        assertThat(out.resolve("scores.svg")).doesNotExist();
    }

    @Test
    void aCurveIsOnePathThroughAllItsPoints() throws Exception {
        run("a").reports("d", "loss", rising(15)).reports("g", "loss", rising(7));
        plots(List.of(), "a").write(out);
        assertThat(pointsOfPaths("losses.svg", BLUE)).containsExactly(15);
        assertThat(pointsOfPaths("losses.svg", VERMILION)).containsExactly(7);
    }

    @Test
    void whatIsNotFiniteLeavesAGap() throws Exception {
        double[] values = rising(12);
        values[4] = Double.NaN;
        values[8] = Double.POSITIVE_INFINITY;
        run("a").reports("d", "loss", values);
        plots(List.of(), "a").write(out);
        assertThat(pointsOfPaths("losses.svg", BLUE)).containsExactly(4, 3, 3);
    }

    @Test
    void aCurveThatIsNeverFiniteIsSaidToBe() throws Exception {
        run("a").reports("d", "loss", Double.NaN, Double.NaN).reports("g", "loss", 1, 2);
        plots(List.of(), "a").write(out);
        assertThat(texts("losses.svg")).contains("d (never finite)", "g");
    }

    @Test
    void aLongCurveIsFaintUnderItsMean() throws Exception {
        run("a").reports("d", "loss", rising(300));
        plots(List.of(), "a").write(out);
        assertThat(pointsOfPaths("losses.svg", "rgb(184,216,233)")).containsExactly(300);
        assertThat(pointsOfPaths("losses.svg", BLUE)).containsExactly(300);
        assertThat(texts("losses.svg")).contains("Loss", "a", "d", "faint: as recorded, bold: mean over 1 epoch");
    }

    @Test
    void aTickSaysItsValueWhereverXChartPutsIt() {
        for (double size = 1e-3; size < 1e5; size *= 1.7) {
            ValueAxis axis =
                    ValueAxis.linear(List.of(new Curve("", new double[] {0, 1}, new double[] {0, size * 0.999})));
            XYStyler styler = new XYChart(560, 360).getStyler();
            axis.style(styler, 360);
            for (double step : new double[] {1, 2, 2.5, 5, 10}) {
                double apart =
                        step * Math.pow(10, Math.floor(Math.log10(axis.shown().size() / 8)));
                if (apart >= styler.getYAxisTickMarkSpacingHint() * axis.shown().size() / 360) {
                    for (int i = -3; i <= 3; i++) {
                        assertThat(Double.parseDouble(styler.getyAxisTickLabelsFormattingFunction()
                                        .apply(i * apart)))
                                .as("tick %d of %s", i, apart)
                                .isCloseTo(i * apart, within(1e-9 * apart));
                    }
                }
            }
        }
    }

    @Test
    void whatCountsHasTicksAtWholeNumbersAlone() throws Exception {
        assertThat(ticks(0, 0, 3)).isEqualTo(4);
        assertThat(ticks(0, 1)).isEqualTo(2);
        assertThat(ticks(5, 7)).isEqualTo(3);
    }

    @Test
    void whatNeverMovesHasTwoTicks() throws Exception {
        assertThat(ticks(0, 0)).isEqualTo(2);
        assertThat(ticks(1)).isEqualTo(2);
        assertThat(ticks(-1, -1)).isEqualTo(2);
    }

    /** How many numbers stand beside a chart of such values, where it is alone as where it is one of two. */
    private int ticks(double... values) throws Exception {
        String name = "run" + Arrays.toString(values);
        run(name).reports("evaluation", "found", values);
        plots(List.of(), name).write(out);
        int alone = gridLines();
        run(name + " and more").reports("evaluation", "found", values).reports("evaluation", "too", values);
        plots(List.of(), name + " and more").write(out);
        assertThat(gridLines()).isEqualTo(2 * alone);
        return alone;
    }

    /** One goes with every number beside a vertical axis; XChart draws the number itself as outlines. */
    private int gridLines() throws Exception {
        NodeList paths = document("scores.svg").getElementsByTagName("path");
        return (int) IntStream.range(0, paths.getLength())
                .mapToObj(i -> (Element) paths.item(i))
                .filter(path -> GRID.equals(inherited(path, "fill")))
                .count();
    }

    @Test
    void aRateThatChangedIsAStepAndAConstantOneALineToTheEnd() throws Exception {
        run("a").reports("d", "loss", rising(40))
                .reports("d", "rate", 1e-3, 1e-4)
                .reports("g", "rate", 1e-3);
        Panel rates = plots(List.of("*/rate"), "a").sheets().get(0).panels().get(0);
        assertThat(rates.style()).isEqualTo(Panel.Style.STAIRS);
        Curve step = rates.curves().get(0);
        assertThat(step.x()).containsExactly(0.1, 0.2, 0.2, 4);
        assertThat(step.y()).containsExactly(1e-3, 1e-3, 1e-4, 1e-4);
        assertThat(rates.curves().get(1).x()).containsExactly(0.1, 4);
        plots(List.of(), "a").write(out);
        assertThat(pointsOfPaths("metrics.svg", BLUE)).containsExactly(4);
    }

    @Test
    void aRateEndsWhereItsRunEnded() throws IOException {
        run("short").reports("d", "loss", rising(7)).reports("d", "rate", 1e-3);
        run("long").reports("d", "loss", rising(40)).reports("d", "rate", 1e-3, 1e-4);
        Panel rates = plots(List.of("d/rate"), "short", "long")
                .sheets()
                .get(0)
                .panels()
                .get(0);
        assertThat(rates.range()).isEqualTo(new Extent(0, 4));
        assertThat(rates.curves().get(0).x()).containsExactly(0.1, 0.1 * 7);
        assertThat(rates.curves().get(1).x()).containsExactly(0.1, 0.2, 0.2, 4);
    }

    @Test
    void aRateOfARunThatCountsStepsEndsAtItsLastStep() throws IOException {
        run("a").reports("d", "rate", 1e-3).reports("collect", "steps", 100, 300, 400);
        run("b").reports("d", "rate", 1e-3).reports("collect", "steps", 50, 90);
        Panel rates =
                plots(List.of("d/rate"), "a", "b").sheets().get(0).panels().get(0);
        assertThat(rates.across()).isEqualTo("step");
        assertThat(rates.curves().get(0).x()).containsExactly(100, 400);
        assertThat(rates.curves().get(1).x()).containsExactly(50, 90);
    }

    @Test
    void longNumbersAndNamesFitIntoTheirCharts() throws Exception {
        String name = "a_name_that_is_far_too_long_for_the_side_of_a_chart_and_for_the_line_above_it_as_well".repeat(2);
        double[] steps = IntStream.range(0, 30).mapToDouble(i -> 50_000.0 * i).toArray();
        run("a").reports("collect", "steps", steps).reports("collect", name, rising(30));
        plots(List.of(), "a").write(out);
        assertThat(texts("metrics.svg"))
                .noneMatch(text -> text.length() > 80)
                .anyMatch(text -> text.startsWith("A name that") && text.endsWith("…"));
        XYStyler styler = new XYChart(560, 360).getStyler();
        ChartStyle.apply(styler);
        assertThat(DoubleStream.of(0, 0.25, 2500, 12_500, 200_000, 1_200_000, 3e9)
                        .mapToObj(styler.getxAxisTickLabelsFormattingFunction()::apply))
                .containsExactly("0", "0.25", "2500", "12.5k", "200k", "1.2M", "3G");
    }

    @Test
    void scoresAreNeverSmoothed() throws IOException {
        run("a").reports("evaluation", "classifier_confidence", rising(50));
        assertThat(plots(List.of(), "a").sheets().get(0).panels().get(0).style())
                .isEqualTo(Panel.Style.POINTS);
    }

    @Test
    void theSameSeriesOfSeveralRunsLieOverOneAnother() throws Exception {
        run("a").reports("d", "loss", rising(5)).reports("g", "loss", rising(5));
        run("b").reports("d", "loss", rising(9));
        plots(List.of(), "a", "b").write(out);
        assertThat(texts("losses.svg")).contains("d/loss", "g/loss", "a", "b");
        assertThat(pointsOfPaths("losses.svg", BLUE)).containsExactly(5, 5);
        assertThat(pointsOfPaths("losses.svg", VERMILION)).containsExactly(9);
    }

    @Test
    void runsOfOneNameAreNamedByTheirWholePath() throws IOException {
        run("x/a").reports("d", "loss", 1);
        run("y/a").reports("d", "loss", 1);
        List<Curve> curves =
                plots(List.of(), "x/a", "y/a").sheets().get(0).panels().get(0).curves();
        assertThat(curves)
                .extracting(Curve::label)
                .containsExactly(
                        here.resolve("x/a").toString(), here.resolve("y/a").toString());
    }

    @Test
    void roundsAreCountedWhereARunHasNoEpochs() throws IOException {
        run("a").reports("d", "loss", 1, 2, 3);
        run("b").reports(0, "d", "loss", 1, 2);
        Panel epochs = plots(List.of(), "a").sheets().get(0).panels().get(0);
        assertThat(epochs.across()).isEqualTo("epoch");
        assertThat(epochs.range().greatest()).isEqualTo(0.1 * 3);
        Panel rounds = plots(List.of(), "a", "b").sheets().get(0).panels().get(0);
        assertThat(rounds.across()).isEqualTo("round");
        assertThat(rounds.curves().get(0).x()).containsExactly(1, 2, 3);
    }

    @Test
    void aPhaseInWhichNoEpochGoesByIsDrawnByItsRounds() throws IOException {
        run("a").reports("d", "loss", rising(90)).reportsLater(91, 9, "act", "reward", rising(10));
        List<Sheet> sheets = plots(List.of(), "a").sheets();
        Panel whole = sheets.get(0).panels().get(0);
        assertThat(whole.across()).isEqualTo("round");
        assertThat(whole.range()).isEqualTo(new Extent(0, 100));
        assertThat(sheets.get(1).panels().get(0).range()).isEqualTo(new Extent(91, 100));
    }

    @Test
    void onlyWantedSeriesAreDrawn() throws IOException {
        run("a").reports("d", "loss", 1).reports("g", "loss", 1).reports("d", "error_rate", 1);
        assertThat(plots(List.of("*/loss"), "a").sheets())
                .extracting(Sheet::name)
                .containsExactly("losses");
        assertThat(plots(List.of("d/*", "g/loss"), "a").sheets()).hasSize(2);
        assertThatThrownBy(() -> plots(List.of("d/*", "d.loss"), "a"))
                .hasMessage("no series fits --series d.loss; there are d/loss, g/loss, d/error_rate");
    }

    @Test
    void theSameRunGivesTheSameFiles() throws IOException {
        run("a").reports("d", "loss", rising(30)).reports("evaluation", "classifier_confidence", 0.5, 0.7);
        plots(List.of(), "a").write(out);
        Path again = Files.createDirectory(here.resolve("again"));
        plots(List.of(), "a").write(again);
        for (String name : List.of("losses.svg", "losses.png", "scores.svg", "scores.png")) {
            assertThat(again.resolve(name)).hasSameBinaryContentAs(out.resolve(name));
        }
    }

    @Test
    void aPngHasTheSvgsSizeTwice() throws Exception {
        run("a").reports("d", "loss", rising(30));
        plots(List.of(), "a").write(out);
        BufferedImage png = ImageIO.read(out.resolve("losses.png").toFile());
        Element svg = document("losses.svg").getDocumentElement();
        assertThat(png.getWidth()).isEqualTo(2 * Integer.parseInt(svg.getAttribute("width")));
        assertThat(png.getHeight()).isEqualTo(2 * Integer.parseInt(svg.getAttribute("height")));
        int blue = 0x0072B2;
        assertThat(Arrays.stream(png.getRGB(0, 0, png.getWidth(), png.getHeight(), null, 0, png.getWidth()))
                        .filter(pixel -> (pixel & 0xFFFFFF) == blue)
                        .count())
                .isGreaterThan(500);
    }

    @Test
    void whatIsNoRunIsRefused() throws IOException {
        assertThatThrownBy(() -> plots(List.of(), "none"))
                .hasMessage(here.resolve("none") + " is not a run folder: it has no metrics.jsonl");
        run("empty");
        assertThatThrownBy(() -> plots(List.of(), "empty"))
                .hasMessage(here.resolve("empty/metrics.jsonl") + " holds no metric yet");
        run("a").reports("d", "loss", 1);
        assertThatThrownBy(() -> plots(List.of(), "a", "b/../a"))
                .hasMessage("run " + here.resolve("b/../a") + " is named twice");
    }

    private SyntheticRun run(String name) throws IOException {
        return SyntheticRun.in(here.resolve(name));
    }

    private Plots plots(List<String> patterns, String... runs) {
        return Plots.read(Arrays.stream(runs).map(here::resolve).toList(), patterns);
    }

    private static double[] rising(int count) {
        return IntStream.range(0, count).mapToDouble(i -> 1 + i * (i % 2)).toArray();
    }

    /** Of every path of a colour with more than the two points of a line in the legend. */
    private List<Integer> pointsOfPaths(String svg, String colour) throws Exception {
        NodeList paths = document(svg).getElementsByTagName("path");
        return IntStream.range(0, paths.getLength())
                .mapToObj(i -> (Element) paths.item(i))
                .filter(path -> colour.equals(inherited(path, "stroke")))
                .map(path -> path.getAttribute("d").split("[ML]").length - 1)
                .filter(points -> points > 2)
                .toList();
    }

    private static String inherited(Element element, String attribute) {
        return element.hasAttribute(attribute) || !(element.getParentNode() instanceof Element parent)
                ? element.getAttribute(attribute)
                : inherited(parent, attribute);
    }

    private List<String> texts(String svg) throws Exception {
        NodeList texts = document(svg).getElementsByTagName("text");
        return IntStream.range(0, texts.getLength())
                .mapToObj(i -> texts.item(i).getTextContent())
                .toList();
    }

    private Document document(String svg) throws Exception {
        return DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(out.resolve(svg).toFile());
    }
}
