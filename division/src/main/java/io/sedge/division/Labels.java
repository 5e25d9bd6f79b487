package io.sedge.division;

import io.sedge.connector.ConnectorException;
import io.sedge.sql.Job;
import java.util.Map;
import java.util.TreeMap;

/** The labels that a device must have to run a fragment. Stateless. */
public final class Labels {
  private Labels() {}

  /**
   * What a fragment demands: what its job does, and each table that it reads.
   *
   * @param job what the fragment reads and computes
   * @throws ConnectorException if tables that are read together demand what no device can have
   */
  public static Map<String, String> demanded(Job job) {
    Map<String, String> demanded = new TreeMap<>(job.labels());
    Map<String, String> by = new TreeMap<>();
    demanded.keySet().forEach(label -> by.put(label, "the job"));
    new TreeMap<>(job.sources())
        .forEach(
            (table, source) ->
                source
                    .labels()
                    .forEach(
                        (label, value) -> {
                          String before = demanded.putIfAbsent(label, value);
                          if (before != null && !before.equals(value)) {
                            throw new ConnectorException(
                                ConnectorException.Kind.USER,
                                "table %s demands %s=%s of a device and %s %s=%s, but one task reads or writes both"
                                    .formatted(table, label, value, by.get(label), label, before));
                          }
                          by.putIfAbsent(label, "table " + table);
                        }));
    return demanded;
  }

  /**
   * Whether a device may run a fragment.
   *
   * @param job what the fragment reads and computes
   * @param labels those of the device
   */
  public static boolean suits(Job job, Map<String, String> labels) {
    return labels.entrySet().containsAll(demanded(job).entrySet());
  }
}
