package hocket.workbench.plans;

import hocket.programs.Lowering;
import hocket.programs.Mode;
import hocket.programs.Program;
import hocket.schedulers.Phase;
import hocket.schedulers.Rehearsal;
import hocket.schedulers.Rehearsal.Stretch;
import hocket.schedulers.Setup;
import hocket.schedulers.Turn;
import hocket.schedulers.Writes;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * What an experiment would do, found without training: facts, which {@link PlanText} prints for people and {@code --json}
 * for programs.
 *
 * @param settings all that can be changed, as it is
 * @param dependencies which module takes values of which
 * @param pairs what each two programs have to do with each other
 * @param shared what several turns write
 * @param rings what is around training, from the outermost on
 * @param memory that it takes
 * @param workers who shares the rows of turns
 * @param next the first turns
 * @param warnings what looks wrong
 */
public record PlanFacts(
        String name,
        String summary,
        long seed,
        Map<String, String> settings,
        List<ProgramFacts> programs,
        List<ScopeFacts> scopes,
        List<DependencyFacts> dependencies,
        List<PairFacts> pairs,
        List<TurnFacts> turns,
        List<SharedFacts> shared,
        List<FeedFacts> feeds,
        List<PhaseFacts> phases,
        List<RingFacts> rings,
        MemoryFacts memory,
        WorkersFacts workers,
        List<Stretch> next,
        List<String> warnings) {
    /** How many of the first turns are shown. */
    static final int NEXT = 40;

    /**
     * A program.
     *
     * @param name with who runs it, where two have the same
     * @param purpose who runs it, for people
     * @param turns that descend it
     * @param from inputs and noises
     * @param to what it computes
     * @param readings modules that it computes with the parameters of others
     */
    record ProgramFacts(
            String name,
            Mode mode,
            String purpose,
            List<String> turns,
            List<ValueFacts> from,
            List<TargetFacts> to,
            List<Modules.Reading> readings) {}

    /**
     * The facts of a setup that was made in Java.
     *
     * @param name by which the text calls it
     * @param seed by which schedules that draw are rehearsed
     * @throws IllegalArgumentException if the plan is refused, or its sources do not fit it
     */
    public static PlanFacts of(String name, long seed, Setup setup) {
        return of(name, "", seed, Map.of(), setup.turnsByName().keySet(), setup);
    }

    /**
     * The facts of an experiment.
     *
     * @param defined the names of all turns that were written down, whether a plan takes them or not
     * @throws IllegalArgumentException if the plan is refused, or its sources do not fit it
     */
    public static PlanFacts of(
            String name,
            String summary,
            long seed,
            Map<String, String> settings,
            Collection<String> defined,
            Setup setup) {
        return of(name, summary, seed, settings, defined, setup, List.of());
    }

    /** The same, with programs that turns of Java may run. */
    public static PlanFacts of(
            String name,
            String summary,
            long seed,
            Map<String, String> settings,
            Collection<String> defined,
            Setup setup,
            Collection<Program> further) {
        Basis basis = Basis.of(setup, further);
        Globs globs = new Globs(setup.declarations());
        List<Turn.Descend> descending = setup.descending();
        List<Stretch> next = basis.next(seed);
        return new PlanFacts(
                name,
                summary,
                seed,
                settings,
                basis.uses().stream().map(use -> program(use, basis.modules())).toList(),
                basis.scopes(),
                DependencyFacts.of(basis.uses(), basis.modules()),
                PairFacts.of(setup, basis.writes(), basis.uses(), basis.modules()),
                setup.turnsByName().values().stream()
                        .map(turn -> TurnFacts.of(turn, basis.writes(), basis.uses(), globs))
                        .toList(),
                SharedFacts.of(basis.writes(), globs),
                setup.feeds().stream()
                        .map(feed -> FeedFacts.of(feed, descending))
                        .toList(),
                setup.phases().stream()
                        .map(phase -> PhaseFacts.of(
                                phase, setup.feeds(), basis.rounds().apply(phase)))
                        .toList(),
                RingFacts.of(setup.rings()),
                basis.memory(),
                WorkersFacts.of(setup, basis.uses(), next),
                next,
                basis.warnings(seed, defined));
    }

    /**
     * The warnings among these facts, without the rest of them.
     *
     * @param seed by which schedules that draw are rehearsed
     * @param defined the names of all turns that were written down, whether a plan takes them or not
     * @param further programs that turns of Java may run
     * @throws IllegalArgumentException if the plan is refused, or its sources do not fit it
     */
    public static List<String> warnings(
            Setup setup, long seed, Collection<String> defined, Collection<Program> further) {
        return Basis.of(setup, further).warnings(seed, defined);
    }

    /** What facts and warnings are found from. */
    private record Basis(
            Setup setup,
            Writes writes,
            List<Use> uses,
            Modules modules,
            List<ScopeFacts> scopes,
            MemoryFacts memory,
            Function<Phase, Rounds> rounds) {
        static Basis of(Setup setup, Collection<Program> further) {
            Writes writes = setup.check();
            List<Use> uses = Use.of(setup, writes, further);
            Modules modules = new Modules(setup, uses.stream().map(Use::program).toList());
            return new Basis(
                    setup,
                    writes,
                    uses,
                    modules,
                    ScopeFacts.of(setup, writes, uses, modules),
                    MemoryFacts.of(setup, uses),
                    Rounds.of(setup));
        }

        List<String> warnings(long seed, Collection<String> defined) {
            return Stream.of(
                            slow(uses),
                            ParameterWarnings.of(setup, writes, uses, scopes),
                            RuleWarnings.of(setup),
                            CourseWarnings.of(setup, defined, seed, rounds),
                            memory.warnings(),
                            setup.warnings())
                    .flatMap(List::stream)
                    .distinct()
                    .toList();
        }

        /** The first turns. */
        List<Stretch> next(long seed) {
            return Rehearsal.of(
                            setup.phases(),
                            phase -> rounds.apply(phase).in(phase.budget()).orElse(Long.MAX_VALUE),
                            seed,
                            NEXT)
                    .stretches();
        }
    }

    private static ProgramFacts program(Use use, Modules modules) {
        Program program = use.program();
        return new ProgramFacts(
                use.label(),
                program.mode(),
                use.purpose(),
                use.turns(),
                program.feeds().stream().map(ValueFacts::of).toList(),
                TargetFacts.of(program),
                modules.readings(program));
    }

    /** Programs that only the slowest lowering can run, with what the others lack. */
    private static List<String> slow(List<Use> uses) {
        List<String> slow = new ArrayList<>();
        uses.forEach(use -> Lowering.referenceOnly(use.program())
                .ifPresent(why -> slow.add("program " + use.label()
                        + " runs on the reference only, which is many times as slow; others cannot run it: " + why)));
        return slow;
    }
}
