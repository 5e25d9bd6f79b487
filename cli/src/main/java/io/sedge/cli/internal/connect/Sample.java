package io.sedge.cli.internal.connect;

/**
 * Something that was found, and what it had.
 *
 * @param name the topic, or the id of a node
 * @param payload the first that came, as text
 * @param count how many came
 */
public record Sample(String name, String payload, long count) {}
