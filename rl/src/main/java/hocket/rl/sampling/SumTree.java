package hocket.rl.sampling;

import hocket.schedulers.settings.Limits;

/**
 * Numbers of at least 0 at places from 0, with their sum: finding a place by a part of the sum takes log(n) steps. It grows
 * with the places that are set; the others are 0.
 */
final class SumTree {
    /** The bytes of a place at most: a leaf and a sum, of twice as many places as are set. */
    static final int BYTES = 4 * Double.BYTES;

    /** Node i has the children 2i and 2i + 1, and is their sum; the numbers are the last half. */
    private double[] nodes = new double[2];

    private int leaves = 1;

    /** @throws IllegalArgumentException if a tree cannot have this number of places */
    static void require(int places) {
        Limits.elements("sampler: priorities", 2, places < 2 ? 1 : Integer.highestOneBit(places - 1), 2);
    }

    double sum() {
        return nodes[1];
    }

    /** Returns the number at a place; 0 where none was set. */
    double get(int place) {
        return place < leaves ? nodes[leaves + place] : 0;
    }

    void set(int place, double number) {
        if (place >= leaves) {
            grow(place);
        }
        int node = leaves + place;
        nodes[node] = number;
        for (node /= 2; node >= 1; node /= 2) {
            nodes[node] = nodes[2 * node] + nodes[2 * node + 1];
        }
    }

    private void grow(int place) {
        int more = Integer.highestOneBit(place) << 1;
        double[] larger = new double[2 * more];
        System.arraycopy(nodes, leaves, larger, more, leaves);
        for (int node = more - 1; node >= 1; node--) {
            larger[node] = larger[2 * node] + larger[2 * node + 1];
        }
        nodes = larger;
        leaves = more;
    }

    /**
     * Returns the first place at which the numbers up to it, its own included, sum to more than a mass. A place of 0 is
     * never found, unless all are.
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
