package io.sedge.site.internal.fragment;

import io.sedge.connector.Division;
import io.sedge.sql.Job;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Cuts jobs into fragments. */
public final class Fragments {
  /**
   * The connector of the tables through which shards give their rows to the fragment that merges
   * them.
   */
  public static final String EXCHANGE = "exchange";

  /** The name of a job's only fragment, where none of its sources is divided. */
  public static final String ALL = "all";

  /** The name of the fragment that merges what the shards give. */
  public static final String MERGE = "merge";

  private Fragments() {}

  /**
   * The fragments of a job, the same for equal arguments.
   *
   * @param divisions of each source table
   * @param devices the names of the site's devices, for tables that are divided by device
   */
  public static List<Fragment> of(Job job, Map<String, Division> divisions, List<String> devices) {
    return List.of(new Fragment(ALL, job, Optional.empty(), Optional.empty(), Optional.empty()));
  }
}
