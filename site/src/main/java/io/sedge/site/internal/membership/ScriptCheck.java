package io.sedge.site.internal.membership;

import io.sedge.connector.ConnectorException;
import io.sedge.division.Fragment;
import io.sedge.ledger.TaskId;
import io.sedge.site.api.SiteException;
import io.sedge.site.internal.device.CompiledJob;
import io.sedge.site.internal.device.SiteNode;
import io.sedge.sql.SqlException;
import io.sedge.task.FailureCode;
import java.util.List;
import java.util.Map;

/** Whether a site can run a script, before anything is done. Any thread. */
final class ScriptCheck {
  private final SiteNode node;
  private final SecretStore secrets;

  ScriptCheck(SiteNode node, SecretStore secrets) {
    this.node = node;
    this.secrets = secrets;
  }

  /** Nobody could run a task whose name the ledger does not take. */
  private static void checkNames(String job, CompiledJob compiled) throws SiteException {
    for (Fragment fragment : compiled.fragments(Map.of(), List.of())) {
      try {
        var _ = new TaskId(job, fragment.name());
      } catch (IllegalArgumentException e) {
        throw new SiteException(
            FailureCode.TABLE_NOT_ACCEPTED,
            "a part of job %s cannot be called '%s': %s"
                .formatted(job, fragment.name(), e.getMessage()),
            e);
      }
    }
  }

  /** The script, compiled as a device of the site would to run it. */
  CompiledJob check(String name, String script) throws SiteException {
    try {
      CompiledJob compiled = node.compile(name, script);
      io.sedge.sql.Job job = compiled.job();
      node.checkFiles(job);
      boolean shows =
          job.sinks().values().stream()
              .anyMatch(sink -> sink.connector().equals(io.sedge.sql.Job.TERMINAL));
      if (shows) {
        throw new SiteException(
            FailureCode.SCRIPT_NOT_ACCEPTED,
            "job %s has a SELECT of its own, whose rows a site can show nowhere: write INSERT INTO a table (connector 'print' writes to a device's own output), or try it with `sedge run`"
                .formatted(name));
      }
      secrets.checkSet(name, script);
      checkNames(name, compiled);
      return compiled;
    } catch (SqlException e) {
      throw new SiteException("the script of job %s is not accepted".formatted(name), e.problems());
    } catch (ConnectorException e) {
      throw new SiteException(FailureCode.TABLE_NOT_ACCEPTED, String.valueOf(e.getMessage()), e);
    }
  }
}
