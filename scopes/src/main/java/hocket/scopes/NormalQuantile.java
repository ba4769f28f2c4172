package hocket.scopes;

/**
 * Standard normals from random bits, by inversion: the normal quantile of the middle of one of 2^n equal parts of (0,
 * 1), algorithm AS 241 (Wichura 1988). Opposite bits give opposite normals. The only transcendental is StrictMath's,
 * which has the same bits everywhere.
 */
final class NormalQuantile {
    private static final double CENTRE_HALF = 0.425;
    private static final double CENTRE_SQUARE = 0.180625;

    // Coefficients of PPND16 and PPND7, highest power first.
    private static final double[] CENTRE = {
        2.5090809287301226727e3, 3.3430575583588128105e4, 6.7265770927008700853e4, 4.5921953931549871457e4,
        1.3731693765509461125e4, 1.9715909503065514427e3, 1.3314166789178437745e2, 3.3871328727963666080e0
    };
    private static final double[] CENTRE_BELOW = {
        5.2264952788528545610e3, 2.8729085735721942674e4, 3.9307895800092710610e4, 2.1213794301586595867e4,
        5.3941960214247511077e3, 6.8718700749205790830e2, 4.2313330701600911252e1, 1.0
    };
    private static final double[] TAIL = {
        7.74545014278341407640e-4, 2.27238449892691845833e-2, 2.41780725177450611770e-1, 1.27045825245236838258e0,
        3.64784832476320460504e0, 5.76949722146069140550e0, 4.63033784615654529590e0, 1.42343711074968357734e0
    };
    private static final double[] TAIL_BELOW = {
        1.05075007164441684324e-9, 5.47593808499534494600e-4, 1.51986665636164571966e-2, 1.48103976427480074590e-1,
        6.89767334985100004550e-1, 1.67638483018380384940e0, 2.05319162663775882187e0, 1.0
    };
    private static final double[] FAR = {
        2.01033439929228813265e-7, 2.71155556874348757815e-5, 1.24266094738807843860e-3, 2.65321895265761230930e-2,
        2.96560571828504891230e-1, 1.78482653991729133580e0, 5.46378491116411436990e0, 6.65790464350110377720e0
    };
    private static final double[] FAR_BELOW = {
        2.04426310338993978564e-15, 1.42151175831644588870e-7, 1.84631831751005468180e-5, 7.86869131145613259100e-4,
        1.48753612908506148525e-2, 1.36929880922735805310e-1, 5.99832206555887937690e-1, 1.0
    };
    private static final double[] SINGLE_CENTRE = {59.109374720, 159.29113202, 50.434271938, 3.3871327179};
    private static final double[] SINGLE_CENTRE_BELOW = {67.187563600, 78.757757664, 17.895169469, 1.0};
    private static final double[] SINGLE_TAIL = {0.17023821103, 1.3067284816, 2.7568153900, 1.4234372777};
    private static final double[] SINGLE_TAIL_BELOW = {0.12021132975, 0.73700164250, 1.0};

    private NormalQuantile() {}

    /** A double's normal from the upper 53 bits, by PPND16: relative error about 1e-16, at most 8.3 in size. */
    static double ofLong(long bits) {
        double q = ((bits >> 11) + 0.5) * 0x1p-53; // the part's middle, less 1/2
        if (Math.abs(q) <= CENTRE_HALF) {
            double r = CENTRE_SQUARE - q * q;
            return q * polynomial(CENTRE, r) / polynomial(CENTRE_BELOW, r);
        }
        double r = Math.sqrt(-StrictMath.log(0.5 - Math.abs(q)));
        double size = r <= 5
                ? polynomial(TAIL, r - 1.6) / polynomial(TAIL_BELOW, r - 1.6)
                : polynomial(FAR, r - 5) / polynomial(FAR_BELOW, r - 5);
        return q < 0 ? -size : size;
    }

    /**
     * A float's normal from 32 bits, by PPND7 in half of PPND16's time: relative error below 2e-7, at most 6.4 in size
     * (so that its far tail is never reached).
     */
    static float ofInt(int bits) {
        double q = (bits + 0.5) * 0x1p-32;
        if (Math.abs(q) <= CENTRE_HALF) {
            double r = CENTRE_SQUARE - q * q;
            return (float) (q * polynomial(SINGLE_CENTRE, r) / polynomial(SINGLE_CENTRE_BELOW, r));
        }
        double r = Math.sqrt(-StrictMath.log(0.5 - Math.abs(q))) - 1.6;
        double size = polynomial(SINGLE_TAIL, r) / polynomial(SINGLE_TAIL_BELOW, r);
        return (float) (q < 0 ? -size : size);
    }

    private static double polynomial(double[] coefficients, double x) {
        double sum = coefficients[0];
        for (int i = 1; i < coefficients.length; i++) {
            sum = sum * x + coefficients[i];
        }
        return sum;
    }
}
