package io.sedge.site.internal.device;

import io.sedge.division.Fragment;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The fragments of a job, the delivery last. Immutable.
 *
 * @param all in order; empty while they are not known
 */
record JobFragments(List<Fragment> all, Map<String, Fragment> byName) {
  /** Of a job that is not compiled yet. */
  static final JobFragments NONE = new JobFragments(List.of());

  JobFragments {
    all = List.copyOf(all);
    byName = Map.copyOf(byName);
  }

  JobFragments(List<Fragment> all) {
    this(all, named(all));
  }

  private static Map<String, Fragment> named(List<Fragment> all) {
    Map<String, Fragment> named = new HashMap<>();
    all.forEach(fragment -> named.put(fragment.name(), fragment));
    return named;
  }

  /** The one that a task runs; empty if there is none, or none any more. */
  Optional<Fragment> of(String shard) {
    return Optional.ofNullable(byName.get(shard));
  }
}
