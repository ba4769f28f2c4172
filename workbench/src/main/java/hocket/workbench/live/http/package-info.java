/**
 * The HTTP server: routes, access, connections, files of the page and metrics for Prometheus.
 */
@NullMarked
package hocket.workbench.live.http;

import org.jspecify.annotations.NullMarked;
