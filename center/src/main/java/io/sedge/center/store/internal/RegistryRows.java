package io.sedge.center.store.internal;

import java.util.List;
import org.jdbi.v3.core.Handle;

/** Rows of the store's own tables that more than one class writes. */
public final class RegistryRows {
  private RegistryRows() {}

  /**
   * Keeps an audit entry and lets the oldest go.
   *
   * @param entry who, what, subject, detail
   */
  public static void audit(Handle handle, long atMillis, int kept, List<String> entry) {
    handle
        .createUpdate(
            "INSERT INTO sedge_audit (at, who, what, subject, detail)"
                + " VALUES (:at, :who, :what, :subject, :detail)")
        .bind("at", atMillis)
        .bind("who", entry.get(0))
        .bind("what", entry.get(1))
        .bind("subject", entry.get(2))
        .bind("detail", entry.get(3))
        .execute();
    handle
        .createUpdate(
            "DELETE FROM sedge_audit WHERE id <= (SELECT max(id) FROM sedge_audit) - :kept")
        .bind("kept", kept)
        .execute();
  }
}
