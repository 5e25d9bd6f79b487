package io.sedge.connector;

import java.util.Optional;

/** A table that can be written. Immutable; opening is the sink's. */
public interface SinkFactory {
  /** Which changes of a result the sink takes. */
  ChangelogMode changelogMode();

  /**
   * What a script has to say for a table of this connector to take updates, after "or", for the
   * message that refuses a query: {@code 'format' = 'debezium-json'}. Empty if nothing helps.
   */
  default Optional<String> updatesRemedy() {
    return Optional.empty();
  }

  /**
   * Whether what is written can reach what this connector's sources read from: the machine itself,
   * a broker. Rows that a job writes there while it also reads through the same connector count as
   * commands.
   */
  default boolean reachesSources() {
    return false;
  }

  /** What holds for rows of a {@link Delivery.Writer} whose processes may die. */
  Guarantee guarantee();

  /**
   * Opens the sink. May block for as long as the connector's own timeouts say.
   *
   * @param delivery whose rows it is given
   */
  Sink open(Delivery delivery);
}
