/**
 * The columnar engine. {@code type} says what values are, {@code column} holds them, {@code
 * expression} and {@code aggregate} compute, {@code operator} runs a {@code plan}, {@code state} is
 * what a commit holds. Needs the JDK alone.
 */
@NullMarked
package io.sedge.engine;

import org.jspecify.annotations.NullMarked;
