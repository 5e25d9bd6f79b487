package io.sedge.center;

import io.sedge.division.AcrossSites;
import io.sedge.sql.SqlException;

/** Compiles the scripts of jobs over many sites. Any thread, one at a time. */
@FunctionalInterface
public interface MergeCompiler {
  /**
   * Compiles and cuts a script; opens nothing.
   *
   * @param job its name, which it has on the sites too
   * @throws SqlException if it is not accepted, or cannot be merged
   */
  AcrossSites compile(String job, String script) throws SqlException;
}
