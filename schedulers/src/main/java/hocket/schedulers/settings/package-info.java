/**
 * The settings of experiment files: {@link hocket.schedulers.settings.Setting} describes a setting once, and networks,
 * data and evaluations are defined here for files to name by class.
 */
@NullMarked
package hocket.schedulers.settings;

import org.jspecify.annotations.NullMarked;
