package io.sedge.task;

import io.sedge.connector.Awaited;
import io.sedge.connector.Delivery;
import java.util.Optional;

/**
 * The sequences that rows have before a task delivers them: those of an outbox. Each sink table of
 * such a task is fed by the source table of its name, batch by batch, unchanged. Called by the
 * task's thread, {@link #delivery} also by the one that opens the table.
 */
public interface RowNumbers {
  /** Whose rows a sink table gets. */
  Delivery delivery(String table);

  /** The sequence of the first row of the batch that the source table of that name gave last. */
  long first(String table);

  /** Who waits for that batch, whose one row ends; as a rule nobody. */
  default Optional<Awaited> awaited(String table) {
    return Optional.empty();
  }
}
