/**
 * Settings that algorithms share, for user-written algorithms as well. A record such as {@link
 * hocket.rl.settings.TaskSettings} is a component of an algorithm with {@code @SettingGroup}: its keys are among the
 * algorithm's own, and it holds what follows from them.
 */
@CheckedCopies(AlgorithmSettings.class)
@NullMarked
package hocket.rl.settings;

import hocket.schedulers.settings.CheckedCopies;
import org.jspecify.annotations.NullMarked;
