/**
 * Connectors beside bare clients of what they speak. Read {@link
 * io.sedge.bench.connectors.ConnectorBenchmark} first, then {@link
 * io.sedge.bench.connectors.Programs}, then {@link io.sedge.bench.connectors.SteadyRun}. Servers,
 * {@code sedge run} and its peers are processes of their own.
 */
@NullMarked
package io.sedge.bench.connectors;

import org.jspecify.annotations.NullMarked;
