/**
 * How rows of bare SELECTs are shown. Read {@link io.sedge.cli.internal.output.RowOutput} first,
 * then {@link io.sedge.cli.internal.output.LiveTable}. The task's thread gives rows, a thread of
 * the output's own writes them.
 */
@NullMarked
package io.sedge.cli.internal.output;

import org.jspecify.annotations.NullMarked;
