package io.sedge.identity;

import java.util.Map;

/**
 * A device that wants to come into a site.
 *
 * @param key the fingerprint of its key
 * @param address of its ledger to be, {@code host:port}
 * @param labels that a person gave it
 * @param format the latest format of a ledger that it reads; 0 of versions that know none
 */
public record Newcomer(
    String name, String key, String address, Map<String, String> labels, int format) {
  public Newcomer {
    labels = Map.copyOf(labels);
  }
}
