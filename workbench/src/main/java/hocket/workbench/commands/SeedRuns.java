package hocket.workbench.commands;

import hocket.schedulers.Evaluation;
import hocket.schedulers.checkpoint.Reason;
import hocket.schedulers.checkpoint.WholeFile;
import hocket.workbench.experiment.ExperimentFile;
import hocket.workbench.plot.SeedCurves;
import hocket.workbench.processes.SideBySide;
import hocket.workbench.runs.BrokenOff;
import hocket.workbench.runs.Failure;
import hocket.workbench.runs.RunFolder;
import hocket.workbench.runs.SeedFacts;
import hocket.workbench.runs.Selected;
import hocket.workbench.runs.Workplace;
import hocket.workbench.terminal.Figures;
import hocket.workbench.terminal.Refusal;
import hocket.workbench.training.Stop;
import hocket.workbench.training.Training;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One experiment by several seeds, each in a folder of its own: one after the other, or several at a time in other processes;
 * then what they have in common.
 *
 * @param settings changes to the experiment
 * @param count how many seeds, from the experiment's own on
 * @param atOnce how many other processes train at a time; 0 for one after the other in this one
 * @param runner by which of its runners; null for the usual one
 * @param resume whether a seed that was stopped goes on
 */
public record SeedRuns(
        Workplace workplace,
        ExperimentArguments selection,
        List<String> settings,
        int count,
        int atOnce,
        @Nullable String runner,
        boolean resume,
        boolean detectAnomalies,
        boolean forTensorBoard,
        boolean quiet) {
    private static final int MOST = 100;
    private static final Pattern OWN = Pattern.compile("seed-(-?\\d{1,18})");

    private static final String GOES_ON = "ended at once: nothing is lost, and the same command with --resume goes on";

    /** One seed: what is run and where. */
    private record Member(long seed, ExperimentFile file, List<String> changes, RunFolder folder, Todo todo) {}

    private enum Todo {
        BEGIN,
        GO_ON,
        NOTHING
    }

    /** @throws Refusal if there are too few or too many seeds, or the experiment comes through a pipe */
    public SeedRuns {
        if (count < 2 || count > MOST) {
            throw new Refusal("--seeds must be 2 to " + MOST + ", was " + count);
        }
        Path file = workplace.path(selection.name());
        if (Files.exists(file) && !Files.isRegularFile(file) && !Files.isDirectory(file)) {
            throw new Refusal("--seeds reads the experiment once for each seed, and " + selection.name()
                    + " is a pipe, which can be read only once: write the experiment into a file");
        }
    }

    /** The seeds that were begun in a folder of several; none where it is another one. */
    static SortedSet<Long> in(Path folder) {
        SortedSet<Long> seeds = new TreeSet<>();
        if (Files.isDirectory(folder) && !Files.exists(new RunFolder(folder).experiment())) {
            try (Stream<Path> entries = Files.list(folder)) {
                entries.forEach(entry -> {
                    Matcher name = OWN.matcher(String.valueOf(entry.getFileName()));
                    if (name.matches() && Files.isRegularFile(new RunFolder(entry).experiment())) {
                        seeds.add(Long.parseLong(name.group(1)));
                    }
                });
            } catch (IOException e) {
                throw new Refusal(folder + " cannot be listed: " + Reason.of(e), e);
            }
        }
        return seeds;
    }

    /**
     * Runs what has not been run. Nothing begins before all folders are seen to be free or to fit. A seed that cannot be
     * judged keeps none of the others from being run, nor does one that fails beside others. All compute with as many threads:
     * those that are said, or those of a seed that is there already; else, of several at a time, with an equal part of this
     * machine's cores.
     *
     * @param out where to; null for the usual folder
     * @return the exit status: 0, that of the signal which stopped it, or 1 where a seed failed or could not be judged
     * @throws BrokenOff if a seed fails on its way and not beside others, saying how all of them go on
     */
    public int into(@Nullable Path out, Stop stop) {
        if (resume) {
            stop.atRest(GOES_ON);
        }
        ExperimentFile first = file(settings);
        Selected selected = Selected.of(first, runner(first));
        if (selected.setup().evaluation().isEmpty()) {
            throw new Refusal("--seeds: experiment " + first.name()
                    + " says nothing of how to judge it, so there is nothing to compare");
        }
        Path folder = out != null ? out : workplace.path("runs").resolve(first.name() + "-seeds");
        if (Files.isRegularFile(folder)) {
            throw new Refusal(folder + " is a file: take another --out");
        }
        List<String> shared = new ArrayList<>(settings);
        threads(first, folder).ifPresent(threads -> shared.add("threads=" + threads));
        List<Member> members = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            members.add(member(first.spec().seed() + i, shared, first.spec().threads() > 0, folder));
        }
        Map<Member, String> failures = new HashMap<>();
        int status = atOnce > 0 ? sideBySide(members, failures, stop) : inTurn(members, folder, stop);
        stop.atRest(GOES_ON);
        if (status != 0) {
            return status;
        }
        List<Member> judged =
                members.stream().filter(member -> member.folder().isJudged()).toList();
        if (judged.size() > 1) {
            summarise(
                    first.name(),
                    judged,
                    folder,
                    selected.setup().evaluation().get().ranges());
        }
        for (Member member : members) {
            if (!judged.contains(member)) {
                workplace
                        .terminal()
                        .remark("hocket: seed " + member.seed() + " has no scores: "
                                + failures.getOrDefault(member, member.folder().log() + " may say why"));
            }
        }
        return judged.size() == members.size() ? 0 : Training.UNJUDGED;
    }

    /** With how many threads all compute, where nobody says so; empty for all of the machine's. */
    private OptionalInt threads(ExperimentFile file, Path folder) {
        SortedSet<Long> begun = in(folder);
        if (file.spec().threads() > 0) {
            return OptionalInt.empty();
        } else if (!begun.isEmpty()) {
            RunFolder there = new RunFolder(folder.resolve("seed-" + begun.first()));
            return OptionalInt.of(there.file(List.of(), selection.surroundings(workplace))
                    .spec()
                    .threads());
        }
        return atOnce == 0
                ? OptionalInt.empty()
                : OptionalInt.of(SideBySide.threads(Runtime.getRuntime().availableProcessors(), atOnce));
    }

    /** Gives the status where one was stopped, else 0. */
    private int inTurn(List<Member> members, Path folder, Stop stop) {
        for (Member member : members) {
            say(place(member, members) + (member.todo() == Todo.NOTHING ? ": is there already" : ""));
            int status = member.todo() == Todo.NOTHING ? 0 : run(member, folder, stop);
            stop.atRest(GOES_ON);
            if (status != 0 && status != Training.UNJUDGED) {
                say("next     the same command with --resume goes on with this seed, and then the others");
                return status;
            }
        }
        return 0;
    }

    private String place(Member member, List<Member> members) {
        return "seed " + member.seed() + ", " + (members.indexOf(member) + 1) + " of " + count;
    }

    /** Gives the status where they were stopped, else 0. */
    private int sideBySide(List<Member> members, Map<Member, String> failures, Stop stop) {
        Map<SideBySide.Job, Member> jobs = new LinkedHashMap<>();
        for (Member member : members) {
            if (member.todo() == Todo.NOTHING) {
                say(place(member, members) + ": is there already");
            } else {
                jobs.put(new SideBySide.Job("seed " + member.seed(), member.folder(), arguments(member)), member);
            }
        }
        jobs.values().stream()
                .findFirst()
                .ifPresent(next -> say("runs     " + atOnce + " at once, each with "
                        + Figures.counted(next.file().threads(), "thread") + "; Ctrl-C saves and stops them"));
        try (SideBySide beside = new SideBySide(workplace, atOnce, stop, quiet)) {
            beside.run("seeds", List.copyOf(jobs.keySet()), false, ended -> {
                boolean isFine = ended.status() == 0;
                if (!isFine) {
                    failures.put(Objects.requireNonNull(jobs.get(ended.job())), ended.reason());
                }
                say(ended.job().name()
                        + (isFine ? " is done after " : " failed after ")
                        + Figures.clock(ended.seconds()));
            });
        }
        if (stop.isRequested()) {
            say("next     the same command with --resume goes on with those that are not finished");
            return stop.status();
        }
        return 0;
    }

    /** What the command that runs one alone is given. */
    private List<String> arguments(Member member) {
        boolean goesOn = member.todo() == Todo.GO_ON;
        List<String> arguments = new ArrayList<>();
        arguments.add(goesOn ? member.folder().toString() : selection.name());
        arguments.addAll(
                goesOn ? List.of("--resume") : List.of("--out", member.folder().toString()));
        for (String change : goesOn ? selection.changes(List.of("seed=" + member.seed())) : member.changes()) {
            arguments.addAll(List.of("--set", change));
        }
        selection.jars().forEach(jar -> arguments.addAll(List.of("--classpath", jar)));
        if (runner != null) {
            arguments.addAll(List.of("--runner", runner));
        }
        if (detectAnomalies) {
            arguments.add("--detect-anomaly");
        }
        if (forTensorBoard) {
            arguments.add("--tensorboard");
        }
        return arguments;
    }

    private ExperimentFile file(List<String> changes) {
        return ExperimentFile.read(selection.name(), changes, selection.surroundings(workplace));
    }

    private String runner(ExperimentFile file) {
        return runner == null ? file.usualRunner() : runner;
    }

    private Member member(long seed, List<String> shared, boolean isThreadsSaid, Path folder) {
        List<String> changes = new ArrayList<>(shared);
        changes.add("seed=" + seed);
        ExperimentFile file = file(changes);
        RunFolder own = new RunFolder(folder.resolve("seed-" + seed));
        if (!Files.isRegularFile(own.experiment())) {
            own.requireFree();
            return new Member(seed, file, changes, own, Todo.BEGIN);
        }
        ExperimentFile before =
                ExperimentFile.read(own.experiment().toString(), List.of(), selection.surroundings(workplace));
        List<String> differences = new ArrayList<>(file.differences(before));
        if (!isThreadsSaid) {
            differences.remove("threads"); // open in the one, written down in the other
        }
        if (!before.name().equals(file.name()) || !differences.isEmpty()) {
            throw new Refusal(own + " is a run of " + before.name() + " with other settings"
                    + (differences.isEmpty() ? "" : " (" + String.join(", ", differences) + ")")
                    + ": take another --out");
        }
        if (own.isJudged() && file.hasBudgetOf(before)) {
            return new Member(seed, file, changes, own, Todo.NOTHING);
        }
        if (!resume) {
            throw new Refusal(
                    own + (own.isJudged() ? " has another budget" : " is not finished") + ": --resume goes on with it");
        }
        return new Member(seed, file, changes, own, Todo.GO_ON);
    }

    private int run(Member member, Path folder, Stop stop) {
        ExperimentFile file = member.file();
        boolean goesOn = member.todo() == Todo.GO_ON;
        if (goesOn) {
            file = member.folder()
                    .file(selection.changes(List.of("seed=" + member.seed())), selection.surroundings(workplace));
        }
        return new Training(workplace, file, runner(file), member.folder(), member.changes(), stop, quiet)
                .resumed(goesOn)
                .detectAnomalies(detectAnomalies)
                .forTensorBoard(forTensorBoard)
                .goesOnBy(Workplace.command("run", folder, "--seeds", count, "--resume"))
                .run();
    }

    private void summarise(String name, List<Member> members, Path folder, Map<String, Evaluation.Range> ranges) {
        SeedFacts facts = Failure.unless(() -> SeedFacts.of(
                name,
                members.stream().map(Member::seed).toList(),
                members.stream().map(member -> member.folder().scores()).toList(),
                ranges));
        Path written = folder.resolve("seeds.json");
        try {
            WholeFile.write(written, facts.json());
        } catch (IOException e) {
            throw new UncheckedIOException(written + " could not be written: " + Reason.ofWriting(e), e);
        }
        facts.lines().forEach(workplace.terminal()::say);
        say("wrote    " + written);
        Failure.unless(() -> SeedCurves.write(
                        name,
                        members.stream().map(member -> member.folder().path()).toList(),
                        folder))
                .forEach(file -> say("wrote    " + file));
    }

    private void say(String line) {
        if (!quiet) {
            workplace.terminal().remark(line);
        }
    }
}
