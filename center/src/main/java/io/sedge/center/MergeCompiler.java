package io.sedge.center;

import io.sedge.division.AcrossSites;
import io.sedge.sql.SqlException;

/** Compiles the scripts of jobs that are given to sites, or merged. Any thread. */
@FunctionalInterface
public interface MergeCompiler {
  /**
   * Compiles and cuts a script; opens nothing.
   *
   * @param job its name, which it has on the sites too
   * @throws SqlException if it is not accepted, or cannot be merged
   */
  AcrossSites compile(String job, String script) throws SqlException;

  /**
   * Compiles a script that may be merged or not; opens nothing.
   *
   * @return whether its windows are merged in the center
   * @throws SqlException as {@link #compile}
   */
  default boolean merges(String job, String script) throws SqlException {
    return !compile(job, script).merges().isEmpty();
  }
}
