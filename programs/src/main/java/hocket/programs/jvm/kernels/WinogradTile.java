package hocket.programs.jvm.kernels;

/**
 * Where the pixels of a tile of Winograd's F(2×2, 3×3) are (Lavin and Gray 2016), and how many of their rows count.
 *
 * @param image the 16 pixels that a tile reads, row by row: the first element of each in a channel, −1 outside
 * @param result the 4 pixels that it writes, likewise
 * @param first the first of their rows
 * @param width elements of a pixel, a multiple of 16 up to {@link Scratch#PANEL}
 */
public record WinogradTile(int[] image, int[] result, int first, int width) {
    /** Products of a tile. */
    public static final int POSITIONS = 16;
}
