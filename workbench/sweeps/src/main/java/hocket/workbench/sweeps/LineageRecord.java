package hocket.workbench.sweeps;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A member of a population during an interval, as a line of {@code lineage.jsonl}.
 *
 * @param interval from 1 on
 * @param trial number of the member
 * @param copied number of the member that it copied before this interval; null if it trained on by itself
 * @param run its run folder in the sweep's folder
 * @param value value of the objective at the end of the interval; null without one
 * @param failed why it failed; null if it did not
 */
record LineageRecord(
        int interval,
        int trial,
        @Nullable Integer copied,
        Map<String, String> settings,
        long seed,
        String run,
        @Nullable Double value,
        @Nullable String failed) {
    static LineageRecord of(PopulationMember member, Population population) {
        return new LineageRecord(
                member.interval() + 1,
                member.number(),
                member.isCopy() ? member.copied() : null,
                member.settings(),
                member.seed(),
                member.folderName(),
                population.isFine(member) ? population.value(member).orElseThrow() : null,
                population.result(member).map(Results.Result::failed).orElse(null));
    }
}
