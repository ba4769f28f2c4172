package hocket.gan;

import static org.assertj.core.api.Assertions.assertThat;

import hocket.gan.augmentations.Augmentation;
import hocket.gan.losses.GanLoss;
import hocket.gan.parts.ConditionDefinition;
import hocket.gan.parts.Discriminator;
import hocket.gan.parts.Generator;
import hocket.gan.scores.Evaluator;
import hocket.gan.terms.Term;
import hocket.schedulers.settings.EvaluationDefinition;
import hocket.schedulers.settings.NetworkDefinition;
import hocket.schedulers.settings.Setting;
import hocket.schedulers.settings.SettingGroup;
import hocket.schedulers.settings.SourceDefinition;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The experiment files of this jar, and the classes that they name. */
class ExperimentFilesTest {
    private static final List<Class<?>> KINDS = List.of(
            NetworkDefinition.class,
            SourceDefinition.class,
            EvaluationDefinition.class,
            Generator.class,
            Discriminator.class,
            ConditionDefinition.class,
            GanLoss.class,
            Term.class,
            Augmentation.class,
            Evaluator.class,
            Consumer.class);

    private static String resource(String path) throws IOException {
        try (InputStream in = ExperimentFilesTest.class.getResourceAsStream(path)) {
            assertThat(in).as(path).isNotNull();
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    static List<String> names() throws IOException {
        return resource("/META-INF/hocket/experiments").lines().toList();
    }

    static List<String> classes() throws IOException {
        return resource("/META-INF/hocket/classes").lines().toList();
    }

    @ParameterizedTest
    @MethodSource("names")
    void everyListedExperimentIsAFileOfThatNameWithADescription(String name) throws IOException {
        String file = resource("/hocket/experiments/" + name + ".yaml");
        assertThat(file).startsWith("# ").contains("\nname: " + name + "\n").contains("\nsummary: ");
    }

    @ParameterizedTest
    @MethodSource("names")
    void everyClassThatAFileNamesIsListed(String name) throws IOException {
        List<String> named = Pattern.compile("class: ([\\w.]+)")
                .matcher(resource("/hocket/experiments/" + name + ".yaml"))
                .results()
                .map(match -> match.group(1))
                .toList();
        assertThat(named).isNotEmpty();
        assertThat(classes()).containsAll(named);
    }

    @ParameterizedTest
    @MethodSource("classes")
    void everyListedClassIsARecordWhoseSettingsAreDescribed(String name) throws ClassNotFoundException {
        Class<?> type = Class.forName(name);
        assertThat(KINDS.stream().filter(kind -> kind.isAssignableFrom(type))).hasSize(1);
        assertDescribed(type);
    }

    /** Components are settings, or groups of them. */
    private static void assertDescribed(Class<?> type) {
        assertThat(type.isRecord()).as(type.getName()).isTrue();
        for (RecordComponent component : type.getRecordComponents()) {
            if (component.isAnnotationPresent(SettingGroup.class)) {
                assertDescribed(component.getType());
            } else {
                assertThat(component.getAnnotation(Setting.class))
                        .as(component.getName())
                        .isNotNull();
            }
        }
    }
}
