package hocket.examples;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.junit.ArchTest;
import hocket.schedulers.settings.Keys;
import hocket.schedulers.settings.Setting;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Ranges of settings are those of the constructors: Java refuses what a file refuses. {@link WallsTest} runs it. */
class SettingRanges {
    /**
     * Algorithms are checked as a whole, by their copies and when they are built ({@code SettingsTest} of rl); so are
     * algorithms of one's own.
     */
    private static final List<String> CHECKED_LATER = List.of(
            "hocket.rl.algorithms.",
            "hocket.rl.settings.",
            OwnAlgorithm.class.getName(),
            MunchausenDqn.class.getName(),
            RecurrentAgent.class.getName(),
            "hocket.workbench.testing.");

    /** A component with a range, and a value outside it. */
    private record Wrong(Class<?> type, int component, Object value) {
        RecordComponent at() {
            return type.getRecordComponents()[component];
        }

        @Override
        public String toString() {
            return type.getName() + "." + at().getName() + " = " + value;
        }
    }

    @ArchTest
    static void recordsRefuseValuesOutsideTheRangesOfTheirSettings(JavaClasses all) {
        List<Wrong> wrong = new ArrayList<>();
        for (JavaClass type : all) {
            // the specs of a file are made by its forms, which hold each number to its range
            if (type.isRecord()
                    && !type.getSimpleName().endsWith("Spec")
                    && CHECKED_LATER.stream().noneMatch(type.getName()::startsWith)) {
                wrong.addAll(wrong(type.reflect()));
            }
        }
        assertThat(wrong).hasSizeGreaterThan(200);
        assertThat(wrong.stream().map(SettingRanges::accepted).filter(text -> !text.isEmpty()))
                .isEmpty();
    }

    /** Returns values below and above the range of each component. */
    private static List<Wrong> wrong(Class<?> type) {
        List<Wrong> all = new ArrayList<>();
        RecordComponent[] components = type.getRecordComponents();
        for (int i = 0; i < components.length; i++) {
            Setting setting = components[i].getAnnotation(Setting.class);
            if (setting == null) {
                continue;
            }
            Type element = element(components[i].getGenericType());
            if (Double.isFinite(setting.least())) {
                all.add(new Wrong(type, i, of(components[i], number(element, beyond(setting.least(), -1)))));
            }
            if (Double.isFinite(setting.most()) && setting.most() < greatest(element)) {
                all.add(new Wrong(type, i, of(components[i], number(element, beyond(setting.most(), 1)))));
            }
        }
        return all;
    }

    private static double beyond(double bound, int sign) {
        return bound + sign * Math.max(1, Math.abs(bound));
    }

    private static double greatest(Type type) {
        return type == int.class || type == Integer.class
                ? Integer.MAX_VALUE / 2
                : type == long.class || type == Long.class ? Long.MAX_VALUE / 2 : Double.MAX_VALUE / 2;
    }

    private static Type element(Type type) {
        if (type instanceof ParameterizedType of) {
            Type[] arguments = of.getActualTypeArguments();
            return arguments[arguments.length - 1];
        }
        return type;
    }

    private static Object number(Type type, double value) {
        if (type == int.class || type == Integer.class) {
            return (int) value;
        }
        return type == long.class || type == Long.class ? (Object) (long) value : (Object) value;
    }

    /** Returns a value of a component: the number, or a list or map of it. */
    private static Object of(RecordComponent component, Object number) {
        return component.getType() == List.class
                ? List.of(number)
                : component.getType() == Map.class ? Map.of("d", number) : number;
    }

    /** Returns what the constructor does wrong; empty if it refuses the value, naming it or its setting. */
    private static String accepted(Wrong wrong) {
        RecordComponent[] components = wrong.type().getRecordComponents();
        Object[] values = new Object[components.length];
        for (int i = 0; i < values.length; i++) {
            values[i] = i == wrong.component() ? wrong.value() : usual(components[i]);
        }
        try {
            Class<?>[] types =
                    Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
            Constructor<?> constructor = wrong.type().getDeclaredConstructor(types);
            constructor.setAccessible(true);
            constructor.newInstance(values);
            return wrong + " is accepted";
        } catch (InvocationTargetException e) {
            Throwable cause = Objects.requireNonNull(e.getCause());
            String message = String.valueOf(cause.getMessage());
            boolean isRefused = cause instanceof IllegalArgumentException
                    && (message.contains(wrong.at().getName())
                            || message.contains(Keys.of(wrong.at()))
                            || message.contains("was " + wrong.value()));
            return isRefused ? "" : wrong + " leads to " + cause;
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    /** Returns a value in the range; null for what is no number and has no simple value. */
    private static @Nullable Object usual(RecordComponent component) {
        Class<?> type = component.getType();
        Setting setting = component.getAnnotation(Setting.class);
        if (type == boolean.class) {
            return false;
        } else if (type == String.class) {
            return component.getName();
        } else if (type.isEnum()) {
            return type.getEnumConstants()[0];
        } else if (type == List.class) {
            return List.of();
        } else if (type == Map.class) {
            return Map.of();
        } else if (!type.isPrimitive()) {
            return null;
        }
        return number(type, setting == null ? 1 : Math.max(setting.least(), Math.min(setting.most(), 1)));
    }
}
