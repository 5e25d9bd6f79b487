package io.sedge.site.internal.exchange;

import java.util.List;

/** The tasks that write an exchange table. */
@FunctionalInterface
public interface Producers {
  /** The shards of those whose rows are waited for. */
  List<String> shards();

  /** The shards of those that nobody waits for now, but that the table does not end without. */
  default List<String> away() {
    return List.of();
  }
}
