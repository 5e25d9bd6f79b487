package io.sedge.ledger;

import java.util.Optional;
import java.util.UUID;

/**
 * What a center has asked of the site, as the ledger has taken it.
 *
 * @param number the center's; grows from order to order
 * @param id tells it from all others, also of another center or one that was put back
 * @param detail why it is in its state, for people; may be empty
 * @param atMillis since when, by the wall clock of who said so
 * @param row where its row is; empty for an order that is none
 */
public record Order(
    long number, UUID id, OrderState state, String detail, long atMillis, Optional<Row> row) {
  /** How many the state keeps: the latest, and all that are not final. */
  public static final int MAX_ORDERS = 1_024;

  /** How many may be not final. */
  public static final int MAX_OPEN = 256;

  /** Of a detail, in characters. */
  public static final int MAX_DETAIL = 1_000;

  /** The shard of the task that rows of orders are said to be of. It does not exist. */
  public static final String SHARD = "(orders)";

  /**
   * A row that an order has put into the outbox of a job.
   *
   * @param untilMillis when it may not be written any more, by the wall clock of the site's devices
   * @param sequence of the row
   */
  public record Row(String job, String table, long untilMillis, long sequence) {}
}
