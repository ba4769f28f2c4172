package hocket.gan.networks;

import hocket.scopes.Shape;

/** The sides of images that networks halve and double. */
public final class ImageSides {
    private ImageSides() {}

    /**
     * Returns 2^times, of which an image's sides must be multiples.
     *
     * @param network its name, for the message
     * @param times how often the sides are halved
     * @throws IllegalArgumentException if these are not images (channels, height, width) of such sides
     */
    public static int requireMultiples(String network, int times, Shape image) {
        int scale = 1 << times;
        if (image.rank() != 3 || image.get(1) % scale != 0 || image.get(2) % scale != 0) {
            throw new IllegalArgumentException(network + " needs images (channels, height, width) with sides that are"
                    + " multiples of " + scale + ", got " + image);
        }
        return scale;
    }
}
