package io.sedge.connector.modbus.internal;

import io.sedge.connector.Awaited;
import io.sedge.connector.command.Command;
import java.util.List;
import java.util.Optional;

/**
 * A row that is to be written.
 *
 * @param sequence the row's
 * @param givenMicros when it was given; {@link Long#MAX_VALUE} if that is not known
 * @param writes in the order in which they are sent; none if there is nothing to do
 * @param text the row, for people
 * @param awaited who waits for it
 */
record RegisterCommand(
    long sequence,
    int unit,
    long givenMicros,
    List<Write> writes,
    String text,
    Optional<Awaited> awaited)
    implements Command {
  /**
   * One request.
   *
   * @param values as an answer to reading the span would have them
   * @param columns those whose values they are
   */
  @SuppressWarnings("ArrayRecordComponent") // Read once, never compared.
  record Write(Span span, byte[] values, List<String> columns) {
    Write {
      columns = List.copyOf(columns);
    }

    /** Whether this is what was read back; bits beyond the last one do not count. */
    boolean isReadAs(byte[] read) {
      int whole = span.kind().isBits() ? span.count() / 8 : values.length;
      for (int i = 0; i < whole; i++) {
        if (read[i] != values[i]) {
          return false;
        }
      }
      int bits = span.kind().isBits() ? span.count() % 8 : 0;
      return bits == 0 || ((read[whole] ^ values[whole]) & (1 << bits) - 1) == 0;
    }
  }

  RegisterCommand {
    writes = List.copyOf(writes);
  }
}
