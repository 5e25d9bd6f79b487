package io.sedge.cli.internal;

import io.sedge.sql.SqlException;

/** A script is not accepted; carries what is needed to show where. */
final class ScriptRefusedException extends Exception {
  private static final long serialVersionUID = 1;

  private final transient Script script;
  private final SqlException problems;

  ScriptRefusedException(Script script, SqlException problems) {
    super(problems);
    this.script = script;
    this.problems = problems;
  }

  Script script() {
    return script;
  }

  SqlException problems() {
    return problems;
  }
}
