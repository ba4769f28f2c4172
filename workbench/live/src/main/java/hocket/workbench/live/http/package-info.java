/**
 * The HTTP server: routes, access, connections, the page's files and metrics for Prometheus.
 */
@NullMarked
package hocket.workbench.live.http;

import org.jspecify.annotations.NullMarked;
