package hocket.rl.envs.games;

import hocket.rl.envs.Canvas;
import hocket.rl.envs.StateArrays;
import hocket.rl.random.Pcg64;
import hocket.rl.spaces.Box;
import hocket.rl.spaces.Discrete;
import hocket.rl.spaces.Space;
import hocket.schedulers.state.State;
import hocket.scopes.Shape;
import java.awt.Color;
import java.awt.Graphics2D;
import java.util.Arrays;
import java.util.List;

/**
 * A game of two sides that put stones on a board by turns, and win by a line of some of their own: tic-tac-toe, connect four.
 * Agent 0 moves first. The winner's reward is 1 and the other's -1; a full board is a draw, 0 for both.
 *
 * <p>An observation is (rows, columns, 2) of 0 and 1, as in PettingZoo: the own stones, the other's. An action is a cell, row
 * by row, or in a game where stones fall a column. The mask forbids those that are full; one that is taken all the same ends the
 * game, -1 for its agent and 0 for the other, as PettingZoo's {@code TerminateIllegalWrapper} does.
 */
public final class LineGame implements MultiAgentEnvironment {
    private static final int[][] DIRECTIONS = {{0, 1}, {1, 0}, {1, 1}, {1, -1}};

    private final String name;
    private final int rows;
    private final int columns;
    private final int line;
    private final boolean falling;
    private final Space observations;
    private final Discrete actions;
    /** The stones: 0 for none, else 1 more than the agent's number; row 0 is at the top. */
    private final int[] cells;

    private int stones;
    private int last = -1;
    private boolean won;
    /** Whether the agent that was to move took a forbidden action. */
    private boolean forfeited;

    private boolean running;

    /**
     * @param line the stones of a line that wins
     * @param falling whether a stone falls to the lowest free cell of its column
     */
    public LineGame(String name, int rows, int columns, int line, boolean falling) {
        this.name = name;
        this.rows = rows;
        this.columns = columns;
        this.line = line;
        this.falling = falling;
        cells = new int[rows * columns];
        float[] high = new float[2 * cells.length];
        Arrays.fill(high, 1);
        observations = new Box(Shape.of(rows, columns, 2), new float[high.length], high);
        actions = new Discrete(falling ? columns : cells.length);
    }

    /** Tic-tac-toe: 3 × 3 cells, three in a line. */
    public static LineGame ticTacToe() {
        return new LineGame("TicTacToe-v0", 3, 3, 3, false);
    }

    /** Connect four: 6 rows of 7 columns in which stones fall, four in a line. */
    public static LineGame connectFour() {
        return new LineGame("ConnectFour-v0", 6, 7, 4, true);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public List<String> agents() {
        return List.of("first", "second");
    }

    @Override
    public Space observations(int agent) {
        return observations;
    }

    @Override
    public Space actions(int agent) {
        return actions;
    }

    @Override
    public void reset(Pcg64 random) {
        Arrays.fill(cells, 0);
        stones = 0;
        last = -1;
        won = false;
        forfeited = false;
        running = true;
    }

    @Override
    public boolean acts(int agent) {
        return running && agent == stones % 2;
    }

    @Override
    public void step(float[][] chosen, Pcg64 random) {
        if (!running) {
            throw new IllegalStateException(name + ": a step must follow a reset");
        }
        float[] action = chosen[stones % 2];
        if (!actions.contains(action, 0)) {
            throw new IllegalArgumentException(
                    name + ": an action must be of " + actions + ", was " + actions.text(action, 0));
        }
        if (!isAllowed((int) action[0])) {
            forfeited = true;
            running = false;
            return;
        }
        last = play((int) action[0]);
        won = isWon(last);
        running = !won && !isFull();
    }

    /** The number of moves, those included that are not allowed. */
    int moves() {
        return actions.n();
    }

    boolean isAllowed(int move) {
        return cells[move] == 0; // of a column, the highest cell
    }

    boolean isFull() {
        return stones == cells.length;
    }

    /** Puts the next stone, without an end of the game; returns its cell. */
    int play(int move) {
        int cell = move;
        while (falling && cell + columns < cells.length && cells[cell + columns] == 0) {
            cell += columns;
        }
        cells[cell] = 1 + stones++ % 2;
        return cell;
    }

    /** Takes the stone back that {@link #play} put into a cell. */
    void takeBack(int cell) {
        cells[cell] = 0;
        stones--;
    }

    /** Returns whether the stone in a cell is in a line that wins. */
    boolean isWon(int cell) {
        for (int[] direction : DIRECTIONS) {
            if (1 + same(cell, direction[0], direction[1]) + same(cell, -direction[0], -direction[1]) >= line) {
                return true;
            }
        }
        return false;
    }

    /** Counts the stones like a cell's that follow it in a direction. */
    private int same(int cell, int down, int right) {
        int row = cell / columns + down;
        int column = cell % columns + right;
        int count = 0;
        while (row >= 0
                && row < rows
                && column >= 0
                && column < columns
                && cells[row * columns + column] == cells[cell]) {
            count++;
            row += down;
            column += right;
        }
        return count;
    }

    @Override
    public void observe(int agent, float[] into, int at) {
        for (int i = 0; i < cells.length; i++) {
            into[at + 2 * i] = cells[i] == 1 + agent ? 1 : 0;
            into[at + 2 * i + 1] = cells[i] == 2 - agent ? 1 : 0;
        }
    }

    @Override
    public double reward(int agent) {
        if (forfeited) {
            return agent == stones % 2 ? -1 : 0;
        }
        return !won ? 0 : cells[last] == 1 + agent ? 1 : -1;
    }

    @Override
    public boolean terminated() {
        return !running && (stones > 0 || forfeited);
    }

    @Override
    public boolean masks() {
        return true;
    }

    /** After the end of a game all actions are allowed. */
    @Override
    public void mask(int agent, float[] into, int at) {
        for (int move = 0; move < actions.n(); move++) {
            into[at + move] = isAllowed(move) || !running ? 1 : 0;
        }
    }

    @Override
    public String text() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < cells.length; i++) {
            text.append(".XO".charAt(cells[i])).append(i % columns == columns - 1 ? '\n' : ' ');
        }
        String side = stones % 2 == 0 ? "X" : "O";
        String other = side.equals("X") ? "O" : "X";
        return text
                + (won
                        ? other + " has won"
                        : forfeited ? side + " took a forbidden action" : isFull() ? "a draw" : side + " moves");
    }

    @Override
    public void draw(Graphics2D graphics, int width, int height) {
        Canvas canvas = Canvas.grid(graphics, width, height, rows, columns);
        for (int i = 0; i < cells.length; i++) {
            canvas.cell(i / columns, i % columns, new Color(i == last ? 0xf2e6c8 : 0xf4f4f4));
            if (cells[i] != 0) {
                canvas.mark(i / columns, i % columns, 0.36, cells[i] == 1 ? Canvas.AGENT : Canvas.METAL);
            }
        }
    }

    @Override
    public State save() {
        double[] stonesOfCells = Arrays.stream(cells).asDoubleStream().toArray();
        return State.empty()
                .with("cells", StateArrays.tensor(stonesOfCells))
                .with("last", last)
                .with("forfeited", forfeited ? 1 : 0)
                .with("running", running ? 1 : 0);
    }

    @Override
    public void restore(State state) {
        double[] saved = StateArrays.read(state, "cells", cells.length);
        int savedLast = (int) state.whole("last");
        boolean savedRunning = state.whole("running") == 1;
        forfeited = state.whole("forfeited") == 1;
        Arrays.setAll(cells, i -> (int) saved[i]);
        stones = (int) Arrays.stream(cells).filter(cell -> cell != 0).count();
        last = savedLast;
        running = savedRunning;
        won = last >= 0 && isWon(last);
    }
}
