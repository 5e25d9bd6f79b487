/**
 * Sedge beside its peers on the same input. Read {@link io.sedge.bench.Bench} first, then {@link
 * io.sedge.bench.Workload}, then {@link io.sedge.bench.Contender}. Each contender runs in a process
 * of its own.
 */
@NullMarked
package io.sedge.bench;

import org.jspecify.annotations.NullMarked;
