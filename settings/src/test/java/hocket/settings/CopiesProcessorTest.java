package hocket.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Compiles small sources with the processor, beside the annotations and checks that it knows by name. */
class CopiesProcessorTest {
    private static final String SETTING = """
            package hocket.schedulers.settings;
            public @interface Setting {
                String usually() default "none"; String help() default ""; String name() default "";
                double least() default -1.0 / 0; double most() default 1.0 / 0;
            }""";
    private static final String LIMITS = """
            package hocket.schedulers.settings;
            public class Limits {
                public static void whole(String name, long value, double least, double most) { say(name, value, least, most); }
                public static void real(String name, double value, double least, double most) { say(name, value, least, most); }
                static void say(String name, Object value, double least, double most) {
                    if (((Number) value).doubleValue() < least || ((Number) value).doubleValue() > most) {
                        throw new IllegalArgumentException(name + " " + value + " " + least + " " + most);
                    }
                }
            }""";
    private static final String CHECKED =
            "package hocket.schedulers.settings; public @interface CheckedCopies { Class<?> value(); }";
    private static final String RULE = """
            package p;
            import hocket.schedulers.settings.Setting;
            import java.util.List;
            import java.util.Map;
            public record Rule(
                    @Setting(help = "learning rate") double rate,
                    @Setting(usually = "0.9", least = 0, most = 0.999) double beta,
                    @Setting(usually = "1e6", least = 1) long steps,
                    @Setting(usually = "3") int times,
                    @Setting(usually = "true") boolean nesterov,
                    @Setting(usually = "in-place") Way way,
                    @Setting(usually = "[64, 32]", least = 1) List<Integer> hidden,
                    @Setting(usually = "[]") List<String> names,
                    @Setting(usually = "{}", most = 5) Map<String, Double> weights,
                    @Setting(usually = "\\"**\\"") String over,
                    @Setting(usually = "{}") Inner inner) implements RuleCopies {
                public enum Way { IN_PLACE, APART }
                public Rule { RuleCopies.check(beta, steps, hidden, weights); }
                public Rule times(int value) { return new Rule(rate, beta, steps, 2 * value, nesterov, way, hidden, names, weights, over, inner); }
            }""";
    private static final String INNER =
            "package p; record Inner(@hocket.schedulers.settings.Setting(usually = \"4\") int size) implements InnerCopies {}";

    private static final String GROUP =
            "package hocket.schedulers.settings; public @interface SettingGroup { String[] usually() default {}; }";
    private static final String SHARED = """
            package p;
            import hocket.schedulers.settings.Setting;
            import java.util.List;
            public record Shared(
                    @Setting(help = "where") String place,
                    @Setting(usually = "0.1", least = 0, help = "learning rate") double rate,
                    @Setting(usually = "[64]") List<Integer> hiddenUnits) {}""";
    private static final String WHOLE = """
            package p;
            import hocket.schedulers.settings.Setting;
            import hocket.schedulers.settings.SettingGroup;
            public record Whole(
                    @Setting(usually = "3") int times,
                    @SettingGroup(usually = {"rate: 0.5", "hidden_units: [8, 4]"}) Shared shared) implements WholeCopies {
                public static Whole usual(String place) { return WholeCopies.usual(place); }
            }""";

    @TempDir
    Path folder;

    /** Compiles sources into the folder; returns what the compiler says is wrong. */
    private List<String> compile(String... sources) {
        List<JavaFileObject> files = new ArrayList<>();
        for (String source : sources) {
            String name = source.replaceAll("(?s).*?(?:record|@interface|class|interface) (\\w+).*", "$1");
            String file = source.endsWith(") package p;") ? "package-info" : name;
            files.add(new SimpleJavaFileObject(URI.create("string:///" + file + ".java"), JavaFileObject.Kind.SOURCE) {
                @Override
                public CharSequence getCharContent(boolean ignoresErrors) {
                    return source;
                }
            });
        }
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        DiagnosticCollector<JavaFileObject> said = new DiagnosticCollector<>();
        var task = compiler.getTask(null, null, said, List.of("-d", folder.toString(), "-Xlint:none"), null, files);
        task.setProcessors(List.of(new CopiesProcessor()));
        task.call();
        return said.getDiagnostics().stream()
                .filter(each -> each.getKind() == Diagnostic.Kind.ERROR)
                .map(each -> each.getMessage(Locale.ROOT))
                .toList();
    }

    private Class<?> load(String name) throws Exception {
        return new URLClassLoader(new URL[] {folder.toUri().toURL()}, ClassLoader.getPlatformClassLoader())
                .loadClass(name);
    }

    private Object usualRule() throws Exception {
        assertThat(compile(SETTING, LIMITS, RULE, INNER)).isEmpty();
        Method usual = load("p.RuleCopies").getMethod("usual", double.class);
        return usual.invoke(null, 0.5);
    }

    private static Object copy(Object rule, String name, Class<?> type, Object value) throws Exception {
        try {
            return rule.getClass().getMethod(name, type).invoke(rule, value);
        } catch (InvocationTargetException e) {
            throw (Exception) e.getCause();
        }
    }

    @Test
    void usualValuesAreThoseOfTheAnnotations() throws Exception {
        assertThat(usualRule())
                .hasToString(
                        "Rule[rate=0.5, beta=0.9, steps=1000000, times=3, nesterov=true, way=IN_PLACE, hidden=[64, 32],"
                                + " names=[], weights={}, over=**, inner=Inner[size=4]]");
    }

    @Test
    void aCopyDiffersInOneComponent() throws Exception {
        Object rule = usualRule();
        Object other = copy(rule, "beta", double.class, 0.25);
        assertThat(other.toString()).isEqualTo(rule.toString().replace("beta=0.9", "beta=0.25"));
        assertThat(copy(other, "beta", double.class, 0.9)).isEqualTo(rule);
        assertThat(copy(rule, "names", List.class, List.of("a")).toString())
                .isEqualTo(rule.toString().replace("names=[]", "names=[a]"));
    }

    @Test
    void aCopyMethodOfTheRecordItselfStays() throws Exception {
        assertThat(copy(usualRule(), "times", int.class, 5).toString()).contains("times=10");
    }

    @Test
    void anInheritedMethodOfTheSameNameStays() throws Exception {
        String plan =
                "package p; public interface Plan { default String times(int value) { return value + \" times\"; } }";
        assertThat(compile(plan, "package p; public record Trial(int times, int keep) implements Plan, TrialCopies {}"))
                .isEmpty();
        Object trial = load("p.Trial").getConstructor(int.class, int.class).newInstance(1, 2);
        assertThat(copy(trial, "times", int.class, 3)).isEqualTo("3 times");
        assertThat(copy(trial, "keep", int.class, 3)).hasToString("Trial[times=1, keep=3]");
    }

    @Test
    void numbersAreHeldToTheRangesOfTheAnnotations() throws Exception {
        Object rule = usualRule();
        assertThatThrownBy(() -> copy(rule, "beta", double.class, 1.5)).hasMessage("beta 1.5 0.0 0.999");
        assertThatThrownBy(() -> copy(rule, "steps", long.class, 0L)).hasMessage("steps 0 1.0 Infinity");
        assertThatThrownBy(() -> copy(rule, "hidden", List.class, List.of(1, 0)))
                .hasMessage("hidden 0 1.0 Infinity");
        assertThatThrownBy(() -> copy(rule, "weights", java.util.Map.class, java.util.Map.of("a", 6.0)))
                .hasMessage("weights 6.0 -Infinity 5.0");
    }

    @Test
    void copiesArePublicWhereTheRecordIs() throws Exception {
        usualRule();
        assertThat(load("p.RuleCopies").getModifiers() & java.lang.reflect.Modifier.PUBLIC)
                .isNotZero();
        assertThat(load("p.InnerCopies").getModifiers() & java.lang.reflect.Modifier.PUBLIC)
                .isZero();
    }

    @Test
    void aRecordWithoutSettingsAndOneInsideAnotherTypeHaveCopies() throws Exception {
        String window =
                "package p; public interface Windows { record Window(int side, int stride) implements WindowCopies {} }";
        assertThat(compile(window)).isEmpty();
        Object made =
                load("p.Windows$Window").getConstructor(int.class, int.class).newInstance(3, 1);
        assertThat(copy(made, "stride", int.class, 2)).hasToString("Window[side=3, stride=2]");
        assertThat(load("p.WindowCopies").getMethods())
                .extracting(Method::getName)
                .containsOnly("side", "stride");
        assertThat(Files.readString(folder.resolve("p/WindowCopies.java"))).contains("another {@code side}. */");
    }

    @Test
    void aComponentMayBeAnnotated() {
        String annotation =
                "package p; @java.lang.annotation.Target(java.lang.annotation.ElementType.TYPE_USE) @interface Nullable {}";
        assertThat(
                        compile(
                                annotation,
                                "package p; class A { record B(@Nullable C c, @Nullable String s) implements BCopies {} class C {} }"))
                .isEmpty();
    }

    @Test
    void copiesOfAPackageAreChecked() throws Exception {
        String info = "@hocket.schedulers.settings.CheckedCopies(Watch.class) package p;";
        String watch =
                "package p; class Watch { static void check(Record copy) { throw new IllegalStateException(copy.toString()); } }";
        assertThat(compile(SETTING, LIMITS, CHECKED, info, watch, INNER.replace("record", "public record")))
                .isEmpty();
        Object made = load("p.Inner").getConstructor(int.class).newInstance(1);
        assertThatThrownBy(() -> copy(made, "size", int.class, 2)).hasMessage("Inner[size=2]");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "record R(@Setting(usually = \"1.5\") int n)|R: the usual value of n must be of type int and in its range, was 1.5",
                "record R(@Setting(usually = \"many\") long n)|R: the usual value of n must be of type long and in its range, was many",
                "record R(@Setting(usually = \"0\", least = 1) int n)|R: the usual value of n must be of type int and in its range, was 0",
                "record R(@Setting(usually = \"[2, 9]\", most = 5) java.util.List<Integer> n)|R: the usual value of n must be of type java.util.List<java.lang.Integer> and in its range, was [2, 9]",
                "record R(@Setting(usually = \"yes\") boolean n)|R: the usual value of n must be of type boolean and in its range, was yes",
                "record R(@Setting(usually = \"up\") Thread.State n)|R: the usual value of n must be of type java.lang.Thread.State and in its range, was up",
                "record R(@Setting(least = 2, most = 1) int n)|R: n has a least of 2.0 and a most of 1.0",
                "record R(@Setting(least = 2) String n)|R: n has a range, but is not a number, and no list or map of numbers: java.lang.String",
                "record R(@Setting int n, int m)|R: @Setting must be on every component or on none",
                "record R<T>(@Setting int n)|R: a record with type parameters has no copies",
                "class R|R: only a record has copies",
            })
    void whatIsWrongIsACompileError(String header, String message) {
        assertThat(compile(
                        SETTING,
                        LIMITS,
                        "package p; import hocket.schedulers.settings.Setting; " + header + " implements RCopies {}"))
                .contains(message);
    }

    private Object usualWhole() throws Exception {
        assertThat(compile(SETTING, LIMITS, GROUP, SHARED, WHOLE)).isEmpty();
        return load("p.Whole").getMethod("usual", String.class).invoke(null, "here");
    }

    @Test
    void aGroupHasDefaultsOfItsOwnUse() throws Exception {
        assertThat(usualWhole()).hasToString("Whole[times=3, shared=Shared[place=here, rate=0.5, hiddenUnits=[8, 4]]]");
    }

    @Test
    void theSettingsOfAGroupAreReadAndCopiedAsTheRecordsOwn() throws Exception {
        Object whole = usualWhole();
        assertThat(whole.getClass().getMethod("rate").invoke(whole)).isEqualTo(0.5);
        assertThat(whole.getClass().getMethod("place").invoke(whole)).isEqualTo("here");
        assertThat(copy(whole, "rate", double.class, 0.25).toString())
                .isEqualTo(whole.toString().replace("rate=0.5", "rate=0.25"));
        assertThat(copy(whole, "times", int.class, 4).toString())
                .isEqualTo(whole.toString().replace("times=3", "times=4"));
        Object shared = whole.getClass().getMethod("shared").invoke(whole);
        assertThat(copy(copy(whole, "place", String.class, "there"), "shared", shared.getClass(), shared))
                .isEqualTo(whole);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "@SettingGroup(usually = \"rate: -1\") Shared s|the usual value of rate must be of type double and in its range, was -1",
                "@SettingGroup(usually = \"speed: 1\") Shared s|the group s has no settings [speed]",
                "@SettingGroup(usually = \"rate\") Shared s|the group s needs defaults as \"key: value\", has \"rate\"",
                "@SettingGroup String s|the group s must be a record of settings, is java.lang.String",
                "@SettingGroup Bare s|the group s must be a record of settings, its n has no @Setting",
                "@Setting(name = \"hidden_units\") int units, @SettingGroup Shared s|two settings have the same key: hidden_units, place, rate, hidden_units",
                "@Setting int rate, @SettingGroup Shared s|a component has the name of another, or of one of a group: rate, s, place, rate, hiddenUnits",
            })
    void aWrongGroupIsACompileError(String components, String message) {
        assertThat(compile(
                        SETTING,
                        LIMITS,
                        GROUP,
                        SHARED,
                        "package p; record Bare(int n) {}",
                        "package p; import hocket.schedulers.settings.*; record R(" + components
                                + ") implements RCopies {}"))
                .contains("R: " + message);
    }

    @Test
    void aPrivateRecordHasNoCopies() {
        assertThat(compile("package p; class A { private record R(int n) implements RCopies {} }"))
                .contains("R: a private record has no copies");
    }

    @Test
    void aConstructorThatLeavesOutANumberWithARangeDoesNotCompile() {
        assertThat(compile(SETTING, LIMITS, RULE.replace("check(beta, steps,", "check(beta,"), INNER))
                .singleElement()
                .asString()
                .contains("check");
    }
}
