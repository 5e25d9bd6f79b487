package io.sedge.site.api;

import java.util.List;

/**
 * A secret, without its value.
 *
 * @param setAtMillis when it was last set, by the wall clock of the device that was asked
 * @param jobs those that have not ended and name it
 * @param missing devices that cannot read it yet: they are given it when they are up
 */
public record SecretStatus(String name, long setAtMillis, List<String> jobs, List<String> missing) {
  public SecretStatus {
    jobs = List.copyOf(jobs);
    missing = List.copyOf(missing);
  }
}
