package hocket.workbench.runs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which folder a run takes where none was said, and which one goes on. */
class RunFolderTest {
    @TempDir
    private Path runs;

    private RunFolder next() {
        return RunFolder.free(runs, "toy.gan");
    }

    private RunFolder last() {
        return RunFolder.last(runs, "toy.gan");
    }

    private void run(String name) throws IOException {
        Files.createFile(Files.createDirectories(runs.resolve(name)).resolve("experiment.yaml"));
    }

    @Test
    void theNextOneComesAfterAllThatThereAre() throws IOException {
        assertThat(next().path()).isEqualTo(runs.resolve("toy.gan"));
        assertThat(RunFolder.free(runs.resolve("none"), "toy").path()).isEqualTo(runs.resolve("none/toy"));
        run("toy.gan");
        assertThat(next().path()).isEqualTo(runs.resolve("toy.gan-2"));
        run("toy.gan-3");
        run("toy.gan-10");
        assertThat(next().path()).isEqualTo(runs.resolve("toy.gan-11"));
        assertThat(last().path()).isEqualTo(runs.resolve("toy.gan-10"));
    }

    @Test
    void othersDoNotCount() throws IOException {
        for (String other : new String[] {"toy.gan-seeds", "toy.gan-05", "toy.gan-1", "toyxgan-7", "a-toy.gan-8"}) {
            run(other);
        }
        Files.createDirectories(runs.resolve("toy.gan-9"));
        assertThat(next().path()).isEqualTo(runs.resolve("toy.gan"));
        assertThat(last().path()).isEqualTo(runs.resolve("toy.gan"));
    }

    @Test
    void whatAKilledProcessLeftIsDeletedBesideItsLockAlone() throws IOException {
        Path base = Files.writeString(runs.resolve("base.yaml"), "mine");
        RunFolder folder = new RunFolder(runs);
        assertThatThrownBy(() -> folder.begin(Set.of("base.yaml"))).hasMessageContaining("exists and is not empty");
        assertThat(base).hasContent("mine");
        Files.createFile(runs.resolve("lock"));
        folder.begin(Set.of("base.yaml")).close();
        assertThat(base).doesNotExist();
    }

    @Test
    void oneThatWasKilledBeforeItBeganIsNotGoneOnWith() throws IOException {
        run("toy.gan-2");
        Files.createFile(Files.createDirectories(runs.resolve("toy.gan-3")).resolve("lock"));
        assertThat(last().path()).isEqualTo(runs.resolve("toy.gan-2"));
        assertThat(next().path()).isEqualTo(runs.resolve("toy.gan-4"));
    }
}
