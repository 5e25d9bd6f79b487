package io.sedge.site.internal.device;

import io.sedge.division.Fragment;
import io.sedge.division.Fragments;
import io.sedge.ledger.Job;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The fragments of a job, the delivery last. Immutable.
 *
 * @param version of the script that they are of
 * @param all in order; empty while they are not known
 * @param earlier the script whose delivery is among them, in the place of this one's; empty if it
 *     is this one's own
 */
record JobFragments(
    long version, List<Fragment> all, Map<String, Fragment> byName, Optional<Job.Earlier> earlier) {
  /** Of a job that is not compiled yet. */
  static final JobFragments NONE = new JobFragments(0, List.of());

  JobFragments {
    all = List.copyOf(all);
    byName = Map.copyOf(byName);
  }

  JobFragments(long version, List<Fragment> all) {
    this(version, all, named(all), Optional.empty());
  }

  private static Map<String, Fragment> named(List<Fragment> all) {
    Map<String, Fragment> named = new HashMap<>();
    all.forEach(fragment -> named.put(fragment.name(), fragment));
    return named;
  }

  /**
   * The same with the delivery of another script.
   *
   * @param delivery empty if there is none on this device
   */
  JobFragments deliveredBy(Job.Earlier before, Optional<Fragment> delivery) {
    List<Fragment> others =
        all.stream().filter(fragment -> !fragment.name().equals(Fragments.DELIVERY)).toList();
    Map<String, Fragment> named = named(others);
    delivery.ifPresent(fragment -> named.put(fragment.name(), fragment));
    return new JobFragments(version, all, named, Optional.of(before));
  }

  /** The one that a task runs; empty if there is none, or none any more. */
  Optional<Fragment> of(String shard) {
    return Optional.ofNullable(byName.get(shard));
  }

  /** The version of the script that a fragment is of. */
  long versionOf(String shard) {
    return shard.equals(Fragments.DELIVERY)
        ? earlier.map(Job.Earlier::version).orElse(version)
        : version;
  }
}
