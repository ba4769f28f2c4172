package hocket.schedulers.runs;

import hocket.programs.Program;
import hocket.programs.Session;
import hocket.programs.execution.BoundProgram;
import hocket.schedulers.Event;
import hocket.schedulers.Run;
import hocket.schedulers.ScheduleView;
import hocket.schedulers.Scheduler;
import hocket.schedulers.turns.BoundTurns;
import hocket.scopes.Parameters;
import hocket.scopes.Stream;
import java.util.OptionalDouble;

/** The view of a run that actions, rings and schedules receive. */
public class RunView implements Run, ScheduleView {
    private final Scheduler scheduler;
    private final BoundTurns turns;
    private final History history;
    private final Stream random;

    public RunView(Scheduler scheduler, BoundTurns turns, History history) {
        this.scheduler = scheduler;
        this.turns = turns;
        this.history = history;
        this.random = scheduler.parameters().streams().at("schedule");
    }

    @Override
    public Scheduler scheduler() {
        return scheduler;
    }

    @Override
    public Event.Position position() {
        return scheduler.position();
    }

    @Override
    public Parameters parameters() {
        return scheduler.parameters();
    }

    @Override
    public long count(String turn) {
        return turns.named(turn).count();
    }

    @Override
    public BoundProgram bind(Program program) {
        return turns.bind(program);
    }

    @Override
    public Session session() {
        return turns.session();
    }

    @Override
    public void report(String name, double value) {
        scheduler.trainingLoop().report(name, value);
    }

    @Override
    public boolean isFirst(Object what) {
        return scheduler.isFirst(what);
    }

    @Override
    public void emit(Event event) {
        scheduler.trainingLoop().emit(event);
    }

    @Override
    public void save() {
        scheduler.checkpoint();
    }

    @Override
    public void stop() {
        scheduler.runner().stop();
    }

    @Override
    public void pause() {
        scheduler.runner().pause();
    }

    @Override
    public String place() {
        return scheduler.place();
    }

    @Override
    public double epoch(String source) {
        return scheduler.trainingLoop().sources().epoch(source);
    }

    @Override
    public void set(String setting, double value) {
        scheduler.set(setting, value);
    }

    @Override
    public double setting(String name) {
        return turns.setting(name);
    }

    @Override
    public OptionalDouble average(String series, int window) {
        return history.average(series, window);
    }

    @Override
    public long reports(String series) {
        return history.reports(series);
    }

    @Override
    public long step() {
        return scheduler.trainingLoop().step();
    }

    @Override
    public long round() {
        return scheduler.trainingLoop().round();
    }

    @Override
    public Stream random() {
        return random;
    }

    @Override
    public Stream random(String name) {
        return parameters().streams().at("plan/" + name);
    }
}
