/**
 * Names and the values that they refer to: paths, scope guards, declarations, devices and their arrays, the one
 * parameter store, selections of it, snapshots, and streams of random numbers keyed by seed, path and counter. Nothing here computes.
 */
@NullMarked
package hocket.scopes;

import org.jspecify.annotations.NullMarked;
