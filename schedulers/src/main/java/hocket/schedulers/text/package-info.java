/** Texts as numbers of characters: vocabularies, windows of a text as training data, and a text that ships. */
@NullMarked
package hocket.schedulers.text;

import org.jspecify.annotations.NullMarked;
