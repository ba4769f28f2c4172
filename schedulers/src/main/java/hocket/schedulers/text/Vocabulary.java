package hocket.schedulers.text;

import java.util.Arrays;

/**
 * The characters that a model knows, numbered from 0 by code point. Equal to another of the same characters.
 *
 * @param characters each once, sorted by code point
 */
public record Vocabulary(String characters) {
    /** @throws IllegalArgumentException if there is no character, or they are not sorted or occur twice */
    public Vocabulary {
        int[] points = characters.codePoints().toArray();
        boolean sorted = points.length > 0;
        for (int i = 1; i < points.length; i++) {
            sorted &= points[i - 1] < points[i];
        }
        if (!sorted) {
            throw new IllegalArgumentException(
                    "a vocabulary needs at least one character, each once and sorted by code point, got \"" + characters
                            + "\"");
        }
    }

    /**
     * The characters of a text.
     *
     * @throws IllegalArgumentException if it is empty
     */
    public static Vocabulary of(String text) {
        int[] points = text.codePoints().sorted().distinct().toArray();
        return new Vocabulary(new String(points, 0, points.length));
    }

    /** Returns the number of characters. */
    public int size() {
        return characters.codePointCount(0, characters.length());
    }

    /**
     * Returns the number of each character of a text.
     *
     * @throws IllegalArgumentException if a character is unknown, naming it and its place, counted from 0
     */
    public int[] encode(String text) {
        int[] known = characters.codePoints().toArray();
        int[] numbers = text.codePoints().toArray();
        for (int i = 0; i < numbers.length; i++) {
            int number = Arrays.binarySearch(known, numbers[i]);
            if (number < 0) {
                throw new IllegalArgumentException("character %s (U+%04X) at place %d is not one of the vocabulary's %d"
                        .formatted(Character.toString(numbers[i]), numbers[i], i, known.length));
            }
            numbers[i] = number;
        }
        return numbers;
    }

    /**
     * Returns the text of these numbers.
     *
     * @throws IllegalArgumentException if one is no character's
     */
    public String decode(int... numbers) {
        int[] known = characters.codePoints().toArray();
        StringBuilder text = new StringBuilder();
        for (int number : numbers) {
            if (number < 0 || number >= known.length) {
                throw new IllegalArgumentException(
                        "a vocabulary of " + known.length + " characters has no number " + number);
            }
            text.appendCodePoint(known[number]);
        }
        return text.toString();
    }
}
