/** World models: latent dynamics that are learnt from recorded steps, and rollouts that are imagined in them. */
@NullMarked
package hocket.rl.models;

import org.jspecify.annotations.NullMarked;
