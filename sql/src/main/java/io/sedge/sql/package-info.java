/**
 * Flink SQL to plans of the engine. Read {@link io.sedge.sql.SqlCompiler} first, then {@link
 * io.sedge.sql.Job}, then {@link io.sedge.sql.SqlException}. A compiler is used by one thread; jobs
 * are immutable.
 */
@NullMarked
package io.sedge.sql;

import org.jspecify.annotations.NullMarked;
