/**
 * Networks that experiment files name by class, each with the programs that its turns and samples are made of, and the
 * layers that they are built from. Nothing here trains: which program is descended by what, and when, an experiment says.
 */
@NullMarked
package hocket.gan.networks;

import org.jspecify.annotations.NullMarked;
