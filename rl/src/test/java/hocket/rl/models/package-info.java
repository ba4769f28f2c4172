@NullMarked
package hocket.rl.models;

import org.jspecify.annotations.NullMarked;
