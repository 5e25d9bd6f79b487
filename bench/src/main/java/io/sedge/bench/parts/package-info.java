/**
 * Sites of device processes: a bounded job over unequal ones, one that slows, and what replication
 * costs. Read {@link io.sedge.bench.parts.SeedCase} first, then {@link
 * io.sedge.bench.parts.ThrottledSite}. One thread; the devices are processes.
 */
@NullMarked
package io.sedge.bench.parts;

import org.jspecify.annotations.NullMarked;
