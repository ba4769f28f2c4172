package hocket.examples;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.implement;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.lang.conditions.ArchConditions.be;
import static com.tngtech.archunit.lang.conditions.ArchConditions.callMethod;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnitAccess;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.junit.ArchTests;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import hocket.scopes.HostView;
import java.io.IOException;
import java.nio.Buffer;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;

/**
 * Which part of Hocket may know which, and what belongs in one place only.
 *
 * <p>Never import with {@code DoNotIncludeJars}: the modules are folders under {@code mvn test} but jars under
 * {@code mvn verify}, where nothing would be left to check.
 */
@AnalyzeClasses(packages = "hocket", importOptions = ImportOption.DoNotIncludeTests.class)
class WallsTest {
    private static final Path ROOT = Path.of(System.getProperty("hocket.root", ".."));

    /** Modules of the workbench, each knowing only those before it. */
    private static final List<String> ROOMS =
            List.of("files", "terminal", "online", "runs", "pictures", "training", "live", "sweeps", "command");

    private static final String[] ENGINE = {"ai.djl..", "com.sun.jna.."};
    private static final String[] JACKSON = {"com.fasterxml.."};
    private static final String[] YAML = {"org.yaml.."};
    private static final String[] CHARTS = {"org.knowm..", "org.apache.batik.."};
    private static final String[] COMMAND_LINE = {"picocli.."};
    private static final String[] SERVER = {"io.vertx..", "io.netty.."};
    private static final String[] METERS = {"io.micrometer..", "io.prometheus.."};
    private static final String[] PROTOBUF = {"com.google.protobuf.."};
    private static final String[] VECTORS = {"jdk.incubator.vector.."};

    /** Here because reading all classes takes seconds, and two processes would both read them. */
    @ArchTest
    static final ArchTests RANGES = ArchTests.in(SettingRanges.class);

    @ArchTest
    static void theWallsSeeEveryModule(JavaClasses all) {
        for (String module : List.of(
                "settings", "scopes", "programs", "schedulers", "gan", "rl", "workbench", "distributed", "examples")) {
            assertThat(all.that(resideInAnyPackage("hocket." + module + "..")))
                    .as("classes of " + module)
                    .isNotEmpty();
        }
    }

    @ArchTest
    static void theWallsSeeTheUsersOfWhatTheyConfine(JavaClasses all) {
        for (String[] confined :
                new String[][] {ENGINE, JACKSON, YAML, CHARTS, COMMAND_LINE, SERVER, METERS, PROTOBUF, VECTORS}) {
            assertThat(all.that(describe("use " + confined[0], type -> uses(type, confined))))
                    .as("users of " + Arrays.toString(confined))
                    .isNotEmpty();
        }
    }

    // Who knows whom.

    @ArchTest
    static final ArchRule settingsKnowNothing =
            onlyKnows("settings").because("processors run in the compiler, before there is anything to know");

    @ArchTest
    static final ArchRule nothingKnowsSettings = noClasses()
            .that()
            .resideOutsideOfPackage("hocket.settings..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("hocket.settings..")
            .because("processors are not there when Hocket runs");

    @ArchTest
    static final ArchRule scopesKnowNothingElse =
            onlyKnows("scopes").because("names and storage stand below everything else");

    @ArchTest
    static final ArchRule programsKnowScopesOnly =
            onlyKnows("programs", "scopes").because("what is computed does not depend on who trains it, or when");

    @ArchTest
    static final ArchRule schedulersKnowProgramsAndScopes = onlyKnows("schedulers", "programs", "scopes")
            .because("turns and plans serve every kind of mathematics; where one is missed, add a seam");

    @ArchTest
    static final ArchRule ganKnowsSchedulersAndBelow = onlyKnows("gan", "schedulers", "programs", "scopes")
            .because("gan and rl do not know each other, and a library does not know the command");

    @ArchTest
    static final ArchRule rlKnowsSchedulersAndBelow = onlyKnows("rl", "schedulers", "programs", "scopes")
            .because("rl and gan do not know each other, and a library does not know the command");

    @ArchTest
    static final ArchRule nothingKnowsHowARunIsDistributed = noClasses()
            .that()
            .resideOutsideOfPackage("hocket.distributed..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("hocket.distributed..")
            .because("a run of one process needs none of it: several processes come by the services ProcessRole and"
                    + " MoreCommands");

    @ArchTest
    static void distributedStandsBehindServices(JavaClasses all) {
        for (String service :
                Set.of("hocket.workbench.training.ProcessRole", "hocket.workbench.command.MoreCommands")) {
            assertThat(all.that(implement(service)).that(resideInAnyPackage("hocket.distributed..")))
                    .as("services " + service + " of distributed")
                    .isNotEmpty();
            assertThat(all.that(implement(service)).that(resideOutsideOfPackage("hocket.distributed..")))
                    .as("services " + service + " elsewhere")
                    .allMatch(JavaClass::isInterface);
        }
    }

    @ArchTest
    static final ArchRule roomsOfDistributedAreNoCircle = slices().matching("hocket.distributed.(*)..")
            .should()
            .beFreeOfCycles()
            .because("actors and clusters are two ways to several processes; launch puts both into the command");

    @ArchTest
    static final ArchRule nothingKnowsTheOneLiners = noClasses()
            .that()
            .resideInAPackage("hocket..")
            .and()
            .resideOutsideOfPackages("hocket.schedulers.trainer..", "hocket.examples..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("hocket.schedulers.trainer..")
            .because("one-liners stand on runs and rings, never the other way round: what they do, anyone can do");

    @ArchTest
    static final ArchRule nothingKnowsTheExamples = noClasses()
            .that()
            .resideOutsideOfPackage("hocket.examples..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("hocket.examples..")
            .because("examples are read and copied, never called");

    // Names and rooms.

    @Test
    void aPackageHoldsThirtyFilesAtMost() throws IOException {
        Map<Path, Long> files =
                mainSources().collect(Collectors.groupingBy(Path::getParent, TreeMap::new, Collectors.counting()));
        assertThat(files).hasSizeGreaterThan(50);
        assertThat(files)
                .allSatisfy((folder, count) ->
                        assertThat(count).as(folder.toString()).isLessThanOrEqualTo(30));
    }

    @Test
    void anAlgorithmIsOneFileUnder150Lines() throws IOException {
        Map<Path, Integer> lines = new TreeMap<>();
        for (Path file : mainSources()
                .filter(file -> Objects.requireNonNull(file.getParent()).endsWith("hocket/rl/algorithms"))
                .toList()) {
            lines.put(file.getFileName(), Files.readAllLines(file).size());
        }
        assertThat(lines).hasSizeGreaterThan(8);
        assertThat(lines)
                .allSatisfy(
                        (file, count) -> assertThat(count).as(file.toString()).isLessThan(150));
    }

    @Test
    void noNameIsUsedTwice() throws IOException {
        Map<Path, List<Path>> named = mainSources()
                .filter(file -> !file.endsWith("package-info.java"))
                .collect(Collectors.groupingBy(Path::getFileName));
        assertThat(named).hasSizeGreaterThan(500);
        assertThat(named.values()).allSatisfy(files -> assertThat(files).hasSize(1));
    }

    /** The module's name in its jar is the same: no package is in two modules, which Java would refuse. */
    @Test
    void aPackageIsNamedAfterTheFolderOfItsModule() throws IOException {
        List<String> files = mainSources()
                .map(file -> ROOT.relativize(file).toString().replace('\\', '/'))
                .toList();
        assertThat(files).hasSizeGreaterThan(500).allSatisfy(file -> {
            String module = file.substring(0, file.indexOf("/src/main/java/"));
            assertThat(file).startsWith(module + "/src/main/java/hocket/" + module + "/");
        });
    }

    private static Stream<Path> mainSources() throws IOException {
        return Stream.concat(sources(ROOT), sources(ROOT.resolve("workbench")));
    }

    /** The main sources of the modules in a folder. */
    private static Stream<Path> sources(Path folder) throws IOException {
        List<Path> files = new ArrayList<>();
        try (DirectoryStream<Path> modules =
                Files.newDirectoryStream(folder, child -> Files.isDirectory(child.resolve("src/main/java")))) {
            for (Path module : modules) {
                try (Stream<Path> sources = Files.walk(module.resolve("src/main/java"))) {
                    sources.filter(file -> file.toString().endsWith(".java")).forEach(files::add);
                }
            }
        }
        return files.stream();
    }

    // Rooms of the workbench.

    @Test
    void aRoomOfTheWorkbenchIsAModule() throws IOException {
        try (Stream<Path> folders = Files.list(ROOT.resolve("workbench"))) {
            assertThat(folders.filter(folder -> Files.exists(folder.resolve("pom.xml")))
                            .map(folder -> folder.getFileName().toString()))
                    .containsExactlyInAnyOrderElementsOf(
                            Stream.concat(Stream.of("testing"), ROOMS.stream()).toList());
        }
    }

    @ArchTest
    static void roomsOfTheWorkbenchKnowOnlyThoseBelow(JavaClasses all) {
        assertThat(all.that(resideInAnyPackage("hocket.workbench.."))
                        .that(resideOutsideOfPackages(ROOMS.stream()
                                .map(room -> "hocket.workbench." + room + "..")
                                .toArray(String[]::new))))
                .isEmpty();
        for (int i = 0; i < ROOMS.size(); i++) {
            String room = "hocket.workbench." + ROOMS.get(i) + "..";
            assertThat(all.that(resideInAnyPackage(room)))
                    .as("classes of " + room)
                    .isNotEmpty();
            if (i + 1 == ROOMS.size()) {
                continue;
            }
            noClasses()
                    .that()
                    .resideInAPackage(room)
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage(ROOMS.subList(i + 1, ROOMS.size()).stream()
                            .map(other -> "hocket.workbench." + other + "..")
                            .toArray(String[]::new))
                    .because("a room can be read, built and tested without those above it")
                    .check(all);
        }
    }

    @ArchTest
    static final ArchRule partsOfARoomAreNoCircle = slices().matching("hocket.workbench.(*).(*)..")
            .should()
            .beFreeOfCycles()
            .because("a part of a room can be read, and moved, without those above it");

    @ArchTest
    static final ArchRule whatIsReadKnowsNoTerminal = noClasses()
            .that()
            .resideInAnyPackage("hocket.workbench.files..", "hocket.workbench.online..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("hocket.workbench.terminal..")
            .because("files and rows are read by servers as well as by people");

    // What stays in one place.

    @ArchTest
    static final ArchRule theEngineIsNamedInOnePlace = confined(ENGINE, "hocket.programs.mxnet..")
            .because("another lowering must be able to take its place; everyone else uses Lowering and Device");

    @Test
    void noSourceOutsideProgramsNamesTheEngine() throws IOException {
        List<Path> named = new ArrayList<>();
        for (Path file : mainSources().toList()) {
            if (Files.readString(file).toLowerCase(Locale.ROOT).contains("mxnet")) {
                named.add(ROOT.relativize(file));
            }
        }
        assertThat(named).isNotEmpty().allMatch(file -> file.startsWith("programs"));
    }

    /** Keepers of buffers above programs: rows, files and messages. */
    private static final Set<String> KEEPERS = Set.of(
            "Bytes$Held",
            "Export",
            "Feeding$Kept",
            "ProtocolFrame",
            "PythonWorker",
            "RowBatch$Builder",
            "Rows",
            "Segments$Append");

    /** Users of views of arrays, which request them before each use. */
    private static final Set<String> VIEWERS = Set.of("Reals", "RowMeans");

    @ArchTest
    static void nothingAboveProgramsKeepsABufferOfOne(JavaClasses all) {
        Set<String> keepers = new TreeSet<>();
        Set<String> viewers = new TreeSet<>();
        for (JavaClass type : all.that(resideInAnyPackage(
                "hocket.schedulers..", "hocket.gan..", "hocket.rl..", "hocket.workbench..", "hocket.distributed.."))) {
            for (JavaField field : type.getFields()) {
                Set<JavaClass> involved = field.getAllInvolvedRawTypes();
                boolean isAsked =
                        involved.stream().anyMatch(part -> part.isEquivalentTo(Supplier.class)); // at each use
                if (!isAsked && involved.stream().anyMatch(part -> part.isAssignableTo(Buffer.class))) {
                    keepers.add(type.getName().replaceFirst(".*[.]", ""));
                }
                if (involved.stream().anyMatch(part -> part.isEquivalentTo(HostView.class))) {
                    viewers.add(type.getName().replaceFirst(".*[.]", ""));
                }
            }
        }
        assertThat(keepers)
                .as("parameters, gradients and slots are arrays of a device, which may move them")
                .isEqualTo(KEEPERS);
        assertThat(viewers)
                .as("a view is requested at each use, since the device may move the array")
                .isEqualTo(VIEWERS);
    }

    @ArchTest
    static final ArchRule jacksonStaysInJsonPackages = confined(JACKSON, "hocket..json")
            .because("what is saved is Stateful and State; how it is written is nobody else's concern");

    @ArchTest
    static final ArchRule yamlStaysInItsPackage = confined(YAML, "hocket.workbench.files.yaml..")
            .because("who reads a file wants trees with places, not a library's nodes and events");

    @ArchTest
    static final ArchRule chartsStayInTheirPackage = confined(CHARTS, "hocket.workbench.pictures.plot..")
            .because("a library of charts is a choice that may change");

    @ArchTest
    static final ArchRule theCommandLineStaysInTheCommands = confined(
                    COMMAND_LINE, "hocket.workbench.command..", "hocket.distributed.launch..")
            .because("a library does not parse arguments, nor do the other rooms");

    @ArchTest
    static final ArchRule serversStayInTheirRooms = confined(
                    SERVER,
                    "hocket.workbench.live..",
                    "hocket.distributed.actors..",
                    "hocket.distributed.cluster..",
                    "hocket.examples..")
            .because(
                    "a library does not listen, nor do the other rooms: what trains knows nobody who watches; an example"
                            + " shows how a service of the reader's own does");

    @ArchTest
    static final ArchRule metersStayWithTheServer = confined(METERS, "hocket.workbench.live..")
            .because("what trains is not metered: who asks reads what it left");

    @ArchTest
    static final ArchRule protobufStaysInItsPackage =
            confined(PROTOBUF, "hocket.programs.protobuf..").because("only formats of other programs are written so");

    @ArchTest
    static final ArchRule onnxKnowsNoLowering = noClasses()
            .that()
            .resideInAPackage("hocket.programs.onnx..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("hocket.programs.jvm..", "hocket.programs.mxnet..")
            .because("a model is written from operators alone, on any machine");

    @ArchTest
    static final ArchRule onnxIsKnownToTheExportOnly = noClasses()
            .that()
            .resideOutsideOfPackages("hocket.programs.onnx..", "hocket.workbench.runs.exports..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("hocket.programs.onnx..")
            .because("a format of models is one place's concern");

    @ArchTest
    static final ArchRule vectorsStayInTheKernels = confined(
                    VECTORS, "hocket.schedulers.optimizers..", "hocket.programs.jvm..")
            .because("the module may be absent: only a kernel behind its provider may need it");

    // What would make two runs differ.

    @ArchTest
    static final ArchRule chanceComesFromStreams = noClasses()
            .should()
            .dependOnClassesThat()
            .areAssignableTo(Random.class)
            .orShould()
            .dependOnClassesThat()
            .areAssignableTo(SplittableRandom.class)
            .orShould(use(Math.class, "random"))
            .orShould(use(StrictMath.class, "random"))
            .orShould(callMethod(Collections.class, "shuffle", List.class))
            .because("the same seed gives the same bits; Streams are keyed by seed, path and counter");

    @ArchTest
    static final ArchRule partsOfAGanDoNotKnowWhatIsMadeOfThem = noClasses()
            .that()
            .resideInAPackage("hocket.gan.parts..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "hocket.gan.terms..", "hocket.gan.losses..", "hocket.gan.networks..", "hocket.gan.scores..")
            .because(
                    "a part is an interface that a user can implement alone; losses, terms and networks are made of them");

    @ArchTest
    static final ArchRule augmentationsKnowNoPartOfAGan = noClasses()
            .that()
            .resideInAPackage("hocket.gan.augmentations..")
            .should()
            .dependOnClassesThat(
                    resideInAnyPackage("hocket.gan..").and(not(resideInAnyPackage("hocket.gan.augmentations.."))))
            .because("an augmentation changes rows, whoever reads them");

    @ArchTest
    static final ArchRule termsDoNotKnowLosses = noClasses()
            .that()
            .resideInAPackage("hocket.gan.terms..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("hocket.gan.losses..", "hocket.gan.networks..", "hocket.gan.scores..")
            .because("a term is added to any loss");

    @ArchTest
    static final ArchRule generatorsAreMadeByStreams = noClasses()
            .that()
            .resideOutsideOfPackage("hocket.scopes..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.apache.commons.rng.simple..")
            .because("a generator made elsewhere would be keyed by something else than seed, path and counter");

    @ArchTest
    static final ArchRule clocksNeverSteer = noClasses()
            .that()
            .resideInAnyPackage(
                    "hocket.scopes..",
                    "hocket.programs..",
                    "hocket.schedulers..",
                    "hocket.gan.augmentations..",
                    "hocket.gan.losses..",
                    "hocket.gan.parts..",
                    "hocket.gan.terms..")
            .and()
            // what asks whether a trigger of seconds fires, for saving and logging
            .doNotHaveFullyQualifiedName("hocket.schedulers.runs.BoundRings")
            .and()
            .doNotHaveFullyQualifiedName("hocket.schedulers.runs.BoundRing")
            .and()
            // which checkpoints are kept, by their age
            .doNotHaveFullyQualifiedName("hocket.schedulers.checkpoint.CheckpointWriter")
            .should(use(System.class, "nanoTime"))
            .orShould(use(System.class, "currentTimeMillis"))
            .orShould(use(Instant.class, "now"))
            .orShould(use(Clock.class, "instant"))
            .orShould(use(Clock.class, "millis"))
            .orShould(use(InstantSource.class, "instant"))
            .orShould(use(InstantSource.class, "millis"))
            .because("clocks may save and log; what is computed, and how, depends on graph and settings alone");

    // How things are called, and what the compiler checks.

    @ArchTest
    static final ArchRule namesSayWhatAThingIs = noClasses()
            .should()
            .haveNameMatching(".*(Helper|Manager|Utils?|Impl)")
            .orShould()
            .haveNameMatching(".*[.$]Base([A-Z].*)?")
            .because("a name says what the field says");

    @ArchTest
    static final ArchRule djlNamesKeepTheirMeaning = noClasses()
            .should()
            .haveNameMatching(".*[.$](ParameterStore|Parameter|Block|Tracker|Optimizer)")
            .because("a reader who knows DJL would take them for DJL's; a Trainer is what it is there");

    @ArchTest
    static final ArchRule everyPackageIsNullMarked = classes()
            .should()
            .resideInAPackage("hocket..")
            .andShould(be(describe("in a package marked @NullMarked", WallsTest::isInNullMarkedPackage)))
            .because("NullAway passes over packages that are not");

    private static ArchRule onlyKnows(String module, String... others) {
        String[] allowed = Stream.concat(Stream.of(module), Arrays.stream(others))
                .map(name -> "hocket." + name + "..")
                .toArray(String[]::new);
        return classes()
                .that()
                .resideInAPackage(allowed[0])
                .should()
                .onlyDependOnClassesThat(resideOutsideOfPackage("hocket..").or(resideInAnyPackage(allowed)));
    }

    private static ArchRule confined(String[] packages, String... places) {
        return noClasses()
                .that(not(resideInAnyPackage(places)))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(packages);
    }

    private static boolean uses(JavaClass type, String... packages) {
        DescribedPredicate<JavaClass> wanted = resideInAnyPackage(packages);
        return type.getDirectDependenciesFromSelf().stream()
                .anyMatch(dependency -> wanted.test(dependency.getTargetClass()));
    }

    /** Calls the method or refers to it: {@code callMethod} and {@code accessTargetWhere} see no {@code Owner::name}. */
    private static ArchCondition<JavaClass> use(Class<?> owner, String name) {
        String described = owner.getSimpleName() + "." + name;
        return new ArchCondition<>("use " + described) {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                Stream<JavaCodeUnitAccess<?>> uses = Stream.concat(
                        type.getMethodCallsFromSelf().stream(), type.getMethodReferencesFromSelf().stream());
                uses.filter(use -> use.getTargetOwner().isEquivalentTo(owner))
                        .filter(use -> use.getTarget().getName().equals(name))
                        .forEach(use -> events.add(SimpleConditionEvent.satisfied(use, use.getDescription())));
            }
        };
    }

    private static boolean isInNullMarkedPackage(JavaClass type) {
        return type.getPackage()
                .tryGetPackageInfo()
                .map(info -> info.isAnnotatedWith(NullMarked.class))
                .orElse(false);
    }
}
