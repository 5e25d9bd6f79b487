package io.sedge.ledger.internal.state;

import io.sedge.ledger.Allowance;
import io.sedge.ledger.Order;
import io.sedge.ledger.OrderState;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.SequencedMap;
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

  Optional<Order> last() {
    return Optional.ofNullable(taken.lastEntry()).map(Map.Entry::getValue);
  }

  long open() {
    return taken.values().stream().filter(order -> !order.state().isFinal()).count();
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
      if (oldest.next().state().isFinal()) {
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
