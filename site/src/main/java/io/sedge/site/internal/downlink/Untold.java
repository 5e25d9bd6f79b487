package io.sedge.site.internal.downlink;

import io.sedge.ledger.Order;
import io.sedge.uplink.OrderOutcome;
import io.sedge.uplink.OrderPoll;
import io.sedge.uplink.OrderState;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * What the center has not been told of orders. That is in the memory of the device that leads: the
 * next one tells everything again, which changes nothing at the center. Any thread.
 */
final class Untold {
  private final Map<UUID, OrderState> told = new HashMap<>();

  /** The first that the center does not know, as many as go into a message. */
  synchronized List<OrderOutcome> among(List<Order> orders) {
    told.keySet().retainAll(orders.stream().map(Order::id).collect(Collectors.toUnmodifiableSet()));
    return orders.stream()
        .map(Untold::outcome)
        .filter(outcome -> told.get(outcome.id()) != outcome.state())
        .limit(OrderPoll.MAX_OUTCOMES)
        .toList();
  }

  /** The center does not have it any more: it has asked again. */
  synchronized void forget(UUID id) {
    told.remove(id);
  }

  private static OrderOutcome outcome(Order order) {
    return new OrderOutcome(
        order.id(), OrderState.valueOf(order.state().name()), order.detail(), order.atMillis());
  }

  /** The center has heard it. */
  synchronized void tell(List<OrderOutcome> outcomes) {
    outcomes.forEach(outcome -> told.put(outcome.id(), outcome.state()));
  }
}
