package io.sedge.console;

import io.sedge.sql.Job;
import io.sedge.sql.SqlException;

/**
 * Compiles a script that somebody has typed in a browser. Called by any thread, for one script at a
 * time. It opens nothing, and loads no code that what runs has not loaded already.
 */
@FunctionalInterface
public interface ScriptCheck {
  /**
   * Compiles it.
   *
   * @throws SqlException if it is not accepted
   */
  Job compile(String script) throws SqlException;
}
