package hocket.schedulers.commands;

import hocket.scopes.SimilarNames;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Describes a kind of {@link Command}: its name, help and arguments, as its record declares them. All code that reads,
 * writes or shows commands uses this description, so that a new command only needs a new record.
 */
public final class CommandForm {
    private static final List<CommandForm> ALL = Arrays.stream(Command.class.getPermittedSubclasses())
            .map(CommandForm::new)
            .toList();

    private static final Map<Class<?>, CommandForm> BY_TYPE =
            ALL.stream().collect(Collectors.toMap(form -> form.type, form -> form));

    private final Class<?> type;
    private final Command.Named named;
    private final List<Argument> arguments;

    private CommandForm(Class<?> type) {
        this.type = type;
        named = declared(type, type.getAnnotation(Command.Named.class));
        arguments = Arrays.stream(type.getRecordComponents()).map(Argument::of).toList();
    }

    private static <T> T declared(Object what, @Nullable T annotation) {
        if (annotation == null) {
            throw new IllegalStateException(what + " lacks its description");
        }
        return annotation;
    }

    /**
     * A component of a command.
     *
     * @param name its key in JSON
     * @param type text, number, boolean, enum or {@link OptionalLong}
     */
    public record Argument(String name, Class<?> type, Command.Argument says, RecordComponent component) {
        private static Argument of(RecordComponent component) {
            return new Argument(
                    component.getName(),
                    component.getType(),
                    declared(component, component.getAnnotation(Command.Argument.class)),
                    component);
        }

        /** Returns whether a request may have it. */
        public boolean isAsked() {
            return says.onlyJournalled().isEmpty();
        }

        /** Returns whether a journal has it. */
        public boolean isJournalled() {
            return !says.onlyAsked();
        }

        /** Returns its value in a command. */
        public Object of(Command command) {
            return called(() -> component.getAccessor().invoke(command));
        }

        /** Returns the words for the constants of an enum: {@code turn} for {@code TURN}; none for another type. */
        public List<String> words() {
            return type.isEnum()
                    ? Arrays.stream(type.getEnumConstants()).map(Argument::word).toList()
                    : List.of();
        }

        /** The word of an enum's constant. */
        public static String word(Object constant) {
            return constant.toString().toLowerCase(Locale.ROOT);
        }

        /** Returns the value of an omitted argument. */
        public Object missing() {
            return type == OptionalLong.class ? OptionalLong.empty() : type == boolean.class ? (Object) false : "";
        }
    }

    /** Returns all kinds of commands, in the order in which they are shown. */
    public static List<CommandForm> all() {
        return ALL;
    }

    /** Returns the commands that can be requested. */
    public static List<CommandForm> asked() {
        return ALL.stream().filter(CommandForm::isAsked).toList();
    }

    /** Returns the kind of a command. */
    public static CommandForm of(Command command) {
        return declared(command, BY_TYPE.get(command.getClass()));
    }

    public String name() {
        return named.value();
    }

    public String help() {
        return named.help();
    }

    /** Returns the form of its arguments on the command line; empty without arguments. */
    public String usage() {
        return named.usage();
    }

    /** Returns whether it can be requested. */
    public boolean isAsked() {
        return named.onlyJournalled().isEmpty();
    }

    /** Returns why it cannot be requested; empty if it can. */
    public String onlyJournalled() {
        return named.onlyJournalled();
    }

    /** Returns whether only a run of one process accepts it. */
    public boolean isOfOneProcess() {
        return named.ofOneProcess();
    }

    boolean isReplayed() {
        return named.isReplayed();
    }

    public List<Argument> arguments() {
        return arguments;
    }

    /**
     * Makes a command.
     *
     * @param values gives the value of each argument
     */
    public Command make(Function<Argument, Object> values) {
        Class<?>[] types = arguments.stream().map(Argument::type).toArray(Class<?>[]::new);
        Object[] given = arguments.stream().map(values).toArray();
        return (Command) called(() -> type.getDeclaredConstructor(types).newInstance(given));
    }

    /**
     * Reads a command as it is written on the command line.
     *
     * @param argument the word after its name; empty where there is none
     * @throws IllegalArgumentException if it is not a valid command, saying why
     */
    public static Command read(String name, String argument) {
        CommandForm form = SimilarNames.find(asked(), CommandForm::name, name, "there is no command ");
        if (!argument.isEmpty() && form.usage().isEmpty()) {
            throw new IllegalArgumentException(name + " takes nothing more, was given " + argument);
        }
        return form.read(argument);
    }

    private Command read(String argument) {
        List<Argument> asked = arguments.stream().filter(Argument::isAsked).toList();
        if (!usage().contains("=")) {
            return make(each -> each.equals(asked.get(0)) ? value(each, argument) : each.missing());
        }
        int end = argument.indexOf('=');
        try {
            if (end > 0) {
                return make(each -> value(
                        each, each.equals(asked.get(0)) ? argument.substring(0, end) : argument.substring(end + 1)));
            }
        } catch (NumberFormatException e) {
            // said below
        }
        throw new IllegalArgumentException(name() + ": must be KEY=NUMBER, such as d.rate=1e-4, was "
                + (argument.isEmpty() ? "nothing" : argument));
    }

    private Object value(Argument argument, String text) {
        if (argument.type() == double.class) {
            return Double.parseDouble(text);
        } else if (!argument.type().isEnum()) {
            return text;
        }
        List<String> words = argument.words();
        int at = text.isEmpty() ? 0 : words.indexOf(text);
        if (at < 0) {
            throw new IllegalArgumentException(name() + ": must be " + String.join(" or ", words) + ", was " + text);
        }
        return argument.type().getEnumConstants()[at];
    }

    private interface Call {
        Object now() throws ReflectiveOperationException;
    }

    /** Calls a record by reflection and rethrows its exceptions unchanged. */
    private static Object called(Call call) {
        try {
            return call.now();
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof RuntimeException refused) {
                throw refused;
            }
            throw new IllegalStateException(e);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}
