package io.sedge.ledger.internal.state;

import io.sedge.alarm.Alarms;
import io.sedge.ledger.Answer;
import io.sedge.ledger.Command;
import io.sedge.ledger.Refusal;
import io.sedge.ledger.TaskId;
import java.util.Optional;

/** Carries out what is said of alarms. */
final class Alarming {
  private final Site site;

  Alarming(Site site) {
    this.site = site;
  }

  Answer carryOut(Command.OfAlarms command) {
    return switch (command) {
      case Command.ReportAlarms report -> report(report);
      case Command.ActOnAlarms act -> done(site.alarms.apply(act.action()));
      case Command.KeepAlarms keep -> keep(keep);
    };
  }

  private Answer report(Command.ReportAlarms command) {
    Optional<Answer> refused = refused(command.task(), command.epoch());
    if (refused.isPresent()) {
      return refused.get();
    }
    return site.alarms.apply(command.task().job(), command.batch())
        ? done(0)
        : new Answer.Refused(Refusal.TOO_LARGE, Alarms.MAX_TABLES);
  }

  private Answer keep(Command.KeepAlarms command) {
    Optional<Answer> refused = refused(command.task(), command.epoch());
    if (refused.isEmpty()) {
      site.alarms.keepTables(command.task().job(), command.tables());
    }
    return refused.orElse(done(0));
  }

  /** Whoever delivers by now has begun with what is kept, so nobody else may change it. */
  private Optional<Answer> refused(TaskId id, long epoch) {
    TaskEntry task = site.tasks.get(id);
    if (task == null) {
      return Optional.of(new Answer.Refused(Refusal.UNKNOWN_TASK, 0));
    }
    return task.epoch == epoch
        ? Optional.empty()
        : Optional.of(new Answer.Refused(Refusal.OLD_EPOCH, task.epoch));
  }

  private Answer done(long value) {
    return new Answer.Done(site.appliedIndex, value);
  }
}
