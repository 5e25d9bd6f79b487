package io.sedge.cli.internal;

import io.sedge.site.api.SiteException;
import io.sedge.task.FailureCode;

/** A table of a job, as people write it: {@code JOB.TABLE}. */
record JobTable(String job, String table) {
  /** Names of tables have no dot; names of jobs may. */
  static JobTable parse(String text) throws SiteException {
    int dot = text.lastIndexOf('.');
    if (dot < 1 || dot == text.length() - 1) {
      throw new SiteException(
          FailureCode.USAGE, "'%s' is no table of a job: JOB.TABLE".formatted(text));
    }
    return new JobTable(text.substring(0, dot), text.substring(dot + 1));
  }
}
