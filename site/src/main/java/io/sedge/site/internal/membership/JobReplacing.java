package io.sedge.site.internal.membership;

import io.sedge.connector.ConnectorException;
import io.sedge.division.Replacement;
import io.sedge.ledger.Command;
import io.sedge.ledger.Job;
import io.sedge.ledger.JobFile;
import io.sedge.ledger.ModelVersion;
import io.sedge.replication.LedgerMember;
import io.sedge.site.api.JobReplacement;
import io.sedge.site.api.SiteException;
import io.sedge.site.internal.device.CompiledJob;
import io.sedge.site.internal.device.ReplacementPlan;
import io.sedge.site.internal.device.SiteNode;
import io.sedge.sql.SqlException;
import io.sedge.task.FailureCode;
import io.sedge.task.Printable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Gives a job that runs another script. Any thread. */
final class JobReplacing {
  private final LedgerMember member;
  private final LedgerMembership membership;
  private final SiteNode node;
  private final ScriptCheck scripts;

  JobReplacing(
      LedgerMember member, LedgerMembership membership, SiteNode node, ScriptCheck scripts) {
    this.member = member;
    this.membership = membership;
    this.node = node;
    this.scripts = scripts;
  }

  /**
   * Does what a plan has shown.
   *
   * @throws SiteException NOT_NOW if it would be another plan by now
   */
  void replace(Job job, String script, JobReplacement shown) throws SiteException {
    ReplacementPlan plan = plan(job, script);
    if (!plan.shown().equals(shown)) {
      throw new SiteException(
          FailureCode.NOT_NOW,
          "job %s, or the devices of the site, have changed since it was shown what replacing it does; nothing was done: look again (--dry-run)"
              .formatted(job.name()));
    }
    if (shown.changes()) {
      Command.ReplaceJob command = plan.command();
      scripts.give(job.name(), command.files());
      membership.submit(command, "replacing job " + job.name());
    }
  }

  /**
   * What replacing a job would do.
   *
   * @throws SiteException if it cannot be replaced, with what to do
   */
  ReplacementPlan plan(Job job, String script) throws SiteException {
    mayBeReplacedNow(job);
    return plan(job, script, scripts.check(job.name(), script));
  }

  /**
   * Has a job score by another version of a model; its script stays. One that has scored beside
   * does so no longer.
   *
   * @param file the version's
   * @throws SiteException as {@link #plan}
   */
  void score(Job job, String model, JobFile file) throws SiteException {
    List<JobFile> files = new ArrayList<>(job.files());
    files.removeIf(known -> known.isOf(model) || known.equals(file.asShadowOf(model)));
    files.add(file);
    give(job, files);
  }

  /**
   * Has a version of a model score beside the live one; the job's script stays.
   *
   * @param file the version's; empty for none
   * @throws SiteException as {@link #plan}
   */
  void shadow(Job job, String model, Optional<JobFile> file) throws SiteException {
    List<JobFile> files = new ArrayList<>(job.files());
    files.removeIf(known -> known.isShadowOf(model));
    file.ifPresent(version -> files.add(version.asShadowOf(model)));
    give(job, files);
  }

  /**
   * Has a job score by an earlier version of a model, and notes which one that has taken back.
   *
   * @throws SiteException as {@link #plan}
   */
  void rollBack(Job job, ModelVersion live, ModelVersion earlier) throws SiteException {
    String model = live.model();
    List<JobFile> files = new ArrayList<>(job.files());
    files.removeIf(
        known ->
            known.isOf(model)
                || known.isRolledBackOf(model)
                || known.equals(earlier.file().asShadowOf(model)));
    files.add(earlier.file());
    files.add(live.file().asRolledBackOf(model));
    give(job, files);
  }

  private void give(Job job, List<JobFile> files) throws SiteException {
    mayBeReplacedNow(job);
    Command.ReplaceJob command = plan(job, job.script(), compiled(job, files)).command();
    scripts.give(job.name(), command.files());
    membership.submit(command, "having job %s score by another model".formatted(job.name()));
  }

  private ReplacementPlan plan(Job job, String script, CompiledJob young) throws SiteException {
    String name = job.name();
    CompiledJob old = compiled(job);
    if (old.job().batch() || young.job().batch()) {
      throw new SiteException(
          FailureCode.NOT_NOW,
          "job %s: in batch mode the input is cut into parts once, so a job in it is not replaced; stop it (`sedge job stop %s`), and submit the script as a new job"
              .formatted(name, name));
    }
    Replacement replacement = node.replacement(old, young);
    ReplacementPlan plan =
        member.read(state -> new ReplacementPlan(job, script, old, young, replacement, state));
    if (!plan.missing().isEmpty()) {
      throw new SiteException(
          FailureCode.NOT_NOW,
          "job %s is about to begin, and has no task %s yet: try again in a moment"
              .formatted(name, String.join(", ", plan.missing())));
    }
    if (!plan.endedWithMoreToDo().isEmpty()) {
      throw new SiteException(
          FailureCode.NOT_NOW,
          "task %s of job %s has ended, and what it kept is gone, but the new script gives it more to do: constant rows and limits would begin again; stop the job (`sedge job stop %s`), and submit the script as a new job"
              .formatted(String.join(", ", plan.endedWithMoreToDo()), name, name));
    }
    return plan;
  }

  private static void mayBeReplacedNow(Job job) throws SiteException {
    String name = job.name();
    if (job.state().hasEnded()) {
      throw new SiteException(
          FailureCode.NOT_NOW,
          "job %s has ended (%s), so there is nothing to go on from: submit it without --replace"
              .formatted(name, job.state()));
    }
    if (job.earlier().isPresent()) {
      throw new SiteException(
          FailureCode.NOT_NOW,
          "job %s was replaced, and rows of its script before are still being delivered (%s to go): wait until they are; if they cannot be written, `sedge job logs %s` says why"
              .formatted(name, Printable.count(job.waitingRows(), "row"), name));
    }
  }

  /**
   * The script that a job has, compiled here.
   *
   * @throws SiteException NOT_NOW if it cannot be
   */
  CompiledJob compiled(Job job) throws SiteException {
    return compiled(job, job.files());
  }

  /** The same with other files. */
  private CompiledJob compiled(Job job, List<JobFile> files) throws SiteException {
    try {
      return node.compile(job.name(), job.script(), files);
    } catch (SqlException | ConnectorException e) {
      throw new SiteException(
          FailureCode.NOT_NOW,
          "the script that job %s has cannot be compiled on this device, so it cannot be told what stays; ask another device (%s)"
              .formatted(job.name(), e.getMessage()),
          e);
    }
  }
}
