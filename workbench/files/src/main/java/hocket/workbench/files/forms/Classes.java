package hocket.workbench.files.forms;

import hocket.schedulers.checkpoint.DiskFailureText;
import hocket.schedulers.checkpoint.FileWork;
import hocket.schedulers.settings.UserClassException;
import hocket.schedulers.settings.UserCodeFailure;
import hocket.scopes.FormerClasses;
import hocket.scopes.SimilarNames;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.Modifier;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.jar.JarFile;
import java.util.stream.Stream;

/**
 * Finds classes by name: Hocket's own, which are listed in {@code META-INF/hocket/classes} of their jars and may be
 * named without their package, and those of the class path or the user's jars. The jars stay open, because a class may
 * load others at any time.
 */
public final class Classes {
    private static final String INDEX = "META-INF/hocket/classes";

    /** The prefix of Hocket's own classes. */
    private static final String HOCKET = "hocket.";

    /** The name of the loader of added classes, in stack traces too. */
    private static final String ADDED = "classpath";

    private final List<Path> jars;
    private final ClassLoader loader;
    private final List<String> listed;

    /** Present full names by former ones, which are read with a warning. */
    private final Map<String, String> former = new LinkedHashMap<>();

    private Classes(List<Path> jars, ClassLoader loader) {
        this.jars = jars;
        this.loader = loader;
        // The order of jars on a class path is nobody's choice; within a module the list's is.
        this.listed = lines(INDEX).stream()
                .sorted(Comparator.comparing(Classes::module))
                .toList();
        lines(FormerClasses.RESOURCE).forEach(line -> former.put(line.split(" +")[0], line.split(" +")[1]));
    }

    /** Returns the beginning of a class's name that names its module, {@code hocket.workbench.online}. */
    private static String module(String name) {
        String[] parts = name.split("[.]");
        int count = name.startsWith(HOCKET + "workbench.") ? 3 : 2;
        return String.join(".", Arrays.copyOf(parts, Math.min(count, parts.length)));
    }

    /**
     * Finds classes on the class path and in these jars or folders.
     *
     * @throws IllegalArgumentException if one does not exist, or is neither a jar nor a folder
     */
    public static Classes of(List<Path> more) {
        URL[] urls = more.stream().map(Classes::url).toArray(URL[]::new);
        ClassLoader here = ofCaller();
        return new Classes(List.copyOf(more), urls.length == 0 ? here : new URLClassLoader(ADDED, urls, here));
    }

    /** Uses the calling thread's loader, if Hocket runs in an application whose loader knows Hocket and more. */
    private static ClassLoader ofCaller() {
        ClassLoader own = Classes.class.getClassLoader();
        ClassLoader context = Thread.currentThread().getContextClassLoader();
        try {
            return context != null && Class.forName(Classes.class.getName(), false, context) == Classes.class
                    ? context
                    : own;
        } catch (ClassNotFoundException e) {
            return own;
        }
    }

    private static URL url(Path path) {
        if (!Files.exists(path)) {
            throw new IllegalArgumentException("no jar or folder " + path + " exists");
        }
        if (!Files.isDirectory(path) && !path.toString().endsWith(".jar")) {
            throw new IllegalArgumentException(path + " is neither a jar nor a folder of classes");
        }
        try {
            return path.toUri().toURL();
        } catch (MalformedURLException e) {
            throw new IllegalArgumentException(path + ": " + e.getMessage(), e);
        }
    }

    /** Returns the error of a user's class in a line; empty if another class threw it. */
    public static Optional<String> failure(Throwable e) {
        if (e instanceof UserClassException) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
        Throwable first = e instanceof ExceptionInInitializerError && e.getCause() != null ? e.getCause() : e;
        return Arrays.stream(first.getStackTrace())
                .filter(frame -> frame.getModuleName() == null)
                .findFirst()
                .filter(frame -> ADDED.equals(frame.getClassLoaderName()))
                .map(frame -> UserCodeFailure.by(frame.getClassName(), e));
    }

    /** Returns the added jars and folders. */
    public List<Path> jars() {
        return jars;
    }

    /** Returns the lines of all resources of a name, of every jar, without comments. */
    public List<String> lines(String resource) {
        List<String> lines = new ArrayList<>();
        FileWork.run(resource + " cannot be read", () -> {
            for (URL url : Collections.list(loader.getResources(resource))) {
                try (InputStream in = url.openStream()) {
                    new String(in.readAllBytes(), StandardCharsets.UTF_8)
                            .lines()
                            .map(String::strip)
                            .filter(line -> !line.isEmpty() && !line.startsWith("#"))
                            .forEach(lines::add);
                }
            }
        });
        return lines;
    }

    /** Returns the bytes of a resource. */
    public Optional<byte[]> resource(String name) {
        try (InputStream in = loader.getResourceAsStream(name)) {
            return in == null ? Optional.empty() : Optional.of(in.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException(name + " cannot be read: " + DiskFailureText.of(e), e);
        }
    }

    /** Runs an action with these classes visible to libraries on this thread. */
    public <T> T within(Supplier<T> work) {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(loader);
        try {
            return work.get();
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    /** Returns the present name of a class given by a former name, full or without its package; empty for others. */
    Optional<String> renamed(String name) {
        boolean isListed = listed.stream().anyMatch(each -> simple(each).equals(name));
        return name.indexOf('.') >= 0 || isListed
                ? renamedInFull(name)
                : former.keySet().stream()
                        .filter(each -> simple(each).equals(name) && !name.isEmpty())
                        .findFirst()
                        .map(former::get);
    }

    /** Returns the present name for a former full name, also of nested classes. */
    Optional<String> renamedInFull(String name) {
        for (int end = name.length();
                end > 0;
                end = Math.max(name.lastIndexOf('.', end - 1), name.lastIndexOf('$', end - 1))) {
            String present = former.get(name.substring(0, end));
            if (present != null) {
                return Optional.of(present + name.substring(end));
            }
        }
        return Optional.empty();
    }

    /** Returns a name without its package; a nested class keeps the class that it is in. */
    static String simple(String name) {
        return name.substring(name.lastIndexOf('.') + 1);
    }

    /** Returns Hocket's own classes of a kind. */
    List<Class<?>> listed(List<Class<?>> kinds) {
        List<Class<?>> fitting = new ArrayList<>();
        for (String name : listed) {
            try {
                Class<?> type = Class.forName(name, false, loader);
                if (isOf(kinds, type)) {
                    fitting.add(type);
                }
            } catch (ClassNotFoundException e) {
                throw new IllegalStateException(INDEX + " lists " + name + ", which is not there", e);
            }
        }
        return fitting;
    }

    /**
     * Returns the class of a name, of one of the kinds.
     *
     * @throws IllegalArgumentException if there is none, saying where it was searched, or it is of another kind
     */
    Class<?> named(String name, List<Class<?>> kinds) {
        String full = listed.stream()
                .filter(each -> simple(each).equals(name))
                .findFirst()
                .orElse(name);
        Class<?> type;
        try {
            type = loaded(full);
        } catch (ClassNotFoundException e) {
            throw new IllegalArgumentException(notFound(name, kinds), e);
        } catch (UnsupportedClassVersionError e) {
            throw new IllegalArgumentException(
                    "class " + name + " was compiled for a newer Java than this one, "
                            + Runtime.version().feature(),
                    e);
        } catch (LinkageError e) {
            throw new IllegalArgumentException(UserCodeFailure.by(name, e), e);
        }
        if (!isOf(kinds, type)) {
            TreeSet<String> suitable = suitable(kinds, Class::getSimpleName);
            throw new IllegalArgumentException("class " + type.getName() + whatItIs(type) + " does not implement "
                    + String.join(" or ", kinds.stream().map(Class::getName).toList())
                    + (suitable.isEmpty() ? "" : "; there is: " + String.join(", ", suitable)));
        }
        return type;
    }

    private static boolean isOf(List<Class<?>> kinds, Class<?> type) {
        return kinds.stream().anyMatch(kind -> kind.isAssignableFrom(type));
    }

    /** Returns the use of a class of another kind, for messages. */
    private static String whatItIs(Class<?> type) {
        for (Class<?> each = type; each != null; each = each.getSuperclass()) {
            for (Class<?> kind : each.getInterfaces()) {
                if (kind.getName().startsWith(HOCKET)) {
                    return " is a " + kind.getName() + " and";
                }
            }
        }
        return "";
    }

    /** Returns a class by name; a nested one may be written with a dot, as in Java. */
    private Class<?> loaded(String name) throws ClassNotFoundException {
        try {
            return Class.forName(name, false, loader);
        } catch (ClassNotFoundException e) {
            int dot = name.lastIndexOf('.');
            if (dot < 1 || !Character.isUpperCase(name.charAt(name.lastIndexOf('.', dot - 1) + 1))) {
                throw e;
            }
            return loaded(name.substring(0, dot) + "$" + name.substring(dot + 1));
        }
    }

    private String notFound(String name, List<Class<?>> kinds) {
        TreeSet<String> known = suitable(kinds, name.indexOf('.') < 0 ? Class::getSimpleName : Class::getName);
        String searched = jars.isEmpty()
                ? "Hocket's own classes"
                : "Hocket's own classes and "
                        + String.join(", ", jars.stream().map(Path::toString).toList());
        return "there is no class " + name + " (searched: " + searched + "; --classpath adds a jar or folder)"
                + SimilarNames.among(name, known);
    }

    /** Returns all classes of a kind by their full names: Hocket's own, and those of the jars that can be loaded. */
    private TreeSet<String> suitable(List<Class<?>> kinds, Function<Class<?>, String> called) {
        TreeSet<String> names = new TreeSet<>();
        listed(kinds).forEach(type -> names.add(called.apply(type)));
        for (Path jar : jars) {
            for (String name : classesIn(jar)) {
                try {
                    Class<?> type = Class.forName(name, false, loader);
                    if (isOf(kinds, type) && !Modifier.isAbstract(type.getModifiers())) {
                        names.add(name);
                    }
                } catch (ClassNotFoundException | LinkageError e) {
                    continue; // such a class cannot be named
                }
            }
        }
        return names;
    }

    private static List<String> classesIn(Path path) {
        if (Files.isDirectory(path)) {
            try (Stream<Path> files = Files.walk(path)) {
                return files.map(file -> path.relativize(file).toString())
                        .flatMap(Classes::className)
                        .toList();
            } catch (IOException e) {
                throw new UncheckedIOException(path + " cannot be listed: " + DiskFailureText.of(e), e);
            }
        }
        try (JarFile jar = new JarFile(path.toFile())) {
            return jar.stream()
                    .map(java.util.zip.ZipEntry::getName)
                    .flatMap(Classes::className)
                    .toList();
        } catch (IOException e) {
            throw new IllegalArgumentException(path + " is not a jar: " + DiskFailureText.of(e), e);
        }
    }

    private static Stream<String> className(String file) {
        return file.endsWith(".class") && !file.contains("$") && !file.endsWith("-info.class")
                ? Stream.of(
                        file.substring(0, file.length() - 6).replace('/', '.').replace('\\', '.'))
                : Stream.empty();
    }
}
