package io.sedge.site.api;

import java.util.List;
import java.util.Map;

/**
 * A script whose tables know their shards.
 *
 * @param script with the values in the place of what stood there, and as many lines as before; the
 *     same if nothing was to be looked for
 * @param shards of the tables that were looked at, by their name
 */
public record DiscoveredShards(String script, Map<String, List<String>> shards) {
  public DiscoveredShards {
    shards = Map.copyOf(shards);
  }
}
