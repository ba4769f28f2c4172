package hocket.workbench.files.forms;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** A union's alternatives, which are built at the first use. */
class UnionFormTest {
    private static final int THREADS = 4;

    /** A length in one of several units. */
    public sealed interface Length {
        /** A length in metres. */
        record Metres(int metres) implements Length {}

        /** A length in feet. */
        record Feet(int feet) implements Length {}

        /** A length in miles. */
        record Miles(int miles) implements Length {}
    }

    /** A server lists runs in parallel, and their files are the first that it reads. */
    @Test
    void threadsThatReadAFormFirstSeeAllItsKeys() throws Exception {
        Classes classes = Classes.of(List.<Path>of());
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            for (int i = 0; i < 300; i++) {
                UnionForm form = new UnionForm(Length.class);
                CyclicBarrier together = new CyclicBarrier(THREADS);
                List<Future<Collection<String>>> seen = new ArrayList<>();
                for (int t = 0; t < THREADS; t++) {
                    Callable<Collection<String>> read = () -> {
                        together.await();
                        return List.copyOf(form.choices(classes));
                    };
                    seen.add(threads.submit(read));
                }
                for (Future<Collection<String>> keys : seen) {
                    assertThat(keys.get()).containsExactly("metres", "feet", "miles");
                }
            }
        } finally {
            threads.shutdownNow();
        }
    }
}
