package io.sedge.ledger;

import io.sedge.ledger.internal.state.CommandCodec;
import java.util.List;

/** Commands as bytes, for whoever gathers them into envelopes; stateless. */
public final class CommandBytes {
  /** Of an envelope, before its commands. */
  public static final int HEADER_BYTES = CommandCodec.HEADER_BYTES;

  private CommandBytes() {}

  public static byte[] of(Command command) {
    return CommandCodec.encodeCommand(command);
  }

  /** What the parts of a commit add up to. */
  public static byte[] forParts(Command.Commit commit) {
    return CommandCodec.encodeCommit(commit);
  }

  /**
   * The bytes of an {@link Envelope}.
   *
   * @param commands the bytes of each, 1 to {@link Envelope#MAX_COMMANDS}
   */
  public static byte[] envelope(
      long producerHigh, long producerLow, long sequence, List<byte[]> commands) {
    return CommandCodec.assemble(producerHigh, producerLow, sequence, commands);
  }
}
