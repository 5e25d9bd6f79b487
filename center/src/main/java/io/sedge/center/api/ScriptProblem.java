package io.sedge.center.api;

import org.jspecify.annotations.Nullable;

/**
 * Something in a script that is not accepted.
 *
 * @param line 1 is the first
 * @param column 1 is the first
 * @param remedy what to write instead, where that is known
 */
public record ScriptProblem(int line, int column, String message, @Nullable String remedy) {}
