package hocket.programs.jvm.kernels;

import hocket.settings.Each;
import hocket.settings.Registers;
import hocket.settings.Template;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;

/** Combinations of runs, as {@link DenseKernels#combine} says. */
@Template("VectorPlaneSums")
final class VectorPlaneSumsTemplate {
    private static final VectorSpecies<Float> SPECIES = VectorTiles.SPECIES;
    private static final int LENGTH = VectorTiles.LENGTH;

    /** Read for what is not there. */
    private static final float[] ZEROS = new float[4 * LENGTH];

    private VectorPlaneSumsTemplate() {}

    /**
     * Computes some elements of each run, and returns the first that it leaves.
     *
     * @param wide vectors at a time
     * @param begin the first element
     */
    static int combine(
            @Each({4, 1}) int wide,
            PlaneSum of,
            float[] x,
            int at,
            int plane,
            int step,
            int runs,
            int begin,
            int width,
            float[] bias,
            float[] y,
            int yAt,
            int yStep) {
        int end = begin + (width - begin) / (wide * LENGTH) * (wide * LENGTH);
        if (begin == end) {
            return end;
        }
        FloatVector s = FloatVector.broadcast(SPECIES, of.s());
        FloatVector t = FloatVector.broadcast(SPECIES, of.t());
        int inA = of.a() < 0 ? 0 : 1;
        int inB = of.b() < 0 ? 0 : 1;
        int inC = of.c() < 0 ? 0 : 1;
        int inD = of.d() < 0 ? 0 : 1;
        float[] as = inA == 0 ? ZEROS : x;
        float[] bs = inB == 0 ? ZEROS : x;
        float[] cs = inC == 0 ? ZEROS : x;
        float[] ds = inD == 0 ? ZEROS : x;
        for (int i = 0; i < runs; i++) {
            int run = at + i * step;
            int to = yAt + i * yStep;
            float start = bias.length == 0 ? 0 : bias[i];
            for (int j = begin; j < end; j += wide * LENGTH) {
                int a = inA * (run + of.a() * plane + j);
                int b = inB * (run + of.b() * plane + j);
                int c = inC * (run + of.c() * plane + j);
                int d = inD * (run + of.d() * plane + j);
                @Registers FloatVector[] sums = new FloatVector[wide];
                for (int v = 0; v < wide; v++) {
                    sums[v] = FloatVector.fromArray(SPECIES, bs, b + v * LENGTH)
                            .fma(s, FloatVector.fromArray(SPECIES, as, a + v * LENGTH));
                }
                for (int v = 0; v < wide; v++) {
                    FloatVector.fromArray(SPECIES, ds, d + v * LENGTH)
                            .fma(s, FloatVector.fromArray(SPECIES, cs, c + v * LENGTH))
                            .fma(t, sums[v])
                            .add(start)
                            .intoArray(y, to + j + v * LENGTH);
                }
            }
        }
        return end;
    }
}
