/**
 * How a job is cut into the parts that tasks run. Read {@link
 * io.sedge.site.internal.fragment.Fragments} first, then {@link
 * io.sedge.site.internal.fragment.Fragment}. Pure functions and immutable values, any thread: every
 * device of a site cuts the same job into the same parts.
 */
@NullMarked
package io.sedge.site.internal.fragment;

import org.jspecify.annotations.NullMarked;
