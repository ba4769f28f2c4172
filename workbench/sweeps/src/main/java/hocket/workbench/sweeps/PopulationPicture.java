package hocket.workbench.sweeps;

import hocket.workbench.pictures.plot.ParallelCoordinates.Axis;
import hocket.workbench.pictures.plot.PopulationPlot;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/**
 * Draws the settings of a population over its intervals.
 *
 * @param best the best member of the last interval
 */
record PopulationPicture(SweepFile file, Population population, PopulationMember best) {
    private static final String NAME = "population";

    /** Writes the files and returns them. Throws as {@link PopulationPlot#write}. */
    List<Path> write(Path folder) {
        List<List<PopulationMember>> all = population.intervals();
        List<Axis> axes = new ArrayList<>();
        axes.add(PopulationPlot.around(
                file.spec().objective().name(),
                all.stream()
                        .flatMap(List::stream)
                        .flatMapToDouble(member -> population.value(member).stream())
                        .toArray()));
        file.spec().parameters().forEach((name, range) -> axes.add(SweepPicture.axis(name, range)));
        List<PopulationMember> ancestry = population.ancestry(best);
        List<PopulationPlot.Span> spans = new ArrayList<>();
        for (List<PopulationMember> members : all) {
            for (PopulationMember member : members) {
                spans.add(new PopulationPlot.Span(
                        member.interval(),
                        population
                                .before(all, member)
                                .map(before -> places(axes, before))
                                .orElse(List.of()),
                        places(axes, member),
                        member.isCopy(),
                        ancestry.contains(member)));
            }
        }
        return new PopulationPlot(file.name(), "trial " + best.number(), axes, all.size(), spans).write(NAME, folder);
    }

    private List<OptionalDouble> places(List<Axis> axes, PopulationMember member) {
        List<OptionalDouble> places = new ArrayList<>();
        OptionalDouble value = population.value(member);
        places.add(
                value.isPresent()
                        ? OptionalDouble.of(PopulationPlot.place(axes.get(0), Double.toString(value.getAsDouble())))
                        : OptionalDouble.empty());
        int axis = 1;
        for (String setting : member.settings().values()) {
            places.add(OptionalDouble.of(PopulationPlot.place(axes.get(axis++), setting)));
        }
        return places;
    }
}
