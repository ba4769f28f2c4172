package hocket.workbench.training;

import hocket.schedulers.Rest;

/** Says, once a run is over, that a request to stop loses nothing. */
final class StopRing implements RunRing {
    @Override
    public RunLayer layer() {
        return RunLayer.STOP;
    }

    @Override
    public void run(RunContext run, Rest rest) {
        try {
            rest.go();
        } finally {
            if (run.hasBegun()) {
                run.stop().atRest("ended at once, after the run");
            }
        }
    }
}
