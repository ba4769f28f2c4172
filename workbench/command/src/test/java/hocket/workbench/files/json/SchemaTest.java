package hocket.workbench.files.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertAll;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.harrel.jsonschema.Validator;
import dev.harrel.jsonschema.ValidatorFactory;
import dev.harrel.jsonschema.providers.JacksonNode;
import hocket.workbench.files.experiment.ExperimentFile;
import hocket.workbench.files.yaml.FileProblems;
import hocket.workbench.files.yaml.YamlNode;
import hocket.workbench.files.yaml.YamlReader;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** The schema for editors agrees with the reader, as far as a schema can see. */
class SchemaTest {
    /** What no schema sees: what one part of a file says of another, what a class or the disk says, what is not a tree. */
    private static final Set<String> UNSEEN = Set.of(
            "setting-that-is-not-there.yaml",
            "trigger-that-never-fires.yaml",
            "trigger-beyond-the-budget.yaml",
            "setting-out-of-its-range.yaml",
            "setting-scaled-out-of-its-range.yaml",
            "rate-that-is-set-negative.yaml",
            "mistyped-feed-in-the-budget.yaml",
            "another-feed-in-an-inherited-budget.yaml",
            "mistyped-turn-in-the-plan.yaml",
            "mistyped-program.yaml",
            "optimizer-of-an-unknown-turn.yaml",
            "optimizer-of-another-besides-its-own.yaml",
            "optimizer-of-itself.yaml",
            "mistyped-selection.yaml",
            "batch-larger-than-the-data.yaml",
            "missing-plan.yaml",
            "unknown-class.yaml",
            "mistyped-class.yaml",
            "class-of-another-kind.yaml",
            "two-turns-write-one-path.yaml",
            "follow-from-nothing.yaml",
            "follow-of-another-shape.yaml",
            "follow-onto-a-trained-path.yaml",
            "follow-onto-another-network.yaml",
            "follow-the-wrong-way-round.yaml",
            "follow-within-what-is-trained.yaml",
            "no-phases.yaml",
            "overlapping-selections-of-a-turn.yaml",
            "samples-of-a-training-program.yaml",
            "schedule-for-a-network.yaml",
            "categories-of-rows-that-are-no-table.yaml",
            "tabular-generator-without-a-condition.yaml",
            "table-without-its-file.yaml",
            "startup-from-nowhere.yaml",
            "two-phases-of-one-name.yaml",
            "two-turns-follow-one-path.yaml",
            "plan-without-parts.yaml",
            "plan-of-a-turn-taken-together-twice.yaml",
            "plan-of-an-unknown-turn-in-a-trial.yaml",
            "plan-of-unknown-dynamics.yaml",
            "plan-that-counts-epochs-of-no-feed.yaml",
            "plan-that-takes-a-sequence-together.yaml",
            "plan-that-takes-one-turn-together.yaml",
            "plan-that-waits-for-an-unknown-series.yaml",
            "plan-that-waits-for-nothing.yaml",
            "plan-whose-turn-is-never-reached.yaml",
            "plan-with-a-weight-of-no-turn.yaml",
            "unknown-environment-variable.yaml",
            "include-in-a-circle-1.yaml",
            "include-in-a-circle-2.yaml",
            "includes-itself.yaml",
            "includes-what-is-not-there.yaml",
            "samples-without-a-program.yaml",
            "best-without-an-evaluation.yaml",
            "jar-that-is-not-there.yaml",
            "algorithm-with-phases.yaml",
            "mistyped-key-of-an-algorithm.yaml", // of a class that is not listed
            "algorithm-that-is-none.yaml");

    private static final URI SCHEMA = URI.create("urn:hocket");

    private static Validator validator() throws IOException {
        ExperimentFile.Surroundings here = new ExperimentFile.Surroundings(Path.of(""), List.of(), Map.of());
        JsonNode schema = new ObjectMapper().valueToTree(ExperimentFile.schema(here));
        Validator validator = new ValidatorFactory()
                .withJsonNodeFactory(new JacksonNode.Factory())
                .createValidator();
        validator.registerSchema(SCHEMA, schema.toString());
        return validator;
    }

    private static byte[] resource(String name) throws IOException {
        try (InputStream in = SchemaTest.class.getResourceAsStream(name)) {
            assertThat(in).as(name).isNotNull();
            return in.readAllBytes();
        }
    }

    private static List<String> names(String resource) throws IOException {
        return new String(resource(resource), StandardCharsets.UTF_8)
                .lines()
                .filter(line -> !line.startsWith("#") && !line.isBlank())
                .map(line -> line.split("\t")[0])
                .toList();
    }

    /** As YAML 1.2 reads it, which is what editors do. */
    private static @Nullable Object plain(YamlNode yamlNode) {
        if (yamlNode instanceof YamlNode.Items list) {
            List<@Nullable Object> items = new ArrayList<>();
            list.items().forEach(item -> items.add(plain(item)));
            return items;
        } else if (yamlNode instanceof YamlNode.Keys keys) {
            Map<String, @Nullable Object> values = new LinkedHashMap<>();
            keys.entries().forEach((key, entry) -> values.put(key, plain(entry.value())));
            return values;
        }
        YamlNode.Scalar scalar = (YamlNode.Scalar) yamlNode;
        String text = scalar.text();
        if (scalar.quoted()) {
            return text;
        } else if (scalar.isNothing()) {
            return null;
        } else if (text.equals("true") || text.equals("false")) {
            return Boolean.valueOf(text);
        }
        return text.matches("[-+]?(\\d+(\\.\\d*)?|\\.\\d+)([eE][-+]?\\d+)?") ? new BigDecimal(text) : text;
    }

    private static Validator.Result validated(Validator validator, byte[] file) {
        FileProblems fileProblems = new FileProblems();
        YamlNode tree =
                YamlReader.read("file", file, fileProblems).orElseThrow(() -> new AssertionError(fileProblems.lines()));
        return validator.validate(
                SCHEMA, new ObjectMapper().valueToTree(plain(tree)).toString());
    }

    @Test
    void theSchemaInDocsIsTheOneOfThisCode() {
        Path shipped = Path.of("../../docs/hocket.schema.json");
        ExperimentFile.Surroundings here = new ExperimentFile.Surroundings(Path.of(""), List.of(), Map.of());
        assertThat(shipped)
                .as("made by: ./hocket schema > docs/hocket.schema.json")
                .hasContent(SchemaFile.text(ExperimentFile.schema(here)).stripTrailing());
    }

    @Test
    void everyBuiltInExperimentFits() throws IOException {
        Validator validator = validator();
        List<String> names = names("/META-INF/hocket/experiments");
        assertThat(names).isNotEmpty();
        List<Executable> checks = new ArrayList<>();
        for (String name : List.of(
                "digits-gan",
                "digits-gan-plain",
                "fashion-gan",
                "fashion-sngan",
                "fashion-r3gan",
                "fashion-wgan-gp",
                "digits-infogan",
                "digits-cyclegan",
                "digits-vaegan",
                "penguins",
                "digits-conditional",
                "gaussian-ring",
                "digits-autoencoder-classifier",
                "half-and-half")) {
            Validator.Result result = validated(validator, resource("/hocket/experiments/" + name + ".yaml"));
            checks.add(() -> assertThat(result.isValid())
                    .as(name + ": "
                            + result.getErrors().stream()
                                    .map(error -> error.getInstanceLocation() + " " + error.getError())
                                    .toList())
                    .isTrue());
        }
        assertAll(checks);
    }

    @Test
    void aFileThatChangesAnotherFitsWithoutWhatTheOtherSays() throws IOException {
        Validator validator = validator();
        String change = """
                include: digits-gan
                network: {width: 8}
                turns: {g: {updates: {"generator/**": {sgd: {rate: 1}}}}, ema: }
                evaluation:
                """;
        assertThat(validated(validator, change.getBytes(StandardCharsets.UTF_8)).isValid())
                .isTrue();
        String wrong = change.replace("width: 8", "width: wide");
        assertThat(validated(
                                validator,
                                wrong.replace("network: {", "network: {class: Dcgan, ")
                                        .getBytes(StandardCharsets.UTF_8))
                        .isValid())
                .isFalse();
    }

    @Test
    void whatTheReaderRefusesDoesNotFitAsFarAsASchemaSees() throws IOException {
        Validator validator = validator();
        List<Executable> checks = new ArrayList<>();
        for (String name : names("/hocket/wrong/EXPECTED.tsv")) {
            FileProblems fileProblems = new FileProblems();
            boolean isTree = YamlReader.read(name, resource("/hocket/wrong/" + name), fileProblems)
                            .isPresent()
                    && fileProblems.isEmpty();
            if (!isTree) {
                continue; // no YAML, so nothing that a schema sees
            }
            boolean valid =
                    validated(validator, resource("/hocket/wrong/" + name)).isValid();
            checks.add(() -> assertThat(valid).as(name).isEqualTo(UNSEEN.contains(name)));
        }
        assertThat(checks).hasSizeGreaterThan(40);
        assertAll(checks);
    }

    /** A table of docs/schedules.md lists them. */
    @Test
    void theRulesLinksAndRatesThatThePageNamesAreKeys() throws IOException {
        String page = Files.readString(
                Path.of(System.getProperty("hocket.root", "..")).resolve("docs/schedules.md"));
        String paragraph = page.substring(page.indexOf("\n| optimizers | "), page.indexOf("`hocket list rate`"));
        ExperimentFile.Surroundings here = new ExperimentFile.Surroundings(Path.of(""), List.of(), Map.of());
        String schema = new ObjectMapper().writeValueAsString(ExperimentFile.schema(here));
        List<String> named = Pattern.compile("`(\\w+)`")
                .matcher(paragraph)
                .results()
                .map(name -> name.group(1))
                .toList();
        assertThat(named).hasSizeGreaterThan(30).allMatch(name -> schema.contains("\"" + name + "\":{"));
    }
}
