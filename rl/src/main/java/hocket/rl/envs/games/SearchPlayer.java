package hocket.rl.envs.games;

import hocket.rl.random.Pcg64;

/**
 * Searches a {@link LineGame} by negamax with alpha-beta pruning to a depth, and takes one of the best moves at random. A win
 * sooner is better, a loss later is; a position in which the search ends counts as a draw. In tic-tac-toe 9 moves are the
 * whole game, so a search to depth 9 never loses.
 */
public final class SearchPlayer implements GamePlayer {
    private final int depth;

    /** @param depth the moves to look ahead, at least 1 */
    public SearchPlayer(int depth) {
        if (depth < 1) {
            throw new IllegalArgumentException("depth must be at least 1, was " + depth);
        }
        this.depth = depth;
    }

    @Override
    public void choose(MultiAgentEnvironment game, int agent, Pcg64 random, float[] action) {
        if (!(game instanceof LineGame board)) {
            throw new IllegalArgumentException(
                    game.name() + ": a search needs a game on a board, such as TicTacToe-v0");
        }
        int best = -Integer.MAX_VALUE;
        int equal = 0;
        for (int move = 0; move < board.moves(); move++) {
            if (!board.isAllowed(move)) {
                continue;
            }
            int value = value(board, move, depth, -Integer.MAX_VALUE, Integer.MAX_VALUE);
            if (value > best) {
                best = value;
                equal = 0;
            }
            if (value == best && random.integers(0, ++equal) == 0) { // one of the best, each as probable
                action[0] = move;
            }
        }
    }

    /** Returns the value of a move for the side that makes it: above 0 for a win, below for a loss. */
    private static int value(LineGame board, int move, int left, int alpha, int beta) {
        int cell = board.play(move);
        int value;
        if (board.isWon(cell)) {
            value = left;
        } else if (board.isFull() || left == 1) {
            value = 0;
        } else {
            value = -best(board, left - 1, -beta, -alpha);
        }
        board.takeBack(cell);
        return value;
    }

    private static int best(LineGame board, int left, int alpha, int beta) {
        int best = -Integer.MAX_VALUE;
        int least = alpha;
        for (int move = 0; move < board.moves() && best < beta; move++) {
            if (board.isAllowed(move)) {
                best = Math.max(best, value(board, move, left, least, beta));
                least = Math.max(least, best);
            }
        }
        return best;
    }
}
