package io.sedge.center.internal.api;

import io.sedge.center.MergeCompiler;
import io.sedge.division.AcrossSites;
import io.sedge.sql.Problem;
import io.sedge.sql.SqlException;
import java.util.List;
import java.util.Optional;

/** Takes each script in which `wrong` does not stand; one with `merge` is merged. */
final class TestScripts implements MergeCompiler {
  @Override
  public AcrossSites compile(String job, String script) throws SqlException {
    throw refused("no job is merged here");
  }

  @Override
  public boolean merges(String job, String script) throws SqlException {
    if (script.contains("wrong")) {
      throw refused("there is no table 'wrong'");
    }
    return script.contains("merge");
  }

  private static SqlException refused(String why) {
    return new SqlException(List.of(new Problem(3, 7, why, Optional.empty())));
  }
}
