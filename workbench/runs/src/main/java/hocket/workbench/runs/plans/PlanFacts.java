package hocket.workbench.runs.plans;

import hocket.programs.Mode;
import hocket.programs.Program;
import hocket.schedulers.Phase;
import hocket.schedulers.Setup;
import hocket.schedulers.Turn;
import hocket.schedulers.plans.Rehearsal;
import hocket.schedulers.plans.Rehearsal.Interval;
import hocket.schedulers.turns.Writes;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The effects of an experiment, found without training: facts, which {@link PlanText} prints for people and {@code
 * --json} for programs.
 *
 * @param settings all settings with their values
 * @param dependencies which module reads values of which
 * @param pairs the relation between each two programs
 * @param shared arrays that several turns write
 * @param rings rings around training, from the outermost to the innermost
 * @param memory memory that training needs
 * @param workers how workers share the rows of turns
 * @param next the first turns
 * @param warnings what looks wrong, a sentence each
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
        List<Interval> next,
        List<String> warnings) {
    /** The number of first turns that are shown. */
    static final int NEXT = 40;

    /**
     * A program.
     *
     * @param name its name, with its purpose if two have the same
     * @param purpose its use, for people
     * @param turns turns that minimise it
     * @param from inputs and noises
     * @param to its outputs
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
     * Returns the facts of a setup that was built in Java.
     *
     * @param name name of the experiment in the text
     * @param seed seed for the rehearsal of random schedules
     * @throws IllegalArgumentException if the plan is invalid, or its sources do not match it
     */
    public static PlanFacts of(String name, long seed, Setup setup) {
        return of(name, "", seed, Map.of(), setup.turnsByName().keySet(), setup);
    }

    /**
     * Returns the facts of an experiment.
     *
     * @param defined the names of all declared turns, whether a plan takes them or not
     * @throws IllegalArgumentException if the plan is invalid, or its sources do not match it
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

    /** Returns these facts, with programs that Java turns may run. */
    public static PlanFacts of(
            String name,
            String summary,
            long seed,
            Map<String, String> settings,
            Collection<String> defined,
            Setup setup,
            Collection<Program> further) {
        Basis basis = Basis.of(setup, further);
        ParameterGlobs parameterGlobs = new ParameterGlobs(setup.declarations());
        List<Turn.Descend> descending = setup.descending();
        List<Interval> next = basis.next(seed);
        return new PlanFacts(
                name,
                summary,
                seed,
                settings,
                basis.uses().stream()
                        .map(programUse -> program(programUse, basis.modules()))
                        .toList(),
                basis.scopes(),
                DependencyFacts.of(basis.uses(), basis.modules()),
                PairFacts.of(setup, basis.writes(), basis.uses(), basis.modules()),
                setup.turnsByName().values().stream()
                        .map(turn -> TurnFacts.of(turn, basis.writes(), basis.uses(), parameterGlobs))
                        .toList(),
                SharedFacts.of(basis.writes(), parameterGlobs),
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
     * Returns only the warnings among these facts.
     *
     * @param seed seed for the rehearsal of random schedules
     * @param defined the names of all declared turns, whether a plan takes them or not
     * @param further programs that Java turns may run
     * @throws IllegalArgumentException if the plan is invalid, or its sources do not match it
     */
    public static List<String> warnings(
            Setup setup, long seed, Collection<String> defined, Collection<Program> further) {
        return Basis.of(setup, further).warnings(seed, defined);
    }

    /** The sources of facts and warnings. */
    private record Basis(
            Setup setup,
            Writes writes,
            List<ProgramUse> uses,
            Modules modules,
            List<ScopeFacts> scopes,
            MemoryFacts memory,
            Function<Phase, RoundCounts> rounds) {
        static Basis of(Setup setup, Collection<Program> further) {
            Writes writes = setup.check();
            List<ProgramUse> programUses = ProgramUse.of(setup, writes, further);
            Modules modules = new Modules(
                    setup, programUses.stream().map(ProgramUse::program).toList());
            return new Basis(
                    setup,
                    writes,
                    programUses,
                    modules,
                    ScopeFacts.of(setup, writes, programUses, modules),
                    MemoryFacts.of(setup, programUses),
                    RoundCounts.of(setup));
        }

        List<String> warnings(long seed, Collection<String> defined) {
            return Stream.of(
                            ParameterWarnings.of(setup, writes, uses, scopes),
                            RuleWarnings.of(setup),
                            ScheduleWarnings.of(setup, defined, seed, rounds),
                            memory.warnings(),
                            setup.warnings())
                    .flatMap(List::stream)
                    .distinct()
                    .toList();
        }

        /** The first turns. */
        List<Interval> next(long seed) {
            return Rehearsal.of(
                            setup.phases(),
                            phase -> rounds.apply(phase).in(phase.budget()).orElse(Long.MAX_VALUE),
                            seed,
                            NEXT)
                    .intervals();
        }
    }

    private static ProgramFacts program(ProgramUse programUse, Modules modules) {
        Program program = programUse.program();
        return new ProgramFacts(
                programUse.label(),
                program.mode(),
                programUse.purpose(),
                programUse.turns(),
                program.feeds().stream().map(ValueFacts::of).toList(),
                TargetFacts.of(program),
                modules.readings(program));
    }
}
