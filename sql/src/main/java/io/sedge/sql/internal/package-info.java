/**
 * The inside of the SQL front end, in the order of its work: {@link
 * io.sedge.sql.internal.ScriptCompiler} drives, {@code StatementReader} cuts a script into
 * statements, {@code TableDeclarations} turns DDL into the {@code Catalog}, {@code QueryPlanner}
 * has Calcite validate a query and turn it into a relational tree, {@code Lowering} turns that into
 * the engine's plan, {@code Pruning} makes the plan lean. One thread.
 */
@NullMarked
package io.sedge.sql.internal;

import org.jspecify.annotations.NullMarked;
