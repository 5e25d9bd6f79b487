package io.sedge.ledger;

import io.sedge.ledger.internal.state.CommandCodec;
import java.util.List;

/**
 * What one log entry holds: some commands of one producer, carried out one after the other. A
 * producer sends one envelope at a time and repeats it until it is answered; the state machine
 * keeps the answers to the last one, so that what arrives twice is carried out once.
 *
 * @param producerHigh with {@code producerLow} a random number that names the producer: another one
 *     for each process
 * @param sequence grows with each envelope of the producer
 */
public record Envelope(long producerHigh, long producerLow, long sequence, List<Command> commands) {
  /** The form of the bytes that this version writes, and the newest it reads. */
  public static final int VERSION = CommandCodec.VERSION;

  /** Commands in an envelope, at most. */
  public static final int MAX_COMMANDS = 256;

  public Envelope {
    commands = List.copyOf(commands);
    if (commands.isEmpty() || commands.size() > MAX_COMMANDS) {
      throw new IllegalArgumentException(
          "an envelope of %d commands, 1 to %d are allowed"
              .formatted(commands.size(), MAX_COMMANDS));
    }
  }

  public byte[] encode() {
    return CommandCodec.encode(this);
  }

  /** Reads what {@link #encode} wrote; whatever the bytes are, it returns or throws this. */
  public static Envelope decode(byte[] bytes) throws MalformedException {
    return CommandCodec.decode(bytes);
  }
}
