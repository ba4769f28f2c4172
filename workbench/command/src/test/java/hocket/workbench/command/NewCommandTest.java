package hocket.workbench.command;

import static org.assertj.core.api.Assertions.assertThat;

import hocket.workbench.runs.Version;
import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NewCommandTest {
    @TempDir
    Path here = Path.of("");

    @Test
    @Tag("engine")
    void aNewProjectCompilesWithoutWarningsAndTrains() throws IOException {
        Ran made = Ran.hocket(here, "new", "my-demo");
        assertThat(made.status()).as(made.err()).isZero();
        assertThat(made.err())
                .contains(
                        "first mvn install -Dmaven.test.skip=true in Hocket's folder",
                        "next  cd my-demo && mvn verify");
        Path project = here.resolve("my-demo");
        List<String> readme = Files.readAllLines(project.resolve("README.md"));
        assertThat(
                        readme.indexOf(
                                "mvn install -Dmaven.test.skip=true     # in Hocket's folder, once: puts Hocket where Maven finds it"))
                .as("before what needs it")
                .isPositive()
                .isLessThan(lineOf(readme, "mvn verify "));
        compile(project, "target/classes", "src/main/java");
        compile(project, "target/test-classes", "src/test/java");
        assertThat(Files.readString(project.resolve("pom.xml")))
                .contains("<hocket.version>" + Version.number(), "<artifactId>my-demo</artifactId>")
                .doesNotContain("@", "${junit");

        Ran plan = Ran.hocket(project, "plan", "experiment.yaml", "--classpath", "target/classes");
        assertThat(plan.err()).isEmpty();
        assertThat(plan.out()).contains("my-demo: points on a ring", "choose(Balance[band=1.2, patience=5]; d, g)");
        Ran run = Ran.hocket(
                project,
                "run",
                "experiment.yaml",
                "--classpath",
                "target/classes",
                "--set",
                "rounds=60",
                "--set",
                "evaluation.samples=100",
                "--out",
                "run");
        assertThat(run.status()).as(run.err()).isZero();
        assertThat(run.err()).contains("scores   coverage ", "high_quality", "populated_modes");
        Ran again = Ran.hocket(project, "eval", "run");
        assertThat(again.status()).as(again.err()).isZero();

        Ran withoutClasses = Ran.hocket(project, "plan", "experiment.yaml");
        assertThat(withoutClasses.status()).isEqualTo(2);
        assertThat(withoutClasses.err()).contains("there is no class mydemo.PointGan", "--classpath adds a jar");
    }

    private static int lineOf(List<String> lines, String begin) {
        return (int) lines.stream().takeWhile(line -> !line.startsWith(begin)).count();
    }

    @Test
    void theCommandsToGoOnWithCanBePasted() {
        assertThat(Ran.hocket(here, "new", "my folder/demo").err())
                .contains("cd 'my folder/demo' && mvn verify")
                .doesNotContain("cd my");
        Ran written = Ran.hocket(here, "run", "digits-gan", "--write", "it's $5/my gan.yaml");
        assertThat(written.status()).as(written.err()).isZero();
        assertThat(written.err()).contains("hocket plan '" + here + "/it'\\''s $5/my gan.yaml'");
        Ran plan = Ran.hocket(here, "plan", "it's $5/my gan.yaml");
        assertThat(plan.status()).as(plan.err()).isZero();
        assertThat(plan.out()).startsWith("my-gan: DCGAN");
    }

    private static void compile(Path project, String into, String sources) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        Path out = Files.createDirectories(project.resolve(into));
        StringWriter said = new StringWriter();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null);
                Stream<Path> all = Files.walk(project.resolve(sources))) {
            List<Path> code =
                    all.filter(file -> file.toString().endsWith(".java")).toList();
            String classpath =
                    project.resolve("target/classes") + File.pathSeparator + System.getProperty("java.class.path");
            List<String> options =
                    List.of("-d", out.toString(), "--release", "17", "-Xlint:all,-try", "-proc:none", "-cp", classpath);
            boolean fine = compiler.getTask(said, files, null, options, null, files.getJavaFileObjectsFromPaths(code))
                    .call();
            assertThat(fine).as(said.toString()).isTrue();
        }
        assertThat(said.toString().lines().filter(line -> line.contains(".java:")))
                .isEmpty();
    }

    @Test
    void aNameThatIsNoProjectsIsRefusedAndAFolderThatIsTakenLeftAlone() throws IOException {
        assertThat(Ran.hocket(here, "new", "3d").err()).contains("must be letters, digits, - and _, a letter first");
        assertThat(Ran.hocket(here, "new", "class").err()).contains("class is a Java keyword");
        Files.createDirectories(here.resolve("taken"));
        Files.writeString(here.resolve("taken/mine.txt"), "keep");
        Ran taken = Ran.hocket(here, "new", "taken");
        assertThat(taken.status()).isEqualTo(2);
        assertThat(taken.err()).contains("exists and is not empty");
        try (Stream<Path> files = Files.list(here.resolve("taken"))) {
            assertThat(files).hasSize(1);
        }
    }

    @Test
    void theClassPathAndTheCompletionArePrinted() {
        assertThat(Ran.hocket(here, "classpath").out()).contains("programs");
        assertThat(Ran.hocket(here, "completion").out())
                .contains("complete -F _complete_hocket", "--resume", "\"digits-gan\"", "\"r1\"", "\"dcgan/16\"");
    }
}
