package hocket.rl.sampling;

import hocket.schedulers.settings.Limits;

/** Numbers of at least 0 at places from 0, with their sum: finding a place by a part of the sum takes log(n) steps. */
final class SumTree {
    /** Node i has the children 2i and 2i + 1, and is their sum; the numbers are the last half. */
    private final double[] nodes;

    private final int leaves;

    /** @throws IllegalArgumentException if there are too many places */
    SumTree(int places) {
        leaves = places < 2 ? 1 : Integer.highestOneBit(places - 1) << 1;
        nodes = new double[Limits.elements("sampler: priorities", 2, leaves < 1 ? Integer.MAX_VALUE : leaves)];
    }

    double sum() {
        return nodes[1];
    }

    double get(int place) {
        return nodes[leaves + place];
    }

    void set(int place, double number) {
        int node = leaves + place;
        nodes[node] = number;
        for (node /= 2; node >= 1; node /= 2) {
            nodes[node] = nodes[2 * node] + nodes[2 * node + 1];
        }
    }

    /**
     * Returns the first place at which the numbers up to it, its own included, sum to more than a mass. A place of 0 is
     * never found.
     *
     * @param mass at least 0; where it is not below the sum, the last place that is not 0 is found
     */
    int find(double mass) {
        int node = 1;
        double left = mass;
        while (node < leaves) {
            double before = nodes[2 * node];
            if (left < before || nodes[2 * node + 1] == 0) {
                node = 2 * node;
            } else {
                left -= before;
                node = 2 * node + 1;
            }
        }
        return node - leaves;
    }
}
