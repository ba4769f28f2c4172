package hocket.workbench.sweeps;

import hocket.schedulers.evaluation.Evaluation;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/**
 * The members of a population at each interval, from the results on the disk alone: a resumed sweep has the same
 * members, and their number at a time and their speed have no influence.
 *
 * @param firstSeed seed of the first member; each further one begins with the next
 */
record Population(SweepSpec spec, StrategySpec.MembersSpec settings, long firstSeed, Results results) {
    /** Returns the population of a sweep, which must be of this strategy. */
    static Population of(SweepSpec spec, long firstSeed, Results results) {
        return new Population(spec, ((StrategySpec.PopulationSpec) spec.strategy()).population(), firstSeed, results);
    }

    /** Returns the members of all intervals that are known, by their numbers: that of the first one at least. */
    List<List<PopulationMember>> intervals() {
        List<List<PopulationMember>> all = new ArrayList<>();
        List<PopulationMember> members = first();
        while (!members.isEmpty() && all.size() < settings.intervals()) {
            all.add(members);
            members = next(members);
        }
        return all;
    }

    private List<PopulationMember> first() {
        List<PopulationMember> members = new ArrayList<>();
        for (SweepTrial each : SweepTrial.of(spec)) {
            long seed = firstSeed + each.number() - 1;
            members.add(new PopulationMember(each.number(), 0, each.settings(), seed, 0, 0));
        }
        return members;
    }

    /** Returns the members of the next interval; empty if one has no result yet, or all have failed. */
    private List<PopulationMember> next(List<PopulationMember> members) {
        if (members.stream().anyMatch(member -> result(member).isEmpty())) {
            return List.of();
        }
        List<PopulationMember> ranked = ranked(members);
        long fine = ranked.stream().filter(this::isFine).count();
        if (fine == 0) {
            return List.of();
        }
        List<PopulationMember> best = ranked.subList(0, (int) Math.min(fine, settings.quantileCount()));
        int kept = (int) Math.min(fine, members.size() - settings.quantileCount());
        Map<Integer, PopulationMember> next = new HashMap<>();
        PopulationExploration exploration = new PopulationExploration(spec, settings);
        for (int i = 0; i < ranked.size(); i++) {
            PopulationMember member = ranked.get(i);
            next.put(member.number(), i < kept ? member.continued() : copy(exploration, best, member));
        }
        return members.stream()
                .map(member -> Objects.requireNonNull(next.get(member.number())))
                .toList();
    }

    private static PopulationMember copy(
            PopulationExploration exploration, List<PopulationMember> best, PopulationMember member) {
        int interval = member.interval() + 1;
        PopulationMember source = best.get(exploration.source(member.number(), interval, best.size()));
        return source.copiedBy(member.number(), exploration.explored(source.settings(), member.number(), interval));
    }

    /** Returns members of an interval, the best first; those that failed, then those without a result, last. */
    List<PopulationMember> ranked(List<PopulationMember> members) {
        Evaluation.Merit merit = spec.objective().merit();
        Comparator<PopulationMember> byValue = (left, right) -> {
            double mine = value(left).orElseThrow();
            double theirs = value(right).orElseThrow();
            return merit.isBetter(mine, theirs) ? -1 : merit.isBetter(theirs, mine) ? 1 : 0;
        };
        return Stream.concat(
                        members.stream().filter(this::isFine).sorted(byValue), // a stable sort: of equal ones the first
                        members.stream()
                                .filter(member -> !isFine(member))
                                .sorted(Comparator.comparing(
                                        member -> result(member).isEmpty())))
                .toList();
    }

    Optional<Results.Result> result(PopulationMember member) {
        return results.of(member.run());
    }

    boolean isFine(PopulationMember member) {
        return value(member).isPresent();
    }

    /** Returns the value of the objective at the end of a member's interval; empty without one. */
    OptionalDouble value(PopulationMember member) {
        return result(member).stream()
                .map(Results.Result::value)
                .filter(Objects::nonNull)
                .mapToDouble(Double::doubleValue)
                .findFirst();
    }

    /** Returns the member of the interval before whose weights a member has; empty in the first interval. */
    Optional<PopulationMember> before(List<List<PopulationMember>> all, PopulationMember member) {
        int number = member.isCopy() ? member.copied() : member.number();
        return member.interval() == 0
                ? Optional.empty()
                : Optional.of(all.get(member.interval() - 1).get(number - 1));
    }

    /** Returns the members whose settings led to a member's weights: one for each interval, the first one first. */
    List<PopulationMember> ancestry(PopulationMember member) {
        List<List<PopulationMember>> all = intervals();
        List<PopulationMember> line = new ArrayList<>();
        Optional<PopulationMember> next = Optional.of(member);
        while (next.isPresent()) {
            line.add(0, next.get());
            next = before(all, next.get());
        }
        return line;
    }

    /** Returns the progress of the members in the last known interval, the best first. */
    List<TrialProgress> progress() {
        List<List<PopulationMember>> all = intervals();
        List<TrialProgress> progress = new ArrayList<>();
        for (PopulationMember member : ranked(all.get(all.size() - 1))) {
            Optional<Results.Result> last = result(member);
            boolean isFine = isFine(member);
            List<Double> values = value(member).stream().boxed().toList();
            progress.add(new TrialProgress(
                    member.trial(),
                    isFine
                            ? TrialProgress.Status.DONE
                            : last.isPresent() ? TrialProgress.Status.FAILED : TrialProgress.Status.UNFINISHED,
                    isFine ? 1 : 0,
                    values,
                    last.map(Results.Result::failed).orElse(""),
                    seconds(all, member.number())));
        }
        return progress;
    }

    private double seconds(List<List<PopulationMember>> all, int number) {
        return all.stream()
                .flatMap(members -> result(members.get(number - 1)).stream())
                .mapToDouble(Results.Result::seconds)
                .sum();
    }
}
