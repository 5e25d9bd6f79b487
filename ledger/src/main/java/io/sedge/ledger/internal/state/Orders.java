package io.sedge.ledger.internal.state;

import io.sedge.ledger.Allowance;
import io.sedge.ledger.CenterRight;
import io.sedge.ledger.Order;
import io.sedge.ledger.OrderState;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;

/**
 * Orders of a center that were taken, and what a center may write. The order that was taken last is
 * always kept.
 */
final class Orders {
  /** Names a table of a job. */
  record Table(String job, String name) implements Comparable<Table> {
    @Override
    public int compareTo(Table other) {
      int jobs = job.compareTo(other.job);
      return jobs != 0 ? jobs : name.compareTo(other.name);
    }
  }

  /** The one that was taken last stands last. */
  final SequencedMap<UUID, Order> taken = new LinkedHashMap<>();

  final NavigableMap<Table, Allowance> allowances = new TreeMap<>();

  /**
   * When the last rows of tables with a rate were taken, in the order of taking, by the clock of
   * who led: as many as the rate has.
   */
  final NavigableMap<Table, Deque<Long>> times = new TreeMap<>();

  final Set<CenterRight> rights = EnumSet.noneOf(CenterRight.class);

  /** The center's versions of the jobs that it has given. */
  final NavigableMap<String, Long> givenJobs = new TreeMap<>();

  Optional<Order> last() {
    return Optional.ofNullable(taken.lastEntry()).map(Map.Entry::getValue);
  }

  long open() {
    return taken.values().stream().filter(order -> order.state().isOpen()).count();
  }

  void allow(Allowance allowance) {
    Table table = new Table(allowance.job(), allowance.table());
    allowances.put(table, allowance);
    trim(table, allowance);
  }

  void allow(CenterRight right, boolean allowed) {
    if (allowed) {
      rights.add(right);
    } else {
      rights.remove(right);
    }
  }

  void disallow(Table table) {
    allowances.remove(table);
    times.remove(table);
  }

  /** A clock that was put back makes it more seldom, never more often. */
  boolean isTooOften(Allowance allowance, long atMillis) {
    long since = atMillis - allowance.perMillis();
    return allowance.count() > 0
        && times
                .getOrDefault(new Table(allowance.job(), allowance.table()), new ArrayDeque<>())
                .stream()
                .filter(time -> time > since)
                .count()
            >= allowance.count();
  }

  /** A row is taken. */
  void count(Allowance allowance, long atMillis) {
    Table table = new Table(allowance.job(), allowance.table());
    times.computeIfAbsent(table, _ -> new ArrayDeque<>()).addLast(atMillis);
    trim(table, allowance);
  }

  private void trim(Table table, Allowance allowance) {
    Deque<Long> known = times.getOrDefault(table, new ArrayDeque<>());
    while (known.size() > allowance.count()) {
      known.removeFirst();
    }
    if (known.isEmpty()) {
      times.remove(table);
    }
  }

  Optional<Order> ofRow(String job, long sequence) {
    return taken.values().stream()
        .filter(
            order ->
                order
                    .row()
                    .filter(row -> row.sequence() == sequence && row.job().equals(job))
                    .isPresent())
        .findFirst();
  }

  void add(Order order) {
    taken.put(order.id(), order);
    Iterator<Order> oldest = taken.values().iterator();
    while (taken.size() > Order.MAX_ORDERS && oldest.hasNext()) {
      if (!oldest.next().state().isOpen()) {
        oldest.remove();
      }
    }
  }

  void settle(Order order, OrderState state, String detail, long atMillis) {
    if (state.follows(order.state())) {
      taken.replace(
          order.id(), new Order(order.number(), order.id(), state, detail, atMillis, order.row()));
    }
  }

  /** Rows of a job are delivered: those that nobody has said more of are written. */
  void delivered(String job, long upTo) {
    for (Order order : List.copyOf(taken.values())) {
      if (isOf(job, order) && order.row().orElseThrow().sequence() <= upTo) {
        settle(order, OrderState.WRITTEN, "", order.atMillis());
      }
    }
  }

  /** A job is removed: what was not delivered of it never will be. */
  void removed(String job) {
    givenJobs.remove(job);
    for (Order order : List.copyOf(taken.values())) {
      if (isOf(job, order)) {
        if (order.state() == OrderState.ACCEPTED) {
          settle(order, OrderState.FAILED, "the job was removed", order.atMillis());
        }
        // A job that is made anew may give the sequence again.
        taken.computeIfPresent(
            order.id(),
            (_, settled) ->
                new Order(
                    settled.number(),
                    settled.id(),
                    settled.state(),
                    settled.detail(),
                    settled.atMillis(),
                    Optional.empty()));
      }
    }
  }

  private static boolean isOf(String job, Order order) {
    return order.row().filter(row -> row.job().equals(job)).isPresent();
  }
}
