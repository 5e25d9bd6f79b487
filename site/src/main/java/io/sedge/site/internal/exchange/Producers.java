package io.sedge.site.internal.exchange;

import java.util.List;

/** The tasks that write an exchange table. */
@FunctionalInterface
public interface Producers {
  /** The shards of those whose rows may still come. */
  List<String> shards();
}
