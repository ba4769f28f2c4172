/**
 * Networks that experiment files name by class, each with the programs of its turns and samples, and their layers.
 * Nothing here trains: an experiment defines which turn minimises which program, and when.
 */
@NullMarked
package hocket.gan.networks;

import org.jspecify.annotations.NullMarked;
