package io.sedge.ledger.internal.state;

import io.sedge.ledger.Answer;
import io.sedge.ledger.Channel;
import io.sedge.ledger.Command;
import io.sedge.ledger.Job;
import io.sedge.ledger.JobFile;
import io.sedge.ledger.Refusal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Replaces the script of a job that runs. All that is refused is refused before anything changes.
 */
final class Replacing {
  private final Site site;

  Replacing(Site site) {
    this.site = site;
  }

  Answer replace(Command.ReplaceJob replace) {
    JobEntry job = site.jobs.get(replace.job());
    if (job == null) {
      return refused(Refusal.UNKNOWN_JOB, 0);
    }
    Answer refused = check(job, replace);
    if (refused != null) {
      return refused;
    }
    List<TaskEntry> tasks = tasks(job.name);
    tasks.stream()
        .filter(task -> replace.dropped().contains(task.id.shard()))
        .forEach(site::remove);
    for (Command.KeptTasks kept : replace.kept()) {
      tasks.stream()
          .filter(task -> kept.shards().contains(task.id.shard()))
          .forEach(task -> keep(task, kept));
    }
    RowQueue exchange = job.rows(Channel.EXCHANGE);
    long before = exchange.bytes;
    exchange.rename(replace.exchanges());
    site.addRowBytes(Channel.EXCHANGE, exchange.bytes - before);
    if (replace.deliversBefore()) {
      long lastRow = job.rows(Channel.OUTBOX).nextRow - 1;
      job.earlier = new Job.Earlier(job.script, job.version, lastRow, job.files);
    }
    job.script = replace.script();
    job.files = replace.files();
    site.models.score(job.name, job.files, site.appliedIndex);
    job.version++;
    return new Answer.Done(site.appliedIndex, job.version);
  }

  private @Nullable Answer check(JobEntry job, Command.ReplaceJob replace) {
    int bytes = replace.script().getBytes(StandardCharsets.UTF_8).length;
    if (job.version != replace.version()) {
      return refused(Refusal.WRONG_SEQUENCE, job.version);
    }
    if (bytes > site.limits.scriptBytes()) {
      return refused(Refusal.TOO_LARGE, site.limits.scriptBytes());
    }
    List<JobFile> files = new ArrayList<>(replace.files());
    if (replace.deliversBefore()) {
      files.addAll(job.files); // Its own script needs them until then.
    }
    if (site.fileBytes(job.name, files) > JobFile.MAX_SITE_BYTES) {
      return refused(Refusal.TOO_LARGE, JobFile.MAX_SITE_BYTES);
    }
    Set<String> named = new TreeSet<>(replace.dropped());
    replace.kept().forEach(kept -> named.addAll(kept.shards()));
    Set<String> there =
        tasks(job.name).stream()
            .map(task -> task.id.shard())
            .collect(Collectors.toCollection(TreeSet::new));
    boolean possible =
        !job.state.hasEnded() && job.earlier == null && job.parts.isEmpty() && named.equals(there);
    return possible ? null : refused(Refusal.NOT_NOW, 0);
  }

  private List<TaskEntry> tasks(String job) {
    return site.tasks.values().stream().filter(task -> task.id.job().equals(job)).toList();
  }

  private void keep(TaskEntry task, Command.KeptTasks kept) {
    site.stateBytes += task.keep(kept);
    site.partsBytes -= task.discardParts();
    task.ended &= !kept.goesOn();
    task.epoch++;
  }

  Answer endDelivery(Command.EndDelivery command) {
    JobEntry job = site.jobs.get(command.job());
    if (job == null) {
      return refused(Refusal.UNKNOWN_JOB, 0);
    }
    Job.Earlier earlier = job.earlier;
    if (earlier == null || earlier.version() != command.version()) {
      return refused(Refusal.WRONG_SEQUENCE, earlier == null ? 0 : earlier.version());
    }
    RowQueue outbox = job.rows(Channel.OUTBOX);
    site.addRowBytes(Channel.OUTBOX, -outbox.acknowledge(earlier.lastRow()));
    site.orders.delivered(job.name, earlier.lastRow());
    job.earlier = null;
    return new Answer.Done(site.appliedIndex, outbox.acknowledgedRow);
  }

  private static Answer refused(Refusal reason, long value) {
    return new Answer.Refused(reason, value);
  }
}
