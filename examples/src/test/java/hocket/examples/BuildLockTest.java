package hocket.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code ./hocket} in a folder whose build is not there, beside a Maven that builds it. */
@Tag("processes")
class BuildLockTest {
    private static final Path ROOT =
            Path.of(System.getProperty("hocket.root", "..")).toAbsolutePath().normalize();

    @TempDir
    Path folder;

    private final List<Process> started = new ArrayList<>();

    @BeforeEach
    void copyTheLauncher() throws IOException {
        assumeTrue(Files.isExecutable(Path.of("/bin/ps")) || Files.isExecutable(Path.of("/usr/bin/ps")), "needs ps");
        folder = folder.toRealPath();
        Files.copy(ROOT.resolve("hocket"), folder.resolve("hocket"));
        Path bin = Files.createDirectory(folder.resolve("bin"));
        script(bin.resolve("mvn"), "echo built >> " + folder.resolve("builds") + "; exit 1");
    }

    private static void script(Path file, String text) throws IOException {
        Files.writeString(file, "#!/bin/sh\n" + text + "\n");
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }

    @AfterEach
    void endAll() {
        started.forEach(Process::destroyForcibly);
    }

    /** A process with the arguments of Maven's that lasts until a file is there. */
    private Process maven(Path builds) throws IOException {
        return start(
                "maven.txt",
                "bash",
                "-c",
                "until [ -e end ]; do sleep 0.1; done; \"$@\"",
                "-Dmaven.home=/x -Dmaven.multiModuleProjectDirectory=" + builds
                        + " org.codehaus.plexus.classworlds.launcher.Launcher verify",
                "true");
    }

    private Process hocket() throws IOException {
        return start("said.txt", "bash", folder.resolve("hocket").toString(), "list");
    }

    private Process start(String said, String... command) throws IOException {
        File err = folder.resolve(said).toFile();
        ProcessBuilder builder = new ProcessBuilder(Arrays.asList(command))
                .directory(folder.toFile())
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(err);
        builder.environment().merge("PATH", folder.resolve("bin").toString(), (path, bin) -> bin + ":" + path);
        Process process = builder.start();
        started.add(process);
        return process;
    }

    private String said() throws IOException {
        return Files.readString(folder.resolve("said.txt"));
    }

    private static void await(Process process) throws InterruptedException {
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void aBuildBeginsOnlyWhenNoOtherMavenBuildsTheFolder() throws Exception {
        Process maven = maven(folder);
        Process hocket = hocket();
        while (hocket.isAlive() && !said().contains("waiting")) {
            Thread.sleep(50);
        }
        assertThat(said()).isEqualTo("waiting for the Maven build of this folder (process " + maven.pid() + ")...\n");
        assertThat(folder.resolve("builds")).doesNotExist();
        Files.createFile(folder.resolve("end"));
        await(hocket);
        assertThat(folder.resolve("builds")).hasContent("built");
    }

    @Test
    void aMavenThatBuildsAnotherFolderIsNotWaitedFor() throws Exception {
        maven(Files.createDirectory(folder.resolve("other")));
        Process hocket = hocket();
        await(hocket);
        assertThat(said()).startsWith("building Hocket").doesNotContain("waiting");
        assertThat(folder.resolve("builds")).hasContent("built");
    }

    @Test
    void aCommandThatTheBuildItselfStartsTooEarlyIsRefused() throws Exception {
        Process within = start(
                "said.txt",
                "bash",
                "-c",
                "./hocket list; exit $?",
                "-Dmaven.home=/x -Dmaven.multiModuleProjectDirectory=" + folder
                        + " org.codehaus.plexus.classworlds.launcher.Launcher verify");
        await(within);
        assertThat(within.exitValue()).isEqualTo(1);
        assertThat(said()).contains("hocket: is called by the Maven build of " + folder);
        assertThat(folder.resolve("builds")).doesNotExist();
    }
}
