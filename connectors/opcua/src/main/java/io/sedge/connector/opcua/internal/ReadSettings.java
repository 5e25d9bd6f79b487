package io.sedge.connector.opcua.internal;

import java.util.List;
import java.util.Optional;

/**
 * What a table reads.
 *
 * @param root below which nodes are looked for
 * @param maxNodes so many are looked at
 * @param names whether browse names are needed
 * @param shard the nodes of one value of a column alone
 */
record ReadSettings(
    LinkSettings link,
    List<NodePattern> patterns,
    String root,
    int maxNodes,
    boolean names,
    MonitorSettings monitoring,
    Optional<Shard> shard) {
  /** The nodes whose column has that value. */
  record Shard(String column, String value) {}

  ReadSettings {
    patterns = List.copyOf(patterns);
  }

  /** Those of the nodes that are the shard's. */
  List<Variable> keep(List<Variable> found) {
    return shard
        .map(
            own ->
                found.stream()
                    .filter(variable -> own.value().equals(variable.columns().get(own.column())))
                    .toList())
        .orElse(found);
  }

  ReadSettings of(Shard own) {
    return new ReadSettings(link, patterns, root, maxNodes, names, monitoring, Optional.of(own));
  }
}
