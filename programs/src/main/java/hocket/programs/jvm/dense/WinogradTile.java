package hocket.programs.jvm.dense;

import hocket.programs.Value;
import hocket.programs.jvm.kernels.PlaneSum;
import hocket.programs.jvm.kernels.Scratch;
import hocket.programs.layers.Window;
import hocket.programs.operators.Products;
import hocket.scopes.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Some pixels of the result of a convolution, or of a transposed one, by {@linkplain MinimalFilter minimal filtering} along
 * both axes: 2×2 pixels of 3×3 windows with stride 1, or of the phases of 4×4 windows with stride 2. A phase of the window
 * is every other tap of each axis, so 2×2 taps: a convolution sums four phases, each over every other pixel of the image,
 * and in a transposed one each phase gives every other pixel of the result. A 3×3 window has one phase. A kind of both axes
 * is that of rows times the number of kinds plus that of columns.
 *
 * @param phase the phase of the result, in a transposed convolution with stride 2; else 0
 * @param image for each phase of the image and kind, of the elements of a channel from {@code imageAt} on
 * @param imageAt the first element of each phase, which may lie outside of the image
 * @param results of kinds
 * @param pixels for each result, its element in a channel
 * @param gradients for each kind, of the elements of a gradient's channel from the first pixel on
 * @param products how many kinds of all phases are not 0
 * @param first row of the batch
 * @param width number of rows, with padding
 */
record WinogradTile(
        MinimalFilter filter,
        int phase,
        PlaneSum[][] image,
        int[] imageAt,
        MinimalFilter.Transform results,
        int[] pixels,
        PlaneSum[] gradients,
        int products,
        int first,
        int width) {
    private static final List<MinimalFilter> FILTERS = List.of(MinimalFilter.TWO_TAPS, MinimalFilter.THREE_TAPS);

    /**
     * One or two results along an axis.
     *
     * @param first for each phase of the image, the first element that they read, which may lie outside
     * @param sources for each phase, what they read: distances from the first, −1 for outside
     */
    private record Segment(MinimalFilter.Results of, int[] results, int[] first, int[][] sources) {
        /** Returns how many kinds of a phase of the image are not 0. */
        int kinds(int phase) {
            return (int) Arrays.stream(of.image())
                    .filter(kind -> reads(kind.a(), phase) || reads(kind.b(), phase))
                    .count();
        }

        private boolean reads(int source, int phase) {
            return source >= 0 && sources[phase][source] >= 0;
        }
    }

    /** Returns whether tiles save enough of a convolution, a transposed one or a gradient by a weight. */
    static boolean saves(Value value, int stride) {
        if (!Products.isConvolution(value.operator())) {
            return false;
        }
        Shape first = value.inputs().get(0).shape();
        Shape second = value.inputs().get(1).shape();
        List<Phase> phases;
        if (value.operator() instanceof Products.Convolution operator) {
            phases = phases(operator.kernel(), false, second, first, value.shape(), stride);
        } else if (value.operator() instanceof Products.TransposedConvolution operator) {
            phases = phases(operator.kernel(), true, second, first, value.shape(), stride);
        } else {
            Window kernel = ((Products.ConvolutionWeight) value.operator()).kernel();
            phases = phases(kernel, false, value.shape(), first, second, stride);
        }
        return !phases.isEmpty();
    }

    /**
     * Returns the tiles of a result, most work first; none where they take more than four fifths of the products of the
     * definition, or where there are few rows, channels or filters.
     *
     * @param weight its last two axes are the window
     * @param stride of the rows
     */
    static List<WinogradTile> of(Window kernel, boolean transposed, Shape weight, Shape x, Shape y, int stride) {
        List<Phase> phases = phases(kernel, transposed, weight, x, y, stride);
        List<WinogradTile> tiles = new ArrayList<>();
        Map<List<PlaneSum>, PlaneSum[]> shared = new HashMap<>(); // most tiles differ in their place only
        for (int phase = 0; phase < phases.size(); phase++) {
            for (Segment row : phases.get(phase).rows()) {
                for (Segment column : phases.get(phase).columns()) {
                    for (int first = 0; first < stride; first += ConvolutionPanels.WIDTH) {
                        MinimalFilter filter = phases.get(phase).filter();
                        tiles.add(of(filter, phase, row, column, x.get(2), y.get(2), stride, first, shared));
                    }
                }
            }
        }
        tiles.sort(Comparator.comparingInt(WinogradTile::products).reversed());
        return tiles;
    }

    /** The segments of both axes of a phase of the result. */
    private record Phase(MinimalFilter filter, List<Segment> rows, List<Segment> columns) {
        /** Returns how many kinds of all phases of the image are not 0 in all tiles. */
        long products() {
            long products = 0;
            for (int i = 0; i < rows.get(0).sources().length; i++) {
                for (int j = 0; j < columns.get(0).sources().length; j++) {
                    products += kinds(rows, i) * kinds(columns, j);
                }
            }
            return products;
        }

        private static long kinds(List<Segment> segments, int phase) {
            return segments.stream().mapToLong(segment -> segment.kinds(phase)).sum();
        }
    }

    /** Returns the phases of the result; none where tiles do not save enough. */
    private static List<Phase> phases(Window kernel, boolean transposed, Shape weight, Shape x, Shape y, int stride) {
        Optional<MinimalFilter> found = FILTERS.stream()
                .filter(filter -> weight.get(2) == filter.side()
                        && weight.get(3) == filter.side()
                        && kernel.stride().equals(List.of(filter.stride(), filter.stride()))
                        && Math.min(weight.get(0), weight.get(1)) >= filter.worth())
                .findFirst();
        boolean isPlain = kernel.dilation().equals(List.of(1, 1)) && kernel.groups() == 1;
        if (found.isEmpty() || !isPlain || stride < Scratch.LANES) {
            return List.of();
        }
        MinimalFilter filter = found.get();
        List<Phase> phases = new ArrayList<>();
        for (int phase = 0; phase < (transposed ? filter.phases() : 1); phase++) {
            phases.add(new Phase(
                    filter,
                    segments(filter, kernel, transposed, 0, phase / filter.stride(), x, y),
                    segments(filter, kernel, transposed, 1, phase % filter.stride(), x, y)));
        }
        long defined =
                taps(kernel, transposed, 0, filter.side(), x, y) * taps(kernel, transposed, 1, filter.side(), x, y);
        long products = 0;
        for (Phase phase : phases) {
            products += phase.rows().isEmpty() || phase.columns().isEmpty() ? 0 : phase.products();
        }
        return 5 * products > 4 * defined ? List.of() : phases;
    }

    /** Returns how many taps read an element of x along an axis, for all results. */
    private static long taps(Window kernel, boolean transposed, int axis, int side, Shape x, Shape y) {
        int pad = kernel.pad().get(axis);
        int step = kernel.stride().get(axis);
        int read = x.get(1 + axis);
        int written = y.get(1 + axis);
        long taps = 0;
        for (int i = 0; i < (transposed ? read : written); i++) { // each meets the other's elements i·step + tap − pad
            for (int tap = 0; tap < side; tap++) {
                int other = i * step + tap - pad;
                taps += other >= 0 && other < (transposed ? written : read) ? 1 : 0;
            }
        }
        return taps;
    }

    private static List<Segment> segments(
            MinimalFilter filter, Window kernel, boolean transposed, int axis, int phase, Shape x, Shape y) {
        int pad = kernel.pad().get(axis);
        int stride = filter.stride();
        int step = transposed ? stride : 1;
        int apart = transposed ? 1 : stride;
        List<Segment> segments = new ArrayList<>();
        for (int result = transposed ? phase : 0; result < y.get(1 + axis); result += 2 * step) {
            boolean single = result + step >= y.get(1 + axis);
            int[] first = new int[apart];
            int[][] sources = new int[apart][1 + filter.taps().length];
            for (int of = 0; of < apart; of++) {
                first[of] = transposed
                        ? Math.floorDiv(result + pad, stride) - (filter.taps().length - 1)
                        : stride * result + of - pad;
                for (int i = 0; i < sources[of].length; i++) {
                    int source = first[of] + i * apart;
                    sources[of][i] = source >= 0 && source < x.get(1 + axis) ? i * apart : -1;
                }
            }
            int[] results = single ? new int[] {result} : new int[] {result, result + step};
            segments.add(new Segment(single ? filter.single() : filter.pair(), results, first, sources));
        }
        return segments;
    }

    private static WinogradTile of(
            MinimalFilter filter,
            int phase,
            Segment row,
            Segment column,
            int wide,
            int resultWide,
            int stride,
            int first,
            Map<List<PlaneSum>, PlaneSum[]> shared) {
        int kinds = filter.kinds();
        int columnPhases = column.sources().length;
        PlaneSum[][] image = new PlaneSum[row.sources().length * columnPhases][kinds * kinds];
        int[] imageAt = new int[image.length];
        Arrays.setAll(
                imageAt,
                of -> (row.first()[of / columnPhases] * wide + column.first()[of % columnPhases]) * stride + first);
        PlaneSum[] gradients = new PlaneSum[kinds * kinds];
        int products = 0;
        for (int kind = 0; kind < kinds * kinds; kind++) {
            int i = kind / kinds;
            int j = kind % kinds;
            int before = products;
            for (int of = 0; of < image.length; of++) {
                int[] rows = row.sources()[of / columnPhases];
                int[] columns = column.sources()[of % columnPhases];
                image[of][kind] = PlaneSum.ofPairs(
                        row.of().image()[i],
                        column.of().image()[j],
                        (r, c) -> rows[r] < 0 || columns[c] < 0 ? -1 : (rows[r] * wide + columns[c]) * stride);
                products += image[of][kind].isZero() ? 0 : 1;
            }
            gradients[kind] = products == before
                    ? PlaneSum.NONE
                    : PlaneSum.ofPairs(
                            row.of().gradients()[i],
                            column.of().gradients()[j],
                            (r, c) -> ((row.results()[r] - row.results()[0]) * resultWide
                                            + column.results()[c]
                                            - column.results()[0])
                                    * stride);
        }
        MinimalFilter.Transform results = MinimalFilter.Transform.of(
                row.of().results(),
                column.of().results(),
                kinds,
                (i, j) -> gradients[i * kinds + j].isZero() ? -1 : i * kinds + j);
        int[] pixels = new int[row.results().length * column.results().length];
        Arrays.setAll(pixels, p -> {
            int r = row.results()[p / column.results().length];
            return (r * resultWide + column.results()[p % column.results().length]) * stride + first;
        });
        Arrays.setAll(image, of -> share(shared, image[of]));
        MinimalFilter.Transform transform =
                new MinimalFilter.Transform(share(shared, results.between()), share(shared, results.results()));
        int width = Math.min(ConvolutionPanels.WIDTH, stride - first);
        return new WinogradTile(
                filter, phase, image, imageAt, transform, pixels, share(shared, gradients), products, first, width);
    }

    private static PlaneSum[] share(Map<List<PlaneSum>, PlaneSum[]> shared, PlaneSum[] all) {
        return shared.computeIfAbsent(List.of(all), equal -> all);
    }
}
