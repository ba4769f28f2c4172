package hocket.workbench.files.experiment;

import static hocket.schedulers.optimizers.Optimizers.adam;
import static hocket.schedulers.optimizers.Optimizers.rmsProp;
import static hocket.schedulers.optimizers.Optimizers.sgd;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hocket.schedulers.Budget;
import hocket.schedulers.Columns;
import hocket.schedulers.Definition;
import hocket.schedulers.Plan;
import hocket.schedulers.Resample;
import hocket.schedulers.Scheduler;
import hocket.schedulers.Setup;
import hocket.schedulers.Source;
import hocket.schedulers.Turn;
import hocket.schedulers.optimizers.GradientTransformation;
import hocket.schedulers.optimizers.UpdateRule;
import hocket.schedulers.optimizers.kernels.Chunk;
import hocket.schedulers.optimizers.rates.CosineRate;
import hocket.schedulers.optimizers.rates.Rate;
import hocket.schedulers.optimizers.rates.RateUnit;
import hocket.schedulers.optimizers.rates.WarmUpRate;
import hocket.schedulers.optimizers.transforms.ClipByGlobalNorm;
import hocket.schedulers.optimizers.transforms.Decay;
import hocket.schedulers.settings.Networks;
import hocket.schedulers.settings.Setting;
import hocket.scopes.Parameters;
import hocket.workbench.command.Ran;
import hocket.workbench.files.UserError;
import hocket.workbench.runs.CommandContext;
import hocket.workbench.sweeps.SeedSweep;
import hocket.workbench.testing.Toys;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.lang.reflect.RecordComponent;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ExperimentFileTest {
    private static final String TOYS = "hocket.workbench.testing.Toys.";
    private static final String FILE = """
            name: points
            seed: 3
            network: {class: TOYS.PointGan, width: 6}
            feeds: {points: {class: TOYS.Points, rows: 40, batch: 8}}
            turns:
              d: {program: discriminator, updates: {"discriminator/**": {adam: {rate: 1e-2, beta1: 0.5}}}}
              g: {program: generator, updates: {"generator/**": {adam: {rate: 2e-3}}}}
              ema: {follow: {from: "generator/**", to: "ema/generator/**", decay: 0.9}}
            plan: {sequence: [{repeat: 2, of: d}, g, ema]}
            budget: {rounds: 100}
            samples: draw
            """.replace("TOYS.", TOYS);

    @TempDir
    Path here = Path.of("");

    private ExperimentFile.Surroundings surroundings(Map<String, String> environment) {
        return new ExperimentFile.Surroundings(here, List.of(), environment);
    }

    private ExperimentFile read(String text, String... changes) {
        return read(text, Map.of(), changes);
    }

    private ExperimentFile read(String text, Map<String, String> environment, String... changes) {
        try {
            Files.writeString(here.resolve("experiment.yaml"), text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return ExperimentFile.read(
                here.resolve("experiment.yaml").toString(), List.of(changes), surroundings(environment));
    }

    @Test
    void aKeywordMayStandInQuotes() {
        String text = FILE.replace("batch: 8", "batch: 8, resample: WORD");
        ExperimentFile quoted = read(text.replace("WORD", "\"each-round\""));
        ExperimentFile plain = read(text.replace("WORD", "each-round"));
        assertThat(quoted.spec()).isEqualTo(plain.spec());
        assertThatThrownBy(() -> read(text.replace("WORD", "\"each round\"")))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("must be each-turn or each-round, was \"each round\"");
    }

    private static String digest(Setup setup, long seed) {
        try (Parameters parameters = setup.initialise(seed);
                Scheduler scheduler = setup.schedule(parameters, 1)) {
            scheduler.run();
            return parameters.digest();
        }
    }

    @Test
    @Tag("engine")
    void aFileJavaAndALoopByHandGiveTheSameBitsAfterAHundredRounds() {
        String fromFile = digest(read(FILE).definition(ExperimentFile.TRAIN).setup(), 3);

        Source points = new Toys.Points(40).open("points", 8, true);
        Networks networks = new Toys.PointGan(6).build(Columns.of(points));
        Turn.Descend d = Turn.of("d", networks.program("discriminator"))
                .updates("discriminator/**", adam(1e-2).beta1(0.5));
        Turn.Descend g = Turn.of("g", networks.program("generator")).updates("generator/**", adam(2e-3));
        Turn ema = Turn.average("ema", "generator/**", "ema/generator/**", 0.9);
        Definition java = () -> Setup.of(networks, Plan.sequence(d.times(2), g, ema), Budget.rounds(100))
                .copy("generator/**", "ema/generator/**")
                .feed(new Toys.Points(40).open("points", 8, true), Resample.EACH_TURN);
        assertThat(digest(java.setup(), 3)).isEqualTo(fromFile);

        try (Parameters parameters = java.setup().initialise(3);
                Scheduler scheduler = Scheduler.over(parameters, 1)) {
            for (int round = 0; round < 100; round++) {
                scheduler.step(d, points);
                scheduler.step(d, points);
                scheduler.step(g);
                scheduler.step(ema);
                scheduler.endRound();
            }
            assertThat(parameters.digest()).isEqualTo(fromFile);
        }
        assertThat(digest(java.setup(), 4)).isNotEqualTo(fromFile);
    }

    @Test
    @Tag("engine")
    void aResolvedFileIsCompleteAndRunsToTheSameBits() throws IOException {
        ExperimentFile file = read(FILE, "width=5", "d.rate=3e-3", "rounds=20", "d.weight_decay=0.5");
        String resolved = file.resolved(1, 3, new ExperimentSpec.RecordedSpec("0", "mxnet", "plain", "train"));
        assertThat(resolved)
                .contains("width: 5", "rate: 3e-3", "weight_decay: 0.5", "rounds: 20", "beta2: 0.999", "epsilon: 1e-8")
                .contains("resample: each-turn", "shuffled: true", "threads: 1", "seed: 3");
        ExperimentFile again = read(resolved);
        assertThat(again.differences(file)).containsExactly("threads"); // it was open, and is written down
        assertThat(digest(again.definition(ExperimentFile.TRAIN).setup(), 3))
                .isEqualTo(digest(file.definition(ExperimentFile.TRAIN).setup(), 3));
        assertThat(read(again.text()).text()).isEqualTo(again.text());
    }

    @Test
    void aSettingWithoutHelpIsReadAsAnyOther() {
        String bare = FILE.replace("PointGan, width: 6", "BarePointGan");
        assertThat(read(bare).text()).contains("width: 6");
        assertThat(read(bare, "width=5").text()).contains("width: 5");
        assertThatThrownBy(() -> read(bare, "width=0"))
                .hasMessageContaining("network/width: must be a whole number of at least 1, was 0");
        assertThatThrownBy(() -> read(FILE.replace("PointGan, width: 6", "NeedyPointGan")))
                .hasMessageContaining("network: needs a key width");
    }

    @Test
    void everySettingOfTheClassesThatComeWithHocketSaysWhatItIs() throws Exception {
        int settings = 0;
        for (URL list : Collections.list(getClass().getClassLoader().getResources("META-INF/hocket/classes"))) {
            List<String> names;
            try (InputStream in = list.openStream()) {
                names = new String(in.readAllBytes(), StandardCharsets.UTF_8)
                        .lines()
                        .toList();
            }
            for (String name : names) {
                Class<?> type = Class.forName(name);
                RecordComponent[] components = type.isRecord() ? type.getRecordComponents() : new RecordComponent[0];
                for (RecordComponent component : components) {
                    Setting setting = component.getAnnotation(Setting.class);
                    if (setting != null) {
                        assertThat(setting.help())
                                .as("%s of %s", component, name)
                                .isNotBlank();
                        settings++;
                    }
                }
            }
        }
        assertThat(settings).isGreaterThan(100);
    }

    @Test
    void aSettingIsMeantByTheFewestKeysThatNameIt() {
        assertThat(read(FILE, "width=5").text()).contains("width: 5");
        assertThat(read(FILE, "g.rate=1").text()).contains("rate: 1\n");
        assertThat(read(FILE, "d.beta2=0.5", "seed=9").text()).contains("seed: 9");
        assertThat(read(FILE, "turns.d.updates.discriminator/**.adam.epsilon=1").text())
                .contains("epsilon: 1\n");
        String phases = FILE.replace("plan: {sequence: [{repeat: 2, of: d}, g, ema]}\nbudget: {rounds: 100}\n", "")
                + "runners: {train: {phases: [{name: a, plan: d, budget: {rounds: 5}},"
                + " {name: b, plan: g, budget: {rounds: 6}}]}}\non: [{every: {rounds: 2}, do: [save]}]\n";
        assertThatThrownBy(() -> read(phases, "rounds=3"))
                .hasMessageContaining("rounds has no place here: each phase of runners.train has a budget of its own");
        assertThat(read(phases, "phases.1.budget.rounds=3").text())
                .contains("budget: {rounds: 3}", "every: {rounds: 2}");
        assertThat(read(FILE, "epochs=12").text()).contains("budget: {epochs: {points: 12}}");
        assertThat(read(FILE, "plan={sequence: [g, d]}").text()).contains("plan: {sequence: [g, d]}");
        assertThatThrownBy(() -> read(FILE, "rate=1")).hasMessage("--set rate=1: rate may mean d.rate or g.rate");
        assertThatThrownBy(() -> read(FILE, "wdth=5"))
                .hasMessage("--set wdth=5: there is no setting wdth; did you mean width?");
        assertThatThrownBy(() -> read(FILE, "width=5.5"))
                .hasMessage("--set width=5.5: network/width: must be a whole number of at least 1, was 5.5");
    }

    @ParameterizedTest
    @CsvSource({"1e2, 100", "2.5e3, 2500", "30e-1, 3", "+1E1, 10", "7, 7"})
    void aWholeNumberMayBeWrittenWithAnExponent(String written, long meant) {
        ExperimentFile changed = read(FILE, "rounds=" + written, "width=" + written);
        ExperimentFile file =
                read(FILE.replace("rounds: 100", "rounds: " + written).replace("width: 6", "width: " + written));
        assertThat(file.text())
                .as("as it is recorded")
                .isEqualTo(changed.text())
                .contains("rounds: " + meant + "}", "width: " + meant + "}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"1e-3", "1.5", "1.25e1", "1e30", "1e999999999", "1_000", "1e"})
    void whatIsNoWholeNumberIsRefused(String written) {
        assertThatThrownBy(() -> read(FILE, "width=" + written))
                .hasMessage("--set width=" + written + ": network/width: must be a whole number of at least 1, was "
                        + written);
    }

    @Test
    void aMistypedSettingIsToldTheSettingThatIsNear() {
        assertThatThrownBy(() -> read(FILE, "d.rat=1"))
                .hasMessage("--set d.rat=1: there is no setting d.rat; did you mean d.rate?");
        assertThatThrownBy(() -> read(FILE, "rat=1"))
                .hasMessage("--set rat=1: there is no setting rat; did you mean rate?");
        assertThatThrownBy(() -> read(FILE, "lr=1"))
                .hasMessage("--set lr=1: there is no setting lr; did you mean d.rate or g.rate?");
    }

    @Test
    void aChangeThatIsRefusedIsNotBlamedOnALineOfTheFile() {
        assertRefused(
                "--set feeds.points={class: Nope}: feeds/points/class: there is no class Nope",
                "feeds.points={class: Nope}");
        assertRefusedIn(
                FILE.replace("{adam: {rate: 1e-2, beta1: 0.5}}", "{sgd: {rate: 1, momentum: 0.9, dampening: 0.1}}"),
                "--set d.momentum=0: turns/d/updates/discriminator/**/sgd/dampening: needs a momentum",
                "d.momentum=0");
        assertRefused("--set batch=41: feeds/points: source points: a batch must be", "seed=4", "batch=41");
        assertRefused(
                "--set rows=30 --set batch=31: feeds/points: source points: a batch must be",
                "rows=30",
                "seed=4",
                "batch=31");
        assertRefused("--set d.program=draw: turns/d: turn d: program draw is compiled for EVAL", "d.program=draw");
        assertThatThrownBy(() -> read(FILE.replace("rows: 40", "rows: 4"), "seed=4")
                        .definition(ExperimentFile.TRAIN)
                        .setup())
                .as("what the file itself says")
                .hasMessageContaining("experiment.yaml:4:");
    }

    private void assertRefused(String message, String... changes) {
        assertRefusedIn(FILE, message, changes);
    }

    private void assertRefusedIn(String file, String message, String... changes) {
        assertThatThrownBy(() ->
                        read(file, changes).definition(ExperimentFile.TRAIN).setup())
                .isInstanceOf(UserError.class)
                .hasMessageContaining(message)
                .hasMessageNotContaining("experiment.yaml:");
    }

    /** An algorithm that needs long to fail, as one in an environment of Python that does not answer. */
    public record Slow(@Setting(usually = "20", least = 0) long rounds) implements Definition {
        private static int built;

        @Override
        public Setup setup() {
            built++;
            try {
                Thread.sleep(2100);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            throw new IllegalArgumentException("nothing answered");
        }
    }

    @Test
    void whatFailsSlowlyIsNotBuiltAgainToFindTheChangeThatCausedIt() {
        String text = "name: slow\nseed: 1\nalgorithm: {class: " + Slow.class.getName() + "}\n";
        assertThatThrownBy(() -> read(text, "rounds=3", "seed=2")
                        .definition(ExperimentFile.TRAIN)
                        .setup())
                .hasMessageContaining("nothing answered");
        assertThat(Slow.built).isEqualTo(1);
    }

    @Test
    void aRecordIsReplacedByAFlowMapping() {
        assertThat(read(FILE, "print={line: 3}").text()).contains("print: {redraw: 0.2, line: 3}");
        String reading = FILE + "programs: {draw: {reading: {generator: ema/generator}}}\n";
        assertThat(read(reading, "draw=each-round").text())
                .as("a record of that name")
                .contains("resample: each-round");
        assertThat(read(reading, "draw={reading: {}}").text()).contains("draw: {reading: {}}");
        assertThatThrownBy(() -> read(FILE, "print={lin: 3}"))
                .hasMessage("--set print={lin: 3}: print: there is no key lin; did you mean line?");
    }

    @Test
    void settingsAreShownByTheKeysThatAUserSets() {
        ExperimentFile file = read(
                FILE.replace("rate: 2e-3", "rate: {cosine: {from: 2e-3, length: 50}}"),
                "repeat={first: 25, rounds: 100, then: 5}");
        assertThat(file.settings())
                .containsEntry("g.rate", "{cosine: {from: 2e-3, length: 50}}")
                .containsEntry("d.rate", "1e-2")
                .containsEntry("repeat", "{first: 25, rounds: 100, then: 5}")
                .doesNotContainKeys("length", "g.from", "first", "then");
        ExperimentFile agent = ExperimentFile.read("cartpole-ppo", List.of("hidden=[32, 16]"), surroundings(Map.of()));
        assertThat(agent.settings())
                .containsEntry("hidden", "[32, 16]")
                .containsEntry("count", "8")
                .containsEntry("memory", "none");
        ExperimentFile remembering = ExperimentFile.read("cartpole-memory", List.of(), surroundings(Map.of()));
        assertThat(remembering.settings()).containsEntry("memory", "lstm").containsEntry("units", "64");
    }

    @Test
    void everySettingOfSgdAndRmspropCanBeGivenInAFile() {
        ExperimentFile file = read(
                FILE.replace("{adam: {rate: 1e-2, beta1: 0.5}}", "{sgd: {rate: 1, momentum: 0.9, dampening: 0.1}}")
                        .replace("{adam: {rate: 2e-3}}", "{rmsprop: {rate: 1, centered: true}}"),
                "dampening=0.25");
        assertThat(rule(file, 0)).isEqualTo(sgd(1).momentum(0.9).dampening(0.25));
        assertThat(rule(file, 1)).isEqualTo(rmsProp(1).centered(true));
    }

    @Test
    void jarsOfAPersonAreAddedToThoseOfTheFile() throws IOException {
        Path mine = Files.createDirectories(here.resolve("mine"));
        Path more = Files.createDirectories(here.resolve("more"));
        Files.writeString(here.resolve("experiment.yaml"), FILE + "classpath: [mine]\n");
        ExperimentFile file = ExperimentFile.read(
                "experiment.yaml",
                List.of(),
                new ExperimentFile.Surroundings(here, List.of(more, more.resolve("../more")), Map.of()));
        assertThat(file.resolved(1, 3, new ExperimentSpec.RecordedSpec("0", "mxnet", "plain", "train")))
                .contains("classpath: [\"" + more + "\", \"" + mine + "\"]");
        Path moved = Files.createDirectories(here.resolve("elsewhere/mine"));
        Files.delete(mine);
        assertThat(ExperimentFile.read(
                                "experiment.yaml",
                                List.of(),
                                new ExperimentFile.Surroundings(here, List.of(moved), Map.of()))
                        .text())
                .as("one that a person names in the place of one that is gone")
                .contains("points");
    }

    @Test
    void aNameIsMadeOfAnyFilesName() {
        assertThat(ExperimentFile.baseName("/a b/my gan (2).yaml")).isEqualTo("my-gan-2");
        assertThat(ExperimentFile.baseName("builtin:digits-gan")).isEqualTo("digits-gan");
        assertThat(ExperimentFile.baseName("/tmp/_äö.yml")).isEqualTo("experiment");
    }

    @Test
    void aFileMayChangeAnother() throws IOException {
        Files.writeString(here.resolve("base.yaml"), FILE);
        String text = read("""
                include: base.yaml
                name: changed
                network: {width: 4}
                turns:
                  g: {updates: {"generator/**": {sgd: {rate: 1}}}}
                  ema:
                plan: {sequence: [d, g]}
                """).text();
        assertThat(text)
                .contains(
                        "name: changed",
                        "width: 4",
                        "sgd:\n          rate: 1\n",
                        "plan: {sequence: [d, g]}",
                        "rows: 40")
                .doesNotContain("ema", "include", "2e-3");
    }

    @Test
    void aFileMayChangeOneSettingOfAPartOfAnother() throws IOException {
        Files.writeString(here.resolve("base.yaml"), GAN);
        assertThat(read("include: base.yaml\nnetwork: {generator: {sngan: {width: 32}}}\n")
                        .text())
                .contains("width: 32", "blocks: 3", "latent: 24", "width: 64");
        assertThat(read("include: base.yaml\nnetwork: {generator: {mlp: {width: 8}}}\n")
                        .text())
                .as("of another class nothing is kept")
                .contains("mlp", "width: 8", "latent: 24")
                .doesNotContain("blocks: 3");
        assertThat(read("include: base.yaml\nnetwork: {generator: {sngan: {blocks: }}}\n")
                        .text())
                .as("an empty value takes the usual one")
                .contains("width: 16", "blocks: 2");
    }

    private static final String GAN = """
            name: parts
            feeds: {digits: {class: hocket.gan.data.Optdigits, batch: 8}}
            network:
              class: hocket.gan.networks.Gan
              latent: 24
              generator: {sngan: {width: 16, blocks: 3}}
              discriminator: {sngan: {width: 64}}
            turns:
              d: {program: discriminator, updates: {"discriminator/**": {adam: {rate: 1e-3}}}}
            plan: d
            budget: {rounds: 1}
            """;

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void whatComesThroughAPipeIsRelativeToTheWorkingFolder() throws Exception {
        Files.writeString(here.resolve("base.yaml"), FILE);
        Path pipe = Files.createDirectory(here.resolve("elsewhere")).resolve("pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();
        assertThatThrownBy(() -> new SeedSweep(
                        new CommandContext(Ran.terminal(new StringWriter(), new StringWriter(), false), here),
                        new SeedSweep.Configuration(pipe.toString(), List.of(), List.of(), List.of()),
                        2,
                        0,
                        SeedSweep.Options.NONE,
                        false,
                        true))
                .isInstanceOf(UserError.class)
                .hasMessage("--seeds reads the experiment once for each seed, and " + pipe
                        + " is a pipe, which can be read only once: write the experiment into a file");
        Thread writing = new Thread(() -> write(pipe, "include: base.yaml\nstartup: {from: \"{workspace}/a\"}\n"));
        writing.setDaemon(true);
        writing.start();
        ExperimentFile file = ExperimentFile.read(pipe.toString(), List.of(), surroundings(Map.of()));
        assertThat(file.text()).contains("rows: 40", "from: \"" + here.resolve("a") + "\"");
    }

    private static void write(Path file, String text) {
        try {
            Files.writeString(file, text, StandardOpenOption.WRITE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void variablesAndTheFilesFolderAreFilledIn() {
        String text = FILE.replace("rows: 40", "rows: \"${ROWS}\"").replace("seed: 3", "seed: \"${SEED:-11}\"");
        ExperimentFile file = read(text + "startup: {from: \"{workspace}/runs/a\"}\n", Map.of("ROWS", "32"));
        assertThat(file.text()).contains("rows: 32", "seed: 11", "from: \"" + here.resolve("runs/a") + "\"");
        assertThatThrownBy(() -> read(text)).hasMessageContaining("there is no environment variable ROWS");
    }

    @Test
    void everyWayToPlanTriggerAndMoveCanBeWritten() {
        String text = FILE.replace(
                        "plan: {sequence: [{repeat: 2, of: d}, g, ema]}",
                        "plan: {sequence: [{choose: {class: " + TOYS + "Ratio, turns: 3}, of: [d, g]}, idle,"
                                + " {simultaneous: [d, g]}]}")
                .replace("  ema:", "  idle: {act: {class: " + TOYS + "Idle}}\n  ema:")
                .replace(
                        "{adam: {rate: 2e-3}}",
                        "[{clip_by_global_norm: {norm: 1}}, {rmsprop: {rate: {linear: {from: 1e-2, to: 0, length: 50}}}}]");
        Setup setup = read(text
                        + "on: [{every: {epoch: points}, do: [save]}, {every: {seconds: 60}, do: [samples]},"
                        + " {every: {epochs: {points: 2}}, do: [{class: " + TOYS + "Noting}]}]\n")
                .definition(ExperimentFile.TRAIN)
                .setup();
        assertThat(setup.phases().get(0).plan())
                .hasToString("sequence(choose(Ratio[turns=3]; d, g), idle, simultaneous(d, g))");
        assertThat(setup.watches()).hasSize(3);
        assertThat(setup.descending().get(1).updates().get(0).rule().toString()).contains("RmsProp", "norm=1.0");
    }

    /** A link of a user's own. */
    public record Shrinking(
            @Setting(help = "learning rate") Rate rate,

            @Setting(usually = "2", least = 1, help = "what the step is divided by")
            double by)
            implements GradientTransformation {
        @Override
        public void update(Chunk chunk) {
            for (int i = 0; i < chunk.length(); i++) {
                chunk.update()[i] *= chunk.rate() / by;
            }
        }
    }

    @Test
    @Tag("engine")
    void anOptimizerIsALinkOrAListOfLinksAndOnesOwnIsNamedByClass() {
        String own = FILE.replace(
                "{adam: {rate: 2e-3}}",
                "[{clip_by_global_norm: {norm: 1}}, {class: " + ExperimentFileTest.class.getName()
                        + "$Shrinking, rate: {warm_up: {length: 5, then: {cosine: {from: 1e-2, length: 50}}}}},"
                        + " {decay: 1e-2, over: \"**/weight\"}]");
        ExperimentFile file = read(own, "norm=2", "g.by=4", "g.cosine.from=2e-2", "g.decay=1e-3", "d.beta1=0.25");
        List<GradientTransformation> gradientTransformations = rule(file, 1).links();
        assertThat(gradientTransformations.get(0)).isEqualTo(new ClipByGlobalNorm(2, 1e-6));
        assertThat(gradientTransformations.get(1))
                .isEqualTo(new Shrinking(
                        new WarmUpRate(
                                5, new CosineRate(2e-2, 0, 50, 0, 1, false, RateUnit.UPDATE), 0, RateUnit.UPDATE),
                        4));
        assertThat(gradientTransformations.get(2)).isEqualTo(new Decay(1e-3, "**/weight"));
        assertThat(rule(file, 0)).isEqualTo(adam(1e-2).beta1(0.25));
    }

    @Test
    void whatDoesNotFitIsRefusedAtTheTurnOrTheUpdate() {
        assertMisfit(
                FILE.replace("beta1: 0.5}}", "beta1: 0.5}}, \"**/bias\": {sgd: {rate: 1}}"),
                "experiment.yaml:6:95: turns/d/updates/**/bias:"
                        + " turn d selects discriminator/hidden/bias in two of its updates");
        assertMisfit(
                FILE.replace("updates: {\"generator/**\"", "shares: {\"**\""),
                "experiment.yaml:7:36: turns/g/shares/**: turn g selects ");
        assertMisfit(
                FILE.replace("{from: \"generator/**\"", "{from: \"generatr/**\""),
                "experiment.yaml:8:24: turns/ema/follow/from: selection generatr/** matches no"
                        + " parameter; did you mean generator/**?");
        assertMisfit(
                FILE.replace(
                        "points: {class: " + TOYS + "Points, rows: 40, batch: 8}",
                        "more: {class: " + TOYS + "Points, rows: 40, batch: 8}, points: {class: " + TOYS
                                + "Points, rows: 40, batch: 8}"),
                "experiment.yaml:6:3: turns/d: turn d reads input point, which 2 sources feed: more and points");
    }

    private void assertMisfit(String text, String line) {
        assertThatThrownBy(() -> read(text).definition(ExperimentFile.TRAIN).setup())
                .isInstanceOf(UserError.class)
                .hasMessageContaining(line);
    }

    private static UpdateRule rule(ExperimentFile file, int turn) {
        return file.definition(ExperimentFile.TRAIN)
                .setup()
                .descending()
                .get(turn)
                .updates()
                .get(0)
                .rule();
    }

    @Test
    @Tag("engine")
    void aSourceOfOnesOwnMayFeedInputsInItsOrder() {
        String text = FILE.replace(
                "points: {class: " + TOYS + "Points, rows: 40, batch: 8}",
                "points: {class: " + TOYS + "Counting, batch: 6, feed_order: [point]}");
        Setup setup = read(text, "rounds=5").definition(ExperimentFile.TRAIN).setup();
        Source source = setup.feeds().get(0).source().open();
        assertThat(source.batch()).isEqualTo(6);
        assertThat(source.name()).isEqualTo("points");
        assertThat(digest(setup, 3)).isNotEmpty();
        assertThat(source.epoch()).isGreaterThan(0);
        assertThatThrownBy(() -> read(text.replace("[point]", "[a, b]"))
                        .definition(ExperimentFile.TRAIN)
                        .setup())
                .hasMessageContaining("feeds/points/feed_order: names 2 inputs, and source points has 1 columns");
    }
}
