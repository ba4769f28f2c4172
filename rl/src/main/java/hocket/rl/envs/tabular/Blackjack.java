package hocket.rl.envs.tabular;

import hocket.rl.envs.EpisodicEnvironment;
import hocket.rl.envs.StateArrays;
import hocket.rl.spaces.Discrete;
import hocket.rl.spaces.MultiDiscrete;
import hocket.schedulers.state.State;
import hocket.scopes.Tensor;
import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * Blackjack against a dealer with an endless deck (Sutton and Barto, Example 5.1), as Gymnasium's {@code Blackjack-v1}.
 *
 * <p>An ace counts 11 where that does not bust the hand. Observation: the player's sum, the dealer's open card (1 an
 * ace), whether the player counts an ace as 11. Actions: 0 stick, 1 hit. The episode terminates when the player busts
 * or sticks; then the dealer draws to 17. Reward 1 for a win, -1 for a loss, 0 for a draw and before the end.
 */
public final class Blackjack extends EpisodicEnvironment {
    private static final String SUITS = "♣♦♥♠";
    private static final String FACES = "JQK";

    private final boolean natural;
    private final boolean suttonBarto;
    private final Hand player = new Hand();
    private final Hand dealer = new Hand();

    /** The suit of the dealer's open card, which Gymnasium draws too. */
    private int suit;

    private int face = -1;

    /** The rules of {@code gymnasium.make("Blackjack-v1")}: Sutton and Barto's. */
    public Blackjack() {
        this(false, true);
    }

    /**
     * @param natural whether a win with an ace and a ten is worth 1.5; not under Sutton and Barto's rules
     * @param suttonBarto whether an ace and a ten win at once unless the dealer has them too
     */
    public Blackjack(boolean natural, boolean suttonBarto) {
        super("Blackjack-v1", MultiDiscrete.of(32, 11, 2), new Discrete(2));
        this.natural = natural;
        this.suttonBarto = suttonBarto;
    }

    @Override
    protected void begin() {
        dealer.deal();
        player.deal();
        suit = random().choice(SUITS.length());
        face = dealer.cards[0] == 10 ? random().choice(FACES.length()) : -1;
    }

    @Override
    protected void act(float[] action, int at) {
        if (action[at] == 1) {
            player.draw();
            outcome(player.sum() > 21 ? -1 : 0, player.sum() > 21);
            return;
        }
        while (dealer.sum() < 17) {
            dealer.draw();
        }
        double reward = Integer.compare(player.score(), dealer.score());
        if (suttonBarto && player.isNatural() && !dealer.isNatural()) {
            reward = 1;
        } else if (!suttonBarto && natural && player.isNatural() && reward == 1) {
            reward = 1.5;
        }
        outcome(reward, true);
    }

    @Override
    public void observe(float[] into, int at) {
        into[at] = player.sum();
        into[at + 1] = dealer.cards[0];
        into[at + 2] = player.hasUsableAce() ? 1 : 0;
    }

    /** Describes both hands; the dealer's covered card is hidden until the player stops. */
    @Override
    public String text() {
        int open = dealer.cards[0];
        String card = open == 1 ? "A" : face >= 0 ? FACES.substring(face, face + 1) : String.valueOf(open);
        String shown = card + SUITS.charAt(suit) + (terminated() ? dealer.rest() + " = " + dealer.sum() : " ?");
        return "dealer " + shown + "\nplayer " + player.cards[0] + player.rest() + " = " + player.sum();
    }

    @Override
    protected State saveOwnState() {
        return State.empty()
                .with("player", player.saved())
                .with("dealer", dealer.saved())
                .with("suit", suit)
                .with("face", face);
    }

    @Override
    protected void restoreOwnState(State state) {
        int[] savedPlayer = Hand.restored(state, "player");
        int[] savedDealer = Hand.restored(state, "dealer");
        int savedSuit = (int) state.whole("suit");
        int savedFace = (int) state.whole("face");
        player.take(savedPlayer);
        dealer.take(savedDealer);
        suit = savedSuit;
        face = savedFace;
    }

    /** The cards of the player or the dealer. */
    private final class Hand {
        /** The maximum number of cards: a hand of 21 or more draws at most once more, and every card is at least 1. */
        private static final int MOST = 22;

        private final int[] cards = new int[MOST];
        private int count;
        private int plain;
        private boolean hasAce;

        private void deal() {
            count = 0;
            plain = 0;
            hasAce = false;
            draw();
            draw();
        }

        private void draw() {
            add(Math.min(random().choice(13) + 1, 10));
        }

        private void add(int card) {
            cards[count++] = card;
            plain += card;
            hasAce |= card == 1;
        }

        private boolean hasUsableAce() {
            return hasAce && plain + 10 <= 21;
        }

        private int sum() {
            return hasUsableAce() ? plain + 10 : plain;
        }

        private String rest() {
            return Arrays.stream(cards, 1, Math.max(1, count))
                    .mapToObj(card -> " " + card)
                    .collect(Collectors.joining());
        }

        private int score() {
            return sum() > 21 ? 0 : sum();
        }

        private boolean isNatural() {
            return count == 2 && hasAce && plain == 11;
        }

        /** All places of the hand as a tensor, 0 where there is no card. */
        private Tensor saved() {
            double[] numbers = new double[MOST];
            for (int i = 0; i < count; i++) {
                numbers[i] = cards[i];
            }
            return StateArrays.tensor(numbers);
        }

        private static int[] restored(State state, String whose) {
            double[] numbers = StateArrays.read(state, whose, MOST);
            int[] cards = Arrays.stream(numbers).mapToInt(card -> (int) card).toArray();
            if (Arrays.stream(cards).anyMatch(card -> card < 0 || card > 10)) {
                throw new IllegalArgumentException(
                        "Blackjack-v1: a saved card must be 0 to 10, the " + whose + " has " + Arrays.toString(cards));
            }
            return cards;
        }

        private void take(int[] numbers) {
            count = 0;
            plain = 0;
            hasAce = false;
            for (int card : numbers) {
                if (card > 0) {
                    add(card);
                }
            }
        }
    }
}
