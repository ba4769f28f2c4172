package hocket.workbench.training;

import static hocket.programs.Layers.dense;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.square;
import static hocket.programs.Operators.subtract;
import static hocket.programs.Operators.tanh;
import static hocket.schedulers.optimizers.Optimizers.adam;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import hocket.programs.Graph;
import hocket.programs.Loss;
import hocket.programs.Mode;
import hocket.programs.Network;
import hocket.programs.Program;
import hocket.programs.Session.Feeds;
import hocket.programs.Value;
import hocket.schedulers.Next;
import hocket.schedulers.Ring;
import hocket.schedulers.Rows;
import hocket.schedulers.Run;
import hocket.schedulers.Turn;
import hocket.schedulers.checkpoint.Checkpoints;
import hocket.schedulers.state.State;
import hocket.scopes.Shape;
import hocket.scopes.Tensor;
import hocket.workbench.files.UserError;
import hocket.workbench.testing.json.Parsed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is around a loop of one's own that extends {@link Experiment}. */
@Tag("engine")
class ExperimentTest {
    @TempDir
    Path here = Path.of("");

    /** A line through eight points; what it does can be changed by each test. */
    private static class Line extends Experiment {
        final List<String> seen = new ArrayList<>();
        private final long iterations;
        final Program fit;
        final Turn.Descend turn;
        private long validations;

        Line(Path folder, long iterations) {
            super(folder, 7, 1);
            this.iterations = iterations;
            Graph graph = new Graph();
            Value x = graph.input("x", Shape.of(1));
            Value y = graph.input("y", Shape.of(1));
            Network<Value, Value> net = graph.module("net", in -> dense("out", tanh(dense("in", in, 4)), 1));
            fit = Program.compile("fit", Mode.TRAIN, Loss.of(mean(square(subtract(net.apply(x), y)))));
            net.apply(y); // another call, so that paths need the program to be told apart
            turn = Turn.of("fit", fit).updates("net/**", adam(1e-2));
        }

        @Override
        protected void setupData() {
            float[] x = {-2, -1.5f, -1, -0.5f, 0.5f, 1, 1.5f, 2};
            Tensor column = Tensor.of(Shape.of(8, 1), x);
            feed(Rows.of("x", column).and("y", column).batches("rows", 4));
        }

        @Override
        protected Graph setupModel() {
            return fit.graph();
        }

        @Override
        protected void trainBatch() {
            descend(turn);
        }

        @Override
        protected long maxIteration() {
            return iterations;
        }

        @Override
        protected long validInterval() {
            return 3;
        }

        @Override
        protected long saveInterval() {
            return 4;
        }

        @Override
        protected void validate() {
            validations++;
            log("validation", "count", validations);
            Tensor rows = Tensor.of(Shape.of(2, 1), 0f, 1f);
            Tensor hidden = value(fit, "net/in", Feeds.of("x", rows).and("y", rows));
            seen.add(iteration() + " " + hidden.shape());
        }

        @Override
        protected State saveOwn() {
            return State.empty().with("validations", validations);
        }

        @Override
        protected void restoreOwn(State state) {
            validations = state.whole("validations");
        }
    }

    private State newest(String folder) throws IOException {
        return Checkpoints.readLatest(here.resolve(folder).resolve("checkpoints"));
    }

    @Test
    void itValidatesAndSavesAtItsIntervalsAndWritesDownWhatItIs() throws IOException {
        Line line = new Line(here.resolve("a"), 10);
        line.run();
        assertThatThrownBy(line::resume)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("create another one for another run");
        assertThat(line.seen).containsExactly("3 (2,4)", "6 (2,4)", "9 (2,4)");
        assertThat(Checkpoints.numbers(here.resolve("a/checkpoints"))).containsExactly(4L, 8L, 10L);
        assertThat(newest("a").state("rings").state("experiment").state("own").whole("validations"))
                .isEqualTo(3);
        assertThat(Parsed.objects(here.resolve("a/metrics.jsonl")))
                .anyMatch(figure -> figure.path("turn").asText().equals("fit")
                        && figure.path("name").asText().equals("loss"))
                .anyMatch(figure -> figure.path("name").asText().equals("count")
                        && figure.path("round").asLong() == 9
                        && figure.path("value").asDouble() == 3);
        assertThat(Files.readString(here.resolve("a/configuration.json")))
                .contains(
                        "\"experiment\" : \"" + Line.class.getName() + "\"", "\"seed\" : 7", "\"max_iteration\" : 10");
    }

    @Test
    void itGoesOnToTheSameBitsWithItsOwnState() throws IOException {
        new Line(here.resolve("whole"), 12).run();
        new Line(here.resolve("part"), 7).run();
        new Line(here.resolve("part"), 12).resume();
        assertThat(newest("part")).isEqualTo(newest("whole"));
    }

    @Test
    void whileItRunsNoOtherOneWritesIntoItsFolder() throws IOException {
        List<Throwable> refused = new ArrayList<>();
        new Line(here.resolve("a"), 6) {
            @Override
            protected void validate() {
                refused.add(catchThrowable(() -> new Line(folder(), 12).resume()));
                refused.add(catchThrowable(() -> new Line(folder(), 12).run()));
            }
        }.run();
        assertThat(refused)
                .hasSize(4)
                .allSatisfy(why ->
                        assertThat(why).isInstanceOf(UserError.class).hasMessageContaining("is being written by"));
        new Line(here.resolve("a"), 12).resume();
        assertThat(Checkpoints.numbers(here.resolve("a/checkpoints"))).containsExactly(6L, 8L, 12L);
    }

    @Test
    void whatItIsIsReplacedAtOnceAndNotWrittenOver() throws IOException {
        new Line(here.resolve("a"), 3).run();
        Path before = Files.createLink(here.resolve("before"), here.resolve("a/configuration.json"));
        new Line(here.resolve("a"), 5).resume();
        assertThat(before).content().contains("\"max_iteration\" : 3");
        assertThat(here.resolve("a/configuration.json")).content().contains("\"max_iteration\" : 5");
    }

    @Test
    void ringsOfOnesOwnAreAroundAndAStopEnds() {
        Line line = new Line(here.resolve("a"), 10) {
            @Override
            protected List<Ring> rings() {
                return List.of(new Ring() {
                    @Override
                    public void round(Run run, Next next) {
                        next.proceed();
                        seen.add("round");
                    }
                });
            }

            @Override
            protected void validate() {
                stop();
            }
        };
        line.run();
        assertThat(line.seen).containsExactly("round", "round", "round");
    }

    @Test
    void aFailureIsLoggedWithWhereItCameFromAndAFolderIsForOneRun() throws IOException {
        Line failing = new Line(here.resolve("a"), 10) {
            @Override
            protected void validate() {
                throw new ArithmeticException("too far");
            }
        };
        assertThatThrownBy(failing::run).isInstanceOf(ArithmeticException.class).hasMessage("too far");
        assertThat(here.resolve("a/log.txt")).content().contains("failed", "ArithmeticException: too far", "\tat ");
        assertThatThrownBy(failing::run).isInstanceOf(UserError.class);
        assertThatThrownBy(() -> new Line(here.resolve("a"), 10).run()).isInstanceOf(UserError.class);
        assertThatThrownBy(() -> new Line(here.resolve("none"), 10).resume()).isInstanceOf(IOException.class);
        Path foreign = Files.createDirectories(here.resolve("foreign"));
        Files.writeString(foreign.resolve("letter.txt"), "not ours");
        assertThatThrownBy(() -> new Line(foreign, 10).resume())
                .isInstanceOf(IOException.class)
                .hasMessage("there is no checkpoint in " + foreign.resolve("checkpoints"));
        assertThat(foreign.resolve("lock")).doesNotExist();
    }

    @Test
    void anotherDeviceAndAnUnknownPathAreRefused() {
        Line elsewhere = new Line(here.resolve("a"), 10) {
            @Override
            protected String device() {
                return "gpu";
            }
        };
        assertThatThrownBy(elsewhere::run).hasMessage("device gpu: Hocket computes on the cpu only");
        assertThat(here.resolve("a")).doesNotExist();
        Line lost = new Line(here.resolve("b"), 10) {
            @Override
            protected void validate() {
                value(fit, "net/inn", Feeds.rows(1));
            }
        };
        assertThatThrownBy(lost::run)
                .hasMessageContaining("no value is called net/inn")
                .hasMessageContaining("net");
    }

    /** Steers by values that are drawn with noise. */
    private static class Noisy extends Line {
        private final Program noise;
        private double sum;

        Noisy(Path folder) {
            super(folder, 9);
            noise = Program.compile("noise", Mode.EVAL, fit.graph().noise("noise", Shape.of(1)));
        }

        @Override
        protected void validate() {
            sum += compute(noise, Feeds.rows(1)).get(0).get(0);
            log("noise", "sum", sum);
        }

        @Override
        protected State saveOwn() {
            return State.empty().with("sum", sum).with("at", iteration());
        }

        @Override
        protected void restoreOwn(State state) {
            sum = state.real("sum");
        }
    }

    @Test
    void whatIsDrawnAndRecordedAfterAResumeIsThatOfTheWholeRun() throws IOException {
        new Noisy(here.resolve("whole")).run();
        Noisy broken = new Noisy(here.resolve("parts")) {
            @Override
            protected void trainBatch() {
                descend(turn);
                if (iteration() == 7) {
                    throw new IllegalStateException("broken off");
                }
            }
        };
        assertThatThrownBy(broken::run).hasMessage("broken off");
        new Noisy(here.resolve("parts")).resume(); // from 4, behind the validation of 6
        assertThat(newest("parts")).isEqualTo(newest("whole"));
        assertThat(figures("parts")).isEqualTo(figures("whole"));
    }

    private List<String> figures(String folder) throws IOException {
        return Parsed.objects(here.resolve(folder).resolve("metrics.jsonl")).stream()
                .filter(figure -> !figure.has("interim"))
                .map(figure -> figure.path("round") + " " + figure.path("name") + " " + figure.path("value"))
                .toList();
    }

    @Test
    void whatIsRefusedLeavesNoFolder() {
        assertThatThrownBy(() -> new Line(here.resolve("a"), -1).run()).isInstanceOf(IllegalArgumentException.class);
        assertThat(here.resolve("a")).doesNotExist();
    }
}
