package hocket.schedulers.runs;

import static hocket.schedulers.Budget.rounds;
import static hocket.schedulers.Trigger.everyRounds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hocket.schedulers.Definition;
import hocket.schedulers.Event;
import hocket.schedulers.LiveRun;
import hocket.schedulers.Next;
import hocket.schedulers.Plan;
import hocket.schedulers.Resample;
import hocket.schedulers.Ring;
import hocket.schedulers.Run;
import hocket.schedulers.Setup;
import hocket.schedulers.Toy;
import hocket.schedulers.Trigger;
import hocket.schedulers.checkpoint.CheckpointPolicy;
import hocket.schedulers.checkpoint.CheckpointPolicy.IfRefused;
import hocket.schedulers.checkpoint.Checkpoints;
import hocket.schedulers.checkpoint.FileWork;
import hocket.schedulers.commands.Command;
import hocket.schedulers.commands.Steering;
import hocket.schedulers.evaluation.Evaluation;
import hocket.schedulers.rings.KeepBest;
import hocket.schedulers.rings.TriggeredAction;
import hocket.scopes.Parameters;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checkpoints that are written while training goes on are those that it would have waited for. */
class SavingTest {
    private static final CheckpointPolicy BACKGROUND = new CheckpointPolicy(100, 0, 0, true, IfRefused.STOP);

    @TempDir
    private Path here;

    private final List<Long> saved = new ArrayList<>();
    private final List<Long> saving = new ArrayList<>();
    private final List<String> refused = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();

    private void train(Path folder, CheckpointPolicy policy) {
        try (LiveRun run = gan().begin(7, 1)) {
            run.scheduler()
                    .saveTo(folder, policy)
                    .ring(TriggeredAction.save(everyRounds(1)))
                    .listen(this::hear);
            run.run();
        }
    }

    private void hear(Event event) {
        if (event instanceof Event.Saving) {
            saving.add(event.at().step());
        } else if (event instanceof Event.Saved) {
            saved.add(event.at().step());
        } else if (event instanceof Event.NotSaved not) {
            refused.add(not.why());
        } else if (event instanceof Event.Noted note) {
            notes.add(note.name() + ": " + note.text());
        }
    }

    private static Definition gan() {
        return () -> {
            Toy.Gan gan = Toy.gan();
            return Setup.of(gan.graph(), Plan.sequence(gan.d().times(2), gan.g(), gan.ema()), rounds(12))
                    .copy("generator/**", "ema/generator/**")
                    .feed(Toy.rows("image", 24, 4).batches(8), Resample.EACH_TURN);
        };
    }

    @Test
    void theyAreTheSameFilesAndHeardInTheirOrder() throws IOException {
        train(here.resolve("waiting"), new CheckpointPolicy(100, 0, 0, false, IfRefused.STOP));
        List<Long> waiting = List.copyOf(saved);
        saved.clear();
        train(here.resolve("background"), BACKGROUND);
        assertThat(saved).isEqualTo(waiting).hasSize(12);
        assertThat(Checkpoints.numbers(here.resolve("background"))).isEqualTo(waiting);
        for (long number : waiting) {
            for (String file : List.of("state.json", "tensors.safetensors", "SHA256SUMS")) {
                String place = String.format("%08d/%s", number, file);
                assertThat(here.resolve("background").resolve(place))
                        .hasSameBinaryContentAs(here.resolve("waiting").resolve(place));
            }
        }
    }

    @Test
    void aDiskThatRefusesStopsTheRunOrIsHeardOf() throws IOException {
        Path file = Files.writeString(here.resolve("file"), "");
        assertThatThrownBy(() -> train(file.resolve("checkpoints"), BACKGROUND))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("could not be written");
        assertThat(refused).isEmpty();
        train(file.resolve("checkpoints"), new CheckpointPolicy(3, 0, 0, true, IfRefused.GO_ON));
        assertThat(saved).isEmpty();
        assertThat(refused).hasSize(12).allMatch(why -> why.contains("could not be written"));
    }

    /** As a notebook leaves a folder in one, or a network disk the name of a mapped file; a person's files stay. */
    @Test
    void anOlderOneThatCannotBeDeletedIsHeardOfAndTheRunGoesOn() throws IOException {
        try (LiveRun run = gan().begin(7, 1)) {
            run.scheduler()
                    .saveTo(here, new CheckpointPolicy(1, 0, 0, true, IfRefused.STOP))
                    .ring(TriggeredAction.save(everyRounds(4)))
                    .listen(event -> {
                        hear(event);
                        if (event instanceof Event.Saved && saved.size() == 1) {
                            occupy(here.resolve(Checkpoints.name(event.at().step())));
                        }
                    });
            run.run();
        }
        assertThat(saved).hasSize(3);
        assertThat(refused).isEmpty();
        assertThat(notes)
                .hasSize(2)
                .allMatch(note -> note.startsWith("saving: checkpoint ")
                        && note.contains("was written, but older ones could not be deleted"));
        assertThat(Checkpoints.numbers(here)).containsExactly(saved.get(2));
        assertThat(here.resolve(Checkpoints.name(saved.get(0)) + ".unfinished/mine/more"))
                .isDirectory();
    }

    /** Something of a person's own, in a checkpoint. */
    private static void occupy(Path checkpoint) {
        FileWork.run("", () -> Files.createDirectories(checkpoint.resolve("mine/more")));
    }

    @Test
    void aPersonWhoSavesIsToldThatItWasNotSaved() throws IOException {
        Path file = Files.writeString(here.resolve("file"), "");
        try (LiveRun run = gan().begin(7, 1)) {
            Steering steering = new Steering(Steering.Journal.none(), () -> false);
            List<String> answers = new ArrayList<>();
            run.scheduler()
                    .saveTo(file.resolve("checkpoints"), new CheckpointPolicy(3, 0, 0, true, IfRefused.GO_ON))
                    .on(everyRounds(8), now -> {
                        try {
                            answers.add(new Command.Save().applyTo(run.scheduler(), steering));
                        } catch (IllegalStateException e) {
                            answers.add(String.valueOf(e.getMessage()));
                            run.scheduler().saveTo(here.resolve("room"), BACKGROUND);
                            answers.add(new Command.Save().applyTo(run.scheduler(), steering));
                        }
                    });
            run.run();
            assertThat(answers).hasSize(2);
            assertThat(answers.get(0)).contains("could not be written");
            assertThat(answers.get(1)).isEqualTo("saved turn 32");
            assertThat(run.setup().without("save").without("save").rings()).isNotEmpty();
        }
    }

    @Test
    void whatIsToBeOnTheDeviceBeforeACheckpointIsThereFirstOrTheCheckpointIsRefused() throws IOException {
        List<Boolean> wasThere = new ArrayList<>();
        try (LiveRun run = gan().begin(7, 1)) {
            run.scheduler()
                    .saveTo(here, new CheckpointPolicy(100, 0, 0, true, IfRefused.GO_ON))
                    .savesAfter(() -> {
                        wasThere.add(Files.exists(here.resolve(Checkpoints.name(4L * (wasThere.size() + 1)))));
                        if (wasThere.size() == 2) {
                            throw new UncheckedIOException("metrics could not be written", new IOException("full"));
                        }
                    })
                    .ring(TriggeredAction.save(everyRounds(1)))
                    .listen(this::hear);
            run.run();
        }
        assertThat(wasThere).hasSize(12).containsOnly(false);
        assertThat(refused).containsExactly("metrics could not be written");
        assertThat(Checkpoints.numbers(here)).hasSize(11).isEqualTo(saved).doesNotContain(8L);
    }

    @Test
    void theFolderOfAnotherRunIsRefusedAndItsOwnIsNot() {
        train(here, BACKGROUND);
        assertThatThrownBy(() -> train(here, BACKGROUND))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(here + " holds checkpoints of another run, [")
                .hasMessageContaining("resume from one by resumeFrom, or save to another folder");
    }

    @Test
    void aRunThatGoesOnFromOneFolderDoesNotSaveIntoThatOfAnother() throws IOException {
        Path other = here.resolve("other");
        train(here.resolve("own"), BACKGROUND);
        train(other, BACKGROUND);
        saved.clear();
        try (LiveRun run = gan().begin(7, 1)) {
            run.scheduler().resumeFrom(here.resolve("own"));
            run.scheduler().saveTo(other, BACKGROUND).ring(TriggeredAction.save(everyRounds(1)));
            run.scheduler().listen(event -> saved.add(event.at().step()));
            assertThatThrownBy(() -> run.scheduler().run(rounds(14)))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining(other + " holds checkpoints of another run, [");
            assertThat(saved).as("refused before its first turn").isEmpty();
            run.scheduler().saveTo(here.resolve("own"), BACKGROUND).run(rounds(14));
        }
        assertThat(Checkpoints.numbers(other)).hasSize(12);
        assertThat(Checkpoints.numbers(here.resolve("own"))).hasSize(14);
    }

    @Test
    void theCheckpointOfTheEndIsNotToBeMissedWhateverIsAsked() throws IOException {
        Path file = Files.writeString(here.resolve("file"), "");
        try (LiveRun run = gan().begin(7, 1)) {
            run.scheduler()
                    .saveTo(file.resolve("checkpoints"), new CheckpointPolicy(3, 0, 0, true, IfRefused.GO_ON))
                    .ring(TriggeredAction.save(Trigger.atEnd()));
            assertThatThrownBy(run::run)
                    .isInstanceOf(UncheckedIOException.class)
                    .hasMessageContaining("be written");
        }
    }

    @Test
    void whoHearsOfAFailureHasHeardOfWhatWasSavedBefore() {
        try (LiveRun run = gan().begin(7, 1)) {
            List<Long> before = new ArrayList<>();
            run.scheduler()
                    .saveTo(here, BACKGROUND)
                    .listen(event -> {
                        hear(event);
                        if (event instanceof Event.Descended && !saving.isEmpty()) {
                            throw new IllegalStateException("broken");
                        }
                    })
                    .ring(TriggeredAction.save(everyRounds(3)))
                    .ring(new Ring() {
                        @Override
                        public void run(Run whole, Next next) {
                            try {
                                next.proceed();
                            } catch (RuntimeException e) {
                                before.addAll(saved);
                                throw e;
                            }
                        }
                    });
            assertThatThrownBy(run::run).hasMessageContaining("broken");
            assertThat(before).isEqualTo(saving).hasSize(1);
        }
    }

    @Test
    void whoKeepsTheBestSeesTheCheckpointsThatWereSavedBefore() {
        List<Long> there = new ArrayList<>();
        Evaluation judged = new Evaluation() {
            @Override
            public SortedMap<String, Double> scores(Parameters parameters) {
                return new TreeMap<>(Map.of("return", 1.0));
            }

            @Override
            public Optional<Merit> merit() {
                return Optional.of(new Merit("return", true));
            }

            @Override
            public Evaluation selecting(int episodes) {
                return this;
            }
        };
        KeepBest best = new KeepBest(everyRounds(1), judged, OptionalInt.empty());
        best.keepBestIn((step, scores, merit, state) -> {
            there.add((long) saved.size());
            return false;
        });
        try (LiveRun run = gan().begin(7, 1)) {
            run.scheduler()
                    .saveTo(here, BACKGROUND)
                    .ring(TriggeredAction.save(everyRounds(1)))
                    .ring(best)
                    .listen(this::hear);
            run.run();
        }
        // it is asked before that of its own round is begun
        assertThat(there).containsExactly(0L, 1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L, 10L, 11L);
    }
}
