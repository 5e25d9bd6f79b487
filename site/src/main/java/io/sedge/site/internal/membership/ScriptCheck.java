package io.sedge.site.internal.membership;

import io.sedge.connector.ConnectorContext.Severity;
import io.sedge.connector.ConnectorException;
import io.sedge.division.Fragment;
import io.sedge.ledger.Device;
import io.sedge.ledger.Job;
import io.sedge.ledger.JobFile;
import io.sedge.ledger.SiteState;
import io.sedge.ledger.TaskId;
import io.sedge.replication.LedgerMember;
import io.sedge.site.api.SiteException;
import io.sedge.site.internal.device.CompiledJob;
import io.sedge.site.internal.device.SiteNode;
import io.sedge.sql.SqlException;
import io.sedge.task.FailureCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Whether a site can run a script, before anything is done. Any thread. */
final class ScriptCheck {
  private final LedgerMember member;
  private final SiteNode node;
  private final SecretStore secrets;
  private final DeviceFiles files;

  ScriptCheck(LedgerMember member, SiteNode node, SecretStore secrets, DeviceFiles files) {
    this.files = files;
    this.member = member;
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

  /** Has the other devices that are there get the files of a job that is about to be submitted. */
  void give(String name, List<JobFile> named) throws SiteException {
    List<Device> others =
        member.read(SiteState::devices).stream()
            .filter(device -> files.names().contains(device.name()) && node.isUp(device))
            .toList();
    files
        .give(named, others)
        .forEach(
            (device, why) ->
                node.log()
                    .add(
                        Severity.WARNING,
                        "",
                        "device %s cannot run job %s yet, as it lacks files of it, which it goes on asking for: %s"
                            .formatted(device, name, why)));
  }

  /** All devices keep the files of all jobs. */
  private void checkRoom(String name, List<JobFile> files) throws SiteException {
    List<JobFile> all = new ArrayList<>(files);
    for (Job job : member.read(SiteState::jobs)) {
      if (!job.name().equals(name)) {
        all.addAll(job.files());
      }
    }
    long bytes = JobFile.bytes(all);
    if (bytes > JobFile.MAX_SITE_BYTES) {
      throw new SiteException(
          FailureCode.LIMIT_REACHED,
          "with the files that job %s names the files of all jobs would have %,d bytes; a site keeps %,d: remove jobs that have ended (`sedge job remove`), or name smaller files"
              .formatted(name, bytes, JobFile.MAX_SITE_BYTES));
    }
  }

  /** The script, compiled as a device of the site would to run it. */
  CompiledJob check(String name, String script) throws SiteException {
    try {
      CompiledJob compiled = node.compile(name, script);
      io.sedge.sql.Job job = compiled.job();
      checkRoom(name, compiled.files());
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
