package io.sedge.uplink;

import java.util.Optional;

/** What an order asks for; each kind has a name that does not change between versions. */
public sealed interface OrderBody permits TableCommand, JobOrder, AlarmOrder {
  /** The name of the kind. */
  String kind();

  /** As it travels and is stored. */
  byte[] bytes();

  /**
   * Reads one.
   *
   * @return empty for a kind that this version does not know
   * @throws UplinkException MALFORMED
   */
  static Optional<OrderBody> read(String kind, byte[] bytes) throws UplinkException {
    return switch (kind) {
      case TableCommand.KIND -> Optional.of(TableCommand.read(bytes));
      case JobOrder.KIND -> Optional.of(JobOrder.read(bytes));
      case AlarmOrder.KIND -> Optional.of(AlarmOrder.read(bytes));
      default -> Optional.empty();
    };
  }
}
