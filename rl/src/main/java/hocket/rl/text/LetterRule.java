package hocket.rl.text;

import hocket.schedulers.text.Vocabulary;

/** A rule that prefers the continuation with more of some letters; their number is a continuation's score. */
public final class LetterRule {
    private final boolean[] counted;
    private final int prompt;
    private final int window;

    /**
     * Makes a rule.
     *
     * @param letters each counts once for each time that it occurs
     * @param prompt characters of a prompt, which do not count
     * @param window characters of a prompt and its continuation
     * @throws IllegalArgumentException if there is no letter, or the vocabulary lacks one, naming it
     */
    public LetterRule(String letters, Vocabulary vocabulary, int prompt, int window) {
        if (letters.isEmpty()) {
            throw new IllegalArgumentException("letters must be at least one character, was \"\"");
        }
        counted = new boolean[vocabulary.size()];
        for (int number : vocabulary.encode(letters)) {
            counted[number] = true;
        }
        this.prompt = prompt;
        this.window = window;
    }

    /** Returns the score of each row of a prompt and its continuation. */
    int[] scores(long[] written) {
        int[] scores = new int[written.length / window];
        for (int row = 0; row < scores.length; row++) {
            for (int i = prompt; i < window; i++) {
                scores[row] += counted[(int) written[row * window + i]] ? 1 : 0;
            }
        }
        return scores;
    }

    /** Returns the mean score of these rows. */
    double mean(long[] written) {
        double sum = 0;
        for (int score : scores(written)) {
            sum += score;
        }
        return sum * window / written.length;
    }

    /** Returns the mean score of continuations whose characters are drawn uniformly. */
    double ofRandomCharacters() {
        int letters = 0;
        for (boolean each : counted) {
            letters += each ? 1 : 0;
        }
        return (double) (window - prompt) * letters / counted.length;
    }
}
