package io.sedge.connector.command;

import io.sedge.connector.Awaited;
import io.sedge.connector.MalformedValueException;
import io.sedge.engine.column.Batch;
import java.util.Optional;

/** Makes commands of the rows of a table. Called by the task's thread. */
public interface CommandMaker<C extends Command> {
  /**
   * The command of a row.
   *
   * @throws MalformedValueException if the row is none: the far end cannot hold its values, or it
   *     is for nothing that may be written
   */
  C command(long sequence, Batch batch, int row, Optional<Awaited> awaited)
      throws MalformedValueException;

  /** What stands for a row that is no command: there is nothing to write. */
  C none(long sequence, String text, Optional<Awaited> awaited);
}
