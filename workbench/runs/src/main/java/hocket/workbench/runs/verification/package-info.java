/**
 * Verification of run folders: checkpoints, queues and records, file by file.
 */
@NullMarked
package hocket.workbench.runs.verification;

import org.jspecify.annotations.NullMarked;
