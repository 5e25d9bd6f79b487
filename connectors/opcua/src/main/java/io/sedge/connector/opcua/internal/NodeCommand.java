package io.sedge.connector.opcua.internal;

import io.sedge.connector.Awaited;
import io.sedge.connector.command.Command;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A row that is to be written, and how far that is. */
final class NodeCommand implements Command {
  private final long sequence;
  private final String node;
  private final @Nullable Object value;
  private final long givenMicros;
  private final String text;
  private final Optional<Awaited> awaited;

  /** Whether it was sent, so that it may have been written; belongs to the writer's thread. */
  boolean isSent;

  /** Whether the server wanted another type than the node had before; the writer's thread too. */
  boolean wasMistyped;

  /**
   * @param node the node's id
   * @param value in the object form of the column; null: nothing is to be written
   * @param givenMicros when it was given; {@link Long#MAX_VALUE} if that is not known
   * @param text the row, for people
   * @param awaited who waits for it
   */
  NodeCommand(
      long sequence,
      String node,
      @Nullable Object value,
      long givenMicros,
      String text,
      Optional<Awaited> awaited) {
    this.sequence = sequence;
    this.node = node;
    this.value = value;
    this.givenMicros = givenMicros;
    this.text = text;
    this.awaited = awaited;
  }

  @Override
  public long sequence() {
    return sequence;
  }

  String node() {
    return node;
  }

  @Nullable Object value() {
    return value;
  }

  @Override
  public long givenMicros() {
    return givenMicros;
  }

  @Override
  public String text() {
    return text;
  }

  @Override
  public Optional<Awaited> awaited() {
    return awaited;
  }
}
