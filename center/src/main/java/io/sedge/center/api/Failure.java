package io.sedge.center.api;

/**
 * Why something was not done.
 *
 * @param code a name that does not change between versions
 * @param message for people; says what to do
 */
public record Failure(String code, String message) {}
