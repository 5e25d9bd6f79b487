/**
 * What a job computes, as data: a tree of {@link io.sedge.engine.plan.PlanNode}s under each sink.
 * The SQL front end makes it, {@link io.sedge.engine.operator.Pipeline} runs it, and it can be
 * printed. Read {@link io.sedge.engine.plan.Plan} first, then {@link
 * io.sedge.engine.plan.PlanNode}. Immutable values.
 */
@NullMarked
package io.sedge.engine.plan;

import org.jspecify.annotations.NullMarked;
