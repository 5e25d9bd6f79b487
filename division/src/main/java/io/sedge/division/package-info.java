/**
 * The division of a job into the parts that tasks run. Read {@link io.sedge.division.Fragments}
 * first, then {@link io.sedge.division.Fragment}. Pure functions and immutable values, any thread:
 * every device of a site cuts the same job into the same parts.
 */
@NullMarked
package io.sedge.division;

import org.jspecify.annotations.NullMarked;
