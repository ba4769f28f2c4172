package hocket.rl.text;

import hocket.schedulers.settings.Setting;
import hocket.schedulers.text.Vocabulary;

/** The language models of an agent that writes, and what its texts are worth. */
public record LanguageSettings(
        @Setting(usually = "aeiou", help = "letters of which the rule prefers more in a continuation")
        String letters,

        @Setting(usually = "{}", help = "size of each of the four networks")
        CausalTransformer model,

        @Setting(usually = "16", least = 2, most = 1e4, help = "characters of a prompt")
        int prompt,

        @Setting(usually = "32", least = 1, most = 1e4, help = "characters of a continuation")
        int continuation)
        implements LanguageSettingsCopies {
    public LanguageSettings {
        LanguageSettingsCopies.check(prompt, continuation);
    }

    /** Makes the networks for texts of this vocabulary. */
    public LanguageModels models(Vocabulary vocabulary) {
        return LanguageModels.of(model, prompt, continuation, vocabulary.size());
    }

    /** Makes the rule that compares continuations. */
    public LetterRule rule(Vocabulary vocabulary) {
        return new LetterRule(letters, vocabulary, prompt, prompt + continuation);
    }
}
