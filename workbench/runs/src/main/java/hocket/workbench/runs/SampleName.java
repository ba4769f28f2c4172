package hocket.workbench.runs;

import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The position in the name of a picture of samples: {@code epoch-0002}, {@code epoch-0002-round-000061} or {@code
 * round-000061}.
 *
 * @param isRound whether the number counts rounds, not epochs
 * @param number completed epochs or rounds
 * @param within completed rounds, for pictures after the first of an epoch
 */
public record SampleName(boolean isRound, long number, OptionalLong within) {
    private static final Pattern NAME = Pattern.compile("(epoch|round)-(\\d{1,18})(?:-round-(\\d{1,18}))?");

    /** Reads a name without its suffix; empty for other pictures. */
    public static Optional<SampleName> of(String name) {
        Matcher matcher = NAME.matcher(name);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        String within = matcher.group(3);
        return Optional.of(new SampleName(
                matcher.group(1).equals("round"),
                Long.parseLong(matcher.group(2)),
                within == null ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(within))));
    }
}
