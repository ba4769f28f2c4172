package hocket.workbench.sweeps;

import hocket.workbench.runs.RunFolder;
import java.util.Map;

/**
 * A member of a population during an interval.
 *
 * @param number its number, from 1 on
 * @param interval from 0 on
 * @param settings its value of each parameter
 * @param seed of its run; a copy has the seed of the copied run
 * @param since interval with which its run folder begins
 * @param copied number of the member that it copied before this interval; 0 if it trains on by itself
 */
record PopulationMember(int number, int interval, Map<String, String> settings, long seed, int since, int copied) {
    /** Returns whether it begins this interval as a copy of another member. */
    boolean isCopy() {
        return copied > 0;
    }

    /** Returns the run at the end of this interval. */
    Results.Run run() {
        return new Results.Run(number, interval, seed);
    }

    /** Returns its settings as those of a trial. */
    SweepTrial trial() {
        return new SweepTrial(number, settings);
    }

    /** Returns its run folder in the sweep's folder. */
    String folderName() {
        return "trial-" + number + "/from-" + (since + 1);
    }

    /** Returns its run folder. */
    RunFolder folder(SweepFolder sweep) {
        return new RunFolder(sweep.path().resolve(folderName()));
    }

    /** Returns this member, which trains on by itself in the next interval. */
    PopulationMember continued() {
        return new PopulationMember(number, interval + 1, settings, seed, since, 0);
    }

    /** Returns the copy of this member in the place of another one in the next interval. */
    PopulationMember copiedBy(int other, Map<String, String> explored) {
        return new PopulationMember(other, interval + 1, explored, seed, interval + 1, number);
    }
}
