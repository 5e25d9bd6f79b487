package io.sedge.ledger.internal.state;

import io.sedge.ledger.Allowance;
import io.sedge.ledger.Answer;
import io.sedge.ledger.CenterRight;
import io.sedge.ledger.Channel;
import io.sedge.ledger.Command;
import io.sedge.ledger.JobState;
import io.sedge.ledger.Order;
import io.sedge.ledger.Refusal;
import io.sedge.ledger.Rows;
import io.sedge.ledger.TaskId;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Carries out what is said of orders of a center. */
final class Ordering {
  private final Site site;

  Ordering(Site site) {
    this.site = site;
  }

  Answer carryOut(Command.OfOrders command) {
    return switch (command) {
      case Command.TakeOrder take -> take(take);
      case Command.SettleOrder settle -> settle(settle);
      case Command.AllowTable allow -> allow(allow.allowance());
      case Command.DisallowTable disallow -> {
        site.orders.disallow(new Orders.Table(disallow.job(), disallow.table()));
        yield done(0);
      }
      case Command.AllowCenter allow -> {
        site.orders.allow(allow.right(), allow.allowed());
        yield done(0);
      }
      case Command.MarkJob mark -> mark(mark);
    };
  }

  private Answer take(Command.TakeOrder take) {
    Orders orders = site.orders;
    if (orders.taken.containsKey(take.id())) {
      return new Answer.Repeated(site.appliedIndex);
    }
    long last = orders.last().map(Order::number).orElse(0L);
    if (take.number() <= last) {
      return refused(Refusal.WRONG_SEQUENCE, last + 1);
    }
    if (take.state().isOpen() && orders.open() >= Order.MAX_OPEN) {
      return refused(Refusal.TOO_LARGE, Order.MAX_OPEN);
    }
    Optional<Order.Row> row = Optional.empty();
    if (take.row().isPresent()) {
      Command.NewRow asked = take.row().get();
      JobEntry job = site.jobs.get(asked.job());
      Allowance allowance = orders.allowances.get(new Orders.Table(asked.job(), asked.table()));
      if (job == null) {
        return refused(Refusal.UNKNOWN_JOB, 0);
      }
      if (allowance == null) {
        return refused(Refusal.NOT_NOW, job.version);
      }
      Answer refused = refusal(asked, job, allowance, take.atMillis());
      if (refused != null) {
        return refused;
      }
      orders.count(allowance, take.atMillis());
      row = Optional.of(append(asked, job));
    }
    orders.add(
        new Order(take.number(), take.id(), take.state(), take.detail(), take.atMillis(), row));
    return done(row.map(Order.Row::sequence).orElse(0L));
  }

  /** Null if the row can be taken. */
  private @Nullable Answer refusal(
      Command.NewRow row, JobEntry job, Allowance allowance, long atMillis) {
    if (job.state != JobState.RUNNING || job.version != row.version()) {
      return refused(Refusal.NOT_NOW, job.version);
    }
    if (site.orders.isTooOften(allowance, atMillis)) {
      return refused(Refusal.TOO_OFTEN, allowance.count());
    }
    long limit = site.limits.bytes(Channel.OUTBOX);
    return site.rowBytes(Channel.OUTBOX) + RowQueue.counted(rows(row)) > limit
        ? refused(Refusal.OUTBOX_FULL, limit)
        : null;
  }

  private static Rows rows(Command.NewRow row) {
    return new Rows(Channel.OUTBOX, row.table(), 1, row.bytes());
  }

  private Order.Row append(Command.NewRow row, JobEntry job) {
    RowQueue queue = job.rows(Channel.OUTBOX);
    long sequence = queue.nextRow;
    queue.append(new TaskId(row.job(), Order.SHARD), rows(row));
    site.addRowBytes(Channel.OUTBOX, RowQueue.counted(rows(row)));
    return new Order.Row(row.job(), row.table(), row.untilMillis(), sequence);
  }

  private Answer settle(Command.SettleOrder settle) {
    Order order = site.orders.taken.get(settle.id());
    if (order != null) {
      site.orders.settle(order, settle.state(), settle.detail(), settle.atMillis());
    }
    return done(0);
  }

  private Answer mark(Command.MarkJob mark) {
    Orders orders = site.orders;
    if (mark.version() == 0) {
      orders.givenJobs.remove(mark.job());
      return done(0);
    }
    boolean given = orders.givenJobs.containsKey(mark.job());
    if (!orders.rights.contains(CenterRight.JOBS)
        || (!given && site.jobs.containsKey(mark.job()))) {
      return refused(Refusal.NOT_NOW, 0);
    }
    if (!given && orders.givenJobs.size() >= site.limits.jobs()) {
      return refused(Refusal.TOO_LARGE, site.limits.jobs());
    }
    orders.givenJobs.put(mark.job(), mark.version());
    return done(0);
  }

  private Answer allow(Allowance allowance) {
    Orders.Table table = new Orders.Table(allowance.job(), allowance.table());
    var allowances = site.orders.allowances;
    if (!allowances.containsKey(table) && allowances.size() >= Allowance.MAX_ALLOWANCES) {
      return refused(Refusal.TOO_LARGE, Allowance.MAX_ALLOWANCES);
    }
    site.orders.allow(allowance);
    return done(0);
  }

  private Answer done(long value) {
    return new Answer.Done(site.appliedIndex, value);
  }

  private static Answer refused(Refusal reason, long value) {
    return new Answer.Refused(reason, value);
  }
}
