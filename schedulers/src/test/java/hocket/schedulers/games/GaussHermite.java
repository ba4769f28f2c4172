package hocket.schedulers.games;

/**
 * Gauss-Hermite quadrature: {@code ∫ exp(-x²) g(x) dx ≈ Σ wᵢ g(xᵢ)}. The nodes are the roots of the orthonormal Hermite
 * polynomial of degree n, found where it changes sign; the weights {@code 1 / Σ h_k(xᵢ)²} over the lower degrees.
 */
final class GaussHermite {
    private GaussHermite() {}

    /** Nodes in rising order, then their weights. */
    static double[][] of(int n) {
        double[][] rule = new double[2][n];
        double end = Math.sqrt(2.0 * n + 2);
        double step = 1e-3;
        int found = 0;
        for (double a = -end; a < end; a += step) {
            if (found < n && polynomial(n, a) > 0 != polynomial(n, a + step) > 0) {
                rule[0][found++] = root(n, a, a + step);
            }
        }
        if (found != n) {
            throw new AssertionError(found + " of " + n + " nodes were found");
        }
        for (int i = 0; i < n; i++) {
            double sum = 0;
            for (int k = 0; k < n; k++) {
                double h = polynomial(k, rule[0][i]);
                sum += h * h;
            }
            rule[1][i] = 1 / sum;
        }
        return rule;
    }

    private static double root(int n, double low, double high) {
        boolean positive = polynomial(n, low) > 0;
        double a = low;
        double b = high;
        for (int i = 0; i < 80; i++) {
            double middle = (a + b) / 2;
            if (polynomial(n, middle) > 0 == positive) {
                a = middle;
            } else {
                b = middle;
            }
        }
        return (a + b) / 2;
    }

    private static double polynomial(int degree, double x) {
        double before = 0;
        double now = Math.pow(Math.PI, -0.25);
        for (int k = 0; k < degree; k++) {
            double next = Math.sqrt(2.0 / (k + 1)) * x * now - Math.sqrt(k / (k + 1.0)) * before;
            before = now;
            now = next;
        }
        return now;
    }
}
