package hocket.rl.algorithms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hocket.rl.actors.CartPoleBalancer;
import hocket.rl.envs.Environment;
import hocket.rl.envs.EpisodicEnvironment;
import hocket.rl.envs.ForwardingEnvironment;
import hocket.rl.envs.classic.CartPole;
import hocket.rl.envs.wrappers.TimeLimit;
import hocket.rl.losses.ReturnDistribution;
import hocket.rl.networks.Encoder;
import hocket.rl.networks.LstmMemory;
import hocket.rl.networks.Memory;
import hocket.rl.sampling.Sampler;
import hocket.rl.settings.EnvironmentSettings;
import hocket.rl.text.CausalTransformer;
import hocket.schedulers.settings.Keys;
import hocket.schedulers.settings.Setting;
import hocket.schedulers.settings.SettingGroup;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class UsualTest {
    static Stream<Record> usual() {
        String balancer = CartPoleBalancer.class.getName();
        return Stream.of(
                Ppo.usual("here"),
                A2c.usual("here"),
                Impala.usual("here"),
                Dqn.usual("here"),
                R2d2.usual("here"),
                Rainbow.usual("here"),
                QrDqn.usual("here"),
                Td3.usual("here"),
                CrossEntropy.usual("here"),
                EvolutionStrategies.usual("here"),
                Ddpg.usual("here"),
                Cql.usual("here", Path.of("steps.npz")),
                DiscreteCql.usual("here", Path.of("steps.npz")),
                Iql.usual("here", Path.of("steps.npz")),
                OfflineCloning.usual("here", Path.of("steps.npz")),
                Sac.usual("here"),
                DiscreteSac.usual("here"),
                Dreamer.usual("here"),
                Reinforce.usual("here"),
                BehaviourCloning.usual("here", balancer),
                Gail.usual(Ppo.usual("here"), balancer),
                PreferencePpo.usual(),
                CausalTransformer.usual());
    }

    @ParameterizedTest
    @MethodSource("usual")
    void theUsualSettingsInJavaAreThoseOfAFile(Record usual) throws ReflectiveOperationException {
        check(usual, Map.of());
    }

    /** @param others usual values of an algorithm in place of those of its group */
    private static void check(Record usual, Map<String, String> others) throws ReflectiveOperationException {
        for (RecordComponent component : usual.getClass().getRecordComponents()) {
            SettingGroup group = component.getAnnotation(SettingGroup.class);
            Object value = component.getAccessor().invoke(usual);
            if (group != null) {
                check(
                        (Record) value,
                        Stream.of(group.usually())
                                .map(each -> each.split(": "))
                                .collect(Collectors.toMap(each -> each[0], each -> each[1])));
                continue;
            }
            String text = others.getOrDefault(
                    Keys.of(component), component.getAnnotation(Setting.class).usually());
            if (!text.equals(Setting.REQUIRED)) {
                assertThat(value).as(component.getName()).isEqualTo(read(text, component.getType()));
            }
        }
    }

    private static Object read(String text, Class<?> type) {
        if (type == EnvironmentSettings.class) {
            assertThat(text).isEqualTo("{}");
            return new EnvironmentSettings(1, false, false, true);
        } else if (type == Encoder.class) {
            assertThat(text).isEqualTo("flat");
            return Encoder.flat();
        } else if (type == Memory.class) {
            return switch (text) {
                case "none" -> Memory.none();
                case "lstm" -> new LstmMemory(64);
                default -> throw new AssertionError(text);
            };
        } else if (type == Sampler.class) {
            return switch (text) {
                case "uniform" -> Sampler.uniform();
                case "prioritised" -> Sampler.prioritised();
                default -> throw new AssertionError(text);
            };
        } else if (type == ReturnDistribution.class) {
            assertThat(text).isEqualTo("categorical");
            return ReturnDistribution.categorical();
        } else if (type == CausalTransformer.class) {
            assertThat(text).isEqualTo("{}");
            return CausalTransformer.usual();
        } else if (type == String.class) {
            return text;
        } else if (text.equals("[]")) {
            return List.of();
        } else if (type == List.class) {
            return Stream.of(text.replaceAll("[\\[\\] ]", "").split(","))
                    .map(Integer::valueOf)
                    .toList();
        } else if (type == int.class) {
            return Integer.valueOf(text);
        } else if (type == long.class) {
            return Long.valueOf(text);
        } else if (type == double.class) {
            return Double.valueOf(text);
        } else if (type == boolean.class) {
            return Boolean.valueOf(text);
        }
        return Stream.of(type.getEnumConstants())
                .filter(constant -> constant.toString()
                        .toLowerCase(Locale.ROOT)
                        .replace('_', '-')
                        .equals(text))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aCopyDiffersInOneSettingOnly() {
        Ppo usual = Ppo.usual("here");
        Ppo other = usual.totalSteps(5);
        assertThat(other.totalSteps()).isEqualTo(5);
        assertThat(other).isNotEqualTo(usual);
        assertThat(other.totalSteps(usual.totalSteps())).isEqualTo(usual);
    }

    @ParameterizedTest
    @MethodSource("usual")
    void everySettingThatHasAUsualValueCanBeAnother(Record usual) {
        assertThat(usual.getClass().getMethods())
                .filteredOn(method -> method.getParameterCount() == 1 && method.getReturnType() == usual.getClass())
                .extracting(Method::getName)
                .containsAll(settings(usual.getClass())
                        .filter(component -> !component
                                .getAnnotation(Setting.class)
                                .usually()
                                .equals(Setting.REQUIRED))
                        .map(RecordComponent::getName)
                        .toList());
    }

    /** Returns a record's settings, those of its groups among them. */
    static Stream<RecordComponent> settings(Class<?> type) {
        return Stream.of(type.getRecordComponents())
                .flatMap(each ->
                        each.isAnnotationPresent(SettingGroup.class) ? settings(each.getType()) : Stream.of(each));
    }

    @ParameterizedTest
    @MethodSource("usual")
    void everyCopyHasTheNameOfAComponent(Record usual) throws ReflectiveOperationException {
        for (RecordComponent component : usual.getClass().getRecordComponents()) {
            Object value = component.getAccessor().invoke(usual);
            for (var method : usual.getClass().getMethods()) {
                if (method.getParameterCount() == 1
                        && method.getReturnType() == usual.getClass()
                        && method.getName().equals(component.getName())) {
                    assertThat(method.invoke(usual, value)).isEqualTo(usual);
                }
            }
        }
    }

    @Test
    void aClassThatIsNotThereIsNamed() {
        assertThatThrownBy(
                        () -> BehaviourCloning.usual("CartPole-v1", "my.Expert").setup())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("expert: there is no class my.Expert; --classpath adds the jar or folder that has it");
        assertThatThrownBy(() -> BehaviourCloning.usual("CartPole-v1", "java.lang.String")
                        .setup())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("expert: class java.lang.String does not implement hocket.rl.actors.Expert");
        assertThatThrownBy(() -> Ppo.usual(Hall.class.getName()).setup())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "environment: class " + Hall.class.getName() + " must be public, and static if inside another");
        assertThatThrownBy(() -> Ppo.usual(Told.class.getName()).setup())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("needs a public constructor that takes nothing");
    }

    /** An environment without a constructor that takes nothing. */
    public static final class Told extends ForwardingEnvironment {
        public Told(int length) {
            super(new TimeLimit(new CartPole(), length));
        }
    }

    /** Belongs to a test. */
    public final class Inner extends ForwardingEnvironment {
        public Inner() {
            super(new CartPole());
        }
    }

    @Test
    void aClassThatCannotBeMadeSaysWhy() {
        assertThatThrownBy(() -> Ppo.usual(Environment.class.getName()).setup())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "environment: class hocket.rl.envs.Environment is an interface: name one that implements it");
        assertThatThrownBy(() -> Ppo.usual(EpisodicEnvironment.class.getName()).setup())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "environment: class hocket.rl.envs.EpisodicEnvironment is abstract: name one that extends it");
        assertThatThrownBy(() -> Ppo.usual(Inner.class.getName()).setup())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("UsualTest$Inner must be public, and static if inside another");
    }
}
