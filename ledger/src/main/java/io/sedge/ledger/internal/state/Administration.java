package io.sedge.ledger.internal.state;

import io.sedge.ledger.Answer;
import io.sedge.ledger.Channel;
import io.sedge.ledger.Command;
import io.sedge.ledger.DeviceState;
import io.sedge.ledger.JobFile;
import io.sedge.ledger.Refusal;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Carries out what is said of jobs, tasks, rows and limits, but for commits. */
final class Administration {
  private final Site site;

  Administration(Site site) {
    this.site = site;
  }

  Answer submit(Command.SubmitJob submit) {
    int bytes = submit.script().getBytes(StandardCharsets.UTF_8).length;
    if (bytes > site.limits.scriptBytes()) {
      return refused(Refusal.TOO_LARGE, site.limits.scriptBytes());
    }
    if (site.fileBytes(submit.job(), submit.files()) > JobFile.MAX_SITE_BYTES) {
      return refused(Refusal.TOO_LARGE, JobFile.MAX_SITE_BYTES);
    }
    JobEntry job = site.jobs.get(submit.job());
    if (job == null) {
      if (site.jobs.size() >= site.limits.jobs()) {
        return refused(Refusal.TOO_LARGE, site.limits.jobs());
      }
      job = new JobEntry(submit.job(), submit.script(), site.removedNumber);
      site.jobs.put(submit.job(), job);
    } else {
      job.script = submit.script();
      job.version++;
      job.parts = List.of();
    }
    job.files = submit.files();
    site.models.score(job.name, job.files, site.appliedIndex);
    return done(job.version);
  }

  Answer setState(Command.SetJobState command) {
    JobEntry job = site.jobs.get(command.job());
    if (job == null) {
      return refused(Refusal.UNKNOWN_JOB, 0);
    }
    if (job.version != command.version()) {
      return refused(Refusal.WRONG_SEQUENCE, job.version);
    }
    if (job.state.hasEnded() && !command.state().hasEnded()) {
      return refused(Refusal.NOT_NOW, 0);
    }
    job.state = command.state();
    job.detail = command.detail();
    if (job.state.hasEnded()) {
      // Nobody will read it, and its bytes are missing to other jobs.
      RowQueue exchange = job.rows(Channel.EXCHANGE);
      site.addRowBytes(Channel.EXCHANGE, -exchange.acknowledge(exchange.nextRow - 1));
    }
    return done(0);
  }

  Answer setParts(Command.SetParts command) {
    JobEntry job = site.jobs.get(command.job());
    if (job == null) {
      return refused(Refusal.UNKNOWN_JOB, 0);
    }
    if (job.version != command.version()) {
      return refused(Refusal.WRONG_SEQUENCE, job.version);
    }
    if (!job.parts.isEmpty()) {
      return refused(Refusal.NOT_NOW, 0);
    }
    job.parts = command.parts();
    return done(0);
  }

  Answer remove(Command.RemoveJob command) {
    JobEntry job = site.jobs.get(command.job());
    if (job == null) {
      return refused(Refusal.UNKNOWN_JOB, 0);
    }
    if (!job.state.hasEnded()
        || (!job.rows(Channel.OUTBOX).blocks.isEmpty() && !command.discardRows())) {
      return refused(Refusal.NOT_NOW, 0);
    }
    List.copyOf(site.tasks.values()).stream()
        .filter(task -> task.id.job().equals(job.name))
        .forEach(site::remove);
    site.remove(job);
    return done(0);
  }

  Answer assign(Command.AssignTask assign) {
    if (!assign.device().isEmpty()) {
      DeviceEntry device = site.devices.get(assign.device());
      if (device == null) {
        return refused(Refusal.UNKNOWN_DEVICE, 0);
      }
      if (device.state != DeviceState.ACTIVE) {
        return refused(Refusal.NOT_NOW, 0);
      }
    }
    TaskEntry task = site.tasks.get(assign.task());
    if (task == null) {
      if (!site.jobs.containsKey(assign.task().job())) {
        return refused(Refusal.UNKNOWN_JOB, 0);
      }
      if (assign.epoch() != 0) {
        return refused(Refusal.OLD_EPOCH, 0);
      }
      if (site.tasks.size() >= site.limits.tasks()) {
        return refused(Refusal.TOO_LARGE, site.limits.tasks());
      }
      task = new TaskEntry(assign.task(), site.removedNumber);
      site.tasks.put(task.id, task);
    } else if (task.epoch != assign.epoch()) {
      return refused(Refusal.OLD_EPOCH, task.epoch);
    } else if (task.ended) {
      return refused(Refusal.NOT_NOW, 0);
    }
    task.device = assign.device();
    return nextEpoch(task);
  }

  Answer open(Command.OpenTask open) {
    TaskEntry task = site.tasks.get(open.task());
    if (task == null) {
      return refused(Refusal.UNKNOWN_TASK, 0);
    }
    if (!task.device.equals(open.device())) {
      return refused(Refusal.OTHER_DEVICE, task.epoch);
    }
    return task.epoch == open.epoch() ? nextEpoch(task) : refused(Refusal.OLD_EPOCH, task.epoch);
  }

  private Answer nextEpoch(TaskEntry task) {
    task.epoch++;
    site.partsBytes -= task.discardParts();
    return done(task.epoch);
  }

  Answer end(Command.EndTask command) {
    TaskEntry task = site.tasks.get(command.task());
    if (task == null) {
      return refused(Refusal.UNKNOWN_TASK, 0);
    }
    if (task.epoch != command.epoch()) {
      return refused(Refusal.OLD_EPOCH, task.epoch);
    }
    task.ended = true;
    task.device = "";
    site.stateBytes -= task.forget();
    return nextEpoch(task);
  }

  Answer remove(Command.RemoveTask command) {
    TaskEntry task = site.tasks.get(command.task());
    if (task == null) {
      return refused(Refusal.UNKNOWN_TASK, 0);
    }
    if (task.epoch != command.epoch()) {
      return refused(Refusal.OLD_EPOCH, task.epoch);
    }
    site.remove(task);
    return done(0);
  }

  Answer acknowledge(Command.AcknowledgeRows acknowledge) {
    JobEntry job = site.jobs.get(acknowledge.job());
    if (job == null) {
      return refused(Refusal.UNKNOWN_JOB, 0);
    }
    RowQueue rows = job.rows(acknowledge.channel());
    if (acknowledge.upTo() >= rows.nextRow) {
      return refused(Refusal.WRONG_SEQUENCE, rows.nextRow - 1);
    }
    site.addRowBytes(acknowledge.channel(), -rows.acknowledge(acknowledge.upTo()));
    if (acknowledge.channel() == Channel.OUTBOX) {
      site.orders.delivered(acknowledge.job(), acknowledge.upTo());
    }
    return done(rows.acknowledgedRow);
  }

  Answer acknowledge(Command.AcknowledgeTaskRows acknowledge) {
    JobEntry job = site.jobs.get(acknowledge.task().job());
    if (job == null) {
      return refused(Refusal.UNKNOWN_JOB, 0);
    }
    RowQueue rows = job.rows(acknowledge.channel());
    if (acknowledge.upTo() >= rows.nextRow) {
      return refused(Refusal.WRONG_SEQUENCE, rows.nextRow - 1);
    }
    long freed = rows.acknowledge(acknowledge.task(), acknowledge.upTo());
    site.addRowBytes(acknowledge.channel(), -freed);
    return done(freed);
  }

  Answer setLimits(Command.SetLimits command) {
    try {
      site.limits = site.limits.with(command.values());
      return done(0);
    } catch (IllegalArgumentException _) {
      // They do not go with the others, which have changed since they were asked for.
      return refused(Refusal.NOT_NOW, 0);
    }
  }

  private Answer done(long value) {
    return new Answer.Done(site.appliedIndex, value);
  }

  private static Answer refused(Refusal reason, long value) {
    return new Answer.Refused(reason, value);
  }
}
