package hocket.schedulers.games;

import hocket.schedulers.Plan;
import hocket.schedulers.Turn;
import hocket.schedulers.settings.Setting;
import java.util.List;

/**
 * Two players under named dynamics: {@code {play: {consensus: {gamma: 1}}, of: [d, g]}}.
 *
 * @param play the dynamics
 * @param of the two turns that descend
 */
public record Play(
        @Setting(help = "how two players are updated, such as {extragradient: {}}")
        Dynamics play,

        @Setting(help = "the turns of the two players") List<Plan> of)
        implements Plan.Template {
    public Play {
        of = List.copyOf(of);
    }

    @Override
    public List<Plan> parts() {
        return of;
    }

    @Override
    public Plan of(List<Plan> turns) {
        List<Turn.Descend> players = turns.stream()
                .map(turn -> turn.turn()
                        .flatMap(Turn::descend)
                        .orElseThrow(() -> new IllegalArgumentException(
                                "play: takes turns that descend a loss, " + turn + " is none")))
                .toList();
        if (players.size() != 2) {
            throw new IllegalArgumentException("play: is a game of two players, got " + turns);
        }
        return play.plan(players.get(0), players.get(1));
    }

    @Override
    public String toString() {
        return "play(" + play + "; " + Plan.joined(of).substring(1);
    }
}
