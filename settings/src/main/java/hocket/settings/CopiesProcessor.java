package hocket.settings;

import static java.util.stream.Collectors.joining;

import java.io.IOException;
import java.io.Writer;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import javax.annotation.processing.AbstractProcessor;
import javax.annotation.processing.RoundEnvironment;
import javax.annotation.processing.SupportedAnnotationTypes;
import javax.lang.model.SourceVersion;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.TypeElement;
import javax.lang.model.util.ElementFilter;
import javax.tools.Diagnostic;

/**
 * Generates the interface {@code AdamCopies} for a record {@code Adam} that implements an interface of that name:
 *
 * <ul>
 *   <li>a copy method for each component, {@code adam.beta1(0.5)}, unless the record has that method already;
 *   <li>an accessor and a copy method for each component of a {@code @SettingGroup}, likewise;
 *   <li>{@code AdamCopies.usual(rate)}: the record with the usual value of each component that has one in its
 *       {@code @Setting}; the other components are parameters;
 *   <li>{@code AdamCopies.check(beta1, epsilon)}, for the record's constructor: refuses numbers outside the ranges of the
 *       {@code @Setting}s. It has a parameter for each component that has a range.
 * </ul>
 *
 * A record without {@code @Setting}s has copy methods only. In a package that is annotated with {@code @CheckedCopies},
 * each copy is passed to the {@code check} method of the class that is named there.
 */
@SupportedAnnotationTypes("*")
public final class CopiesProcessor extends AbstractProcessor {
    private static final String CHECKED = "hocket.schedulers.settings.CheckedCopies";
    private static final String SUFFIX = "Copies";

    @Override
    public SourceVersion getSupportedSourceVersion() {
        return SourceVersion.latestSupported();
    }

    @Override
    public boolean process(Set<? extends TypeElement> annotations, RoundEnvironment round) {
        ElementFilter.typesIn(round.getRootElements()).forEach(this::visit);
        return false;
    }

    private void visit(TypeElement type) {
        if (hasCopies(type)) {
            try {
                write(type);
            } catch (IllegalArgumentException | IOException e) {
                String message = type.getSimpleName() + ": " + e.getMessage();
                processingEnv.getMessager().printMessage(Diagnostic.Kind.ERROR, message, type);
            }
        }
        ElementFilter.typesIn(type.getEnclosedElements()).forEach(this::visit);
    }

    /** Returns whether it implements the interface, which is known by name only because it does not exist yet. */
    static boolean hasCopies(TypeElement type) {
        String name = type.getSimpleName() + SUFFIX;
        return type.getInterfaces().stream().anyMatch(each -> ("." + each).endsWith("." + name));
    }

    /** Returns the interface's full name. */
    static String copies(TypeElement type, javax.lang.model.util.Elements elements) {
        return elements.getPackageOf(type) + "." + type.getSimpleName() + SUFFIX;
    }

    private void write(TypeElement record) throws IOException {
        refuse(record.getKind() != ElementKind.RECORD, "only a record has copies");
        refuse(!record.getTypeParameters().isEmpty(), "a record with type parameters has no copies");
        refuse(record.getModifiers().contains(Modifier.PRIVATE), "a private record has no copies");
        List<RecordComponentFacts> components = record.getRecordComponents().stream()
                .map(each -> RecordComponentFacts.of(each, processingEnv.getElementUtils()))
                .toList();
        refuse(
                components.stream()
                                .map(RecordComponentFacts::isSetting)
                                .distinct()
                                .count()
                        > 1,
                "@Setting must be on every component or on none");
        String type = record.getQualifiedName().toString();
        String check = check(record);
        List<String> names = components.stream()
                .flatMap(each -> Stream.concat(Stream.of(each), each.group().stream()))
                .map(RecordComponentFacts::name)
                .toList();
        refuse(
                names.stream().distinct().count() < names.size(),
                "a component has the name of another, or of one of a group: " + String.join(", ", names));
        List<String> keys = components.stream()
                .flatMap(RecordComponentFacts::settings)
                .map(RecordComponentFacts::key)
                .toList();
        refuse(
                keys.stream().distinct().count() < keys.size(),
                "two settings have the same key: " + String.join(", ", keys));
        Stream.Builder<String> methods = Stream.builder();
        for (RecordComponentFacts component : components) {
            for (RecordComponentFacts each : component.group()) {
                if (!isThere(record, each, 0)) {
                    methods.add(accessor(type, component, each));
                }
                if (!isThere(record, each, 1)) {
                    methods.add(copy(type, components, each, check));
                }
            }
            if (!isThere(record, component, 1)) {
                methods.add(copy(type, components, component, check));
            }
        }
        String copyMethods = methods.build().collect(joining("\n"));
        String name = copies(record, processingEnv.getElementUtils());
        try (Writer file =
                processingEnv.getFiler().createSourceFile(name, record).openWriter()) {
            file.write("""
                    package %s;

                    /** Copies of {@link %s} with another value of one component; its usual values and ranges. */
                    @javax.annotation.processing.Generated("%s")
                    %sinterface %s {
                    %s%s%s}
                    """.formatted(
                            processingEnv.getElementUtils().getPackageOf(record),
                            type,
                            getClass().getName(),
                            record.getModifiers().contains(Modifier.PUBLIC) ? "public " : "",
                            record.getSimpleName() + SUFFIX,
                            copyMethods,
                            usual(type, components),
                            check(components)));
        }
    }

    /** Returns whether the record declares or inherits a component's accessor (takes 0) or copy method (takes 1). */
    private boolean isThere(TypeElement record, RecordComponentFacts component, int takes) {
        return ElementFilter.methodsIn(processingEnv.getElementUtils().getAllMembers(record)).stream()
                .filter(method -> method.getSimpleName().contentEquals(component.name()))
                .filter(method -> method.getParameters().size() == takes)
                .anyMatch(method -> takes == 0
                        || RecordComponentFacts.text(
                                        method.getParameters().get(0).asType())
                                .equals(component.type()));
    }

    private static String accessor(String type, RecordComponentFacts group, RecordComponentFacts component) {
        return """
                    /** Returns the {@code %2$s}%3$s. */
                    default %4$s %2$s() {
                        return ((%1$s) this).%5$s().%2$s();
                    }
                """.formatted(type, component.name(), help(component), component.type(), group.name());
    }

    private static String help(RecordComponentFacts component) {
        return component.help().isEmpty() ? "" : ": " + component.help();
    }

    /** Returns the statement that checks a copy; empty if there is no check. */
    private String check(TypeElement record) {
        return processingEnv.getElementUtils().getPackageOf(record).getAnnotationMirrors().stream()
                .filter(each -> each.getAnnotationType().toString().equals(CHECKED))
                .flatMap(each -> each.getElementValues().values().stream())
                .map(by -> by.getValue() + ".check(copy);")
                .collect(joining());
    }

    private static String copy(
            String type, List<RecordComponentFacts> components, RecordComponentFacts changed, String check) {
        String values = components.stream()
                .map(each -> each == changed
                        ? "value"
                        : each.group().contains(changed)
                                ? each.made(one ->
                                        one == changed ? "value" : "it." + each.name() + "()." + one.name() + "()")
                                : "it." + each.name() + "()")
                .collect(joining(", "));
        return """
                    /** A copy with another {@code %2$s}%3$s. */
                    default %1$s %2$s(%4$s value) {
                        %1$s it = (%1$s) this;
                        %1$s copy = new %1$s(%5$s);%6$s
                        return copy;
                    }
                """.formatted(type, changed.name(), help(changed), changed.type(), values, check);
    }

    private static String usual(String type, List<RecordComponentFacts> components) {
        List<RecordComponentFacts> needed = components.stream()
                .flatMap(RecordComponentFacts::settings)
                .filter(each -> each.literal().isEmpty())
                .toList();
        if (needed.size()
                == components.stream().flatMap(RecordComponentFacts::settings).count()) {
            return "";
        }
        return """

                    /** With the usual values. */
                    static %1$s usual(%2$s) {
                        return new %1$s(%3$s);
                    }
                """.formatted(
                type,
                needed.stream().map(each -> each.type() + " " + each.name()).collect(joining(", ")),
                components.stream().map(RecordComponentFacts::usual).collect(joining(", ")));
    }

    private static String check(List<RecordComponentFacts> components) {
        List<RecordComponentFacts> ranged =
                components.stream().filter(RecordComponentFacts::hasRange).toList();
        if (ranged.isEmpty()) {
            return "";
        }
        return """

                    /** @throws IllegalArgumentException if a number is outside its range, naming setting and range */
                    static void check(%s) {
                        %s
                    }
                """.formatted(
                ranged.stream().map(each -> each.type() + " " + each.name()).collect(joining(", ")),
                ranged.stream().map(RecordComponentFacts::check).collect(joining("\n        ")));
    }

    static void refuse(boolean isWrong, String rule) {
        if (isWrong) {
            throw new IllegalArgumentException(rule);
        }
    }
}
