/**
 * A bounded job over a site of unequal devices. Read {@link io.sedge.bench.parts.SeedCase} first,
 * then {@link io.sedge.bench.parts.ThrottledSite}. One thread; the devices are processes.
 */
@NullMarked
package io.sedge.bench.parts;

import org.jspecify.annotations.NullMarked;
