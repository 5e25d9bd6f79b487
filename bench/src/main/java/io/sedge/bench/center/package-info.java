/**
 * The center under the load of many sites. Read {@link io.sedge.bench.center.CenterBenchmark}
 * first, then {@link io.sedge.bench.center.SimulatedSite}. The center is a process of its own;
 * sites are sinks of the connector {@code center} in this one, each with a thread that sends.
 */
@NullMarked
package io.sedge.bench.center;

import org.jspecify.annotations.NullMarked;
