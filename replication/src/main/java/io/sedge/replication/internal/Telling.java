package io.sedge.replication.internal;

import io.sedge.ledger.Answers;
import io.sedge.ledger.MalformedException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;

/**
 * What a member tells the leader, and what it hears in return: bytes of a query of Ratis, which is
 * no entry of the log.
 *
 * <pre>
 *   question   origin (8), version (8), an envelope
 *   reply      origin (8), length (4), answers, what was told since
 * </pre>
 *
 * An origin names one process's copy of what was told. Versions are the origin's; who asks another
 * leader than before begins at 0.
 */
final class Telling {
  private Telling() {}

  /** A question. */
  @SuppressWarnings("ArrayRecordComponent") // Never compared.
  record Question(long origin, long version, byte[] envelope) {
    byte[] encode() {
      return ByteBuffer.allocate(2 * Long.BYTES + envelope.length)
          .putLong(origin)
          .putLong(version)
          .put(envelope)
          .array();
    }

    static Question decode(ByteBuffer bytes) throws MalformedException {
      try {
        return new Question(bytes.getLong(), bytes.getLong(), rest(bytes));
      } catch (BufferUnderflowException e) {
        throw new MalformedException("a question that ends early", e);
      }
    }
  }

  /** A reply. */
  @SuppressWarnings("ArrayRecordComponent") // Never compared.
  record Reply(long origin, Answers answers, byte[] told) {
    byte[] encode() {
      byte[] encoded = answers.encode();
      return ByteBuffer.allocate(Long.BYTES + Integer.BYTES + encoded.length + told.length)
          .putLong(origin)
          .putInt(encoded.length)
          .put(encoded)
          .put(told)
          .array();
    }

    static Reply decode(ByteBuffer bytes) throws MalformedException {
      try {
        long origin = bytes.getLong();
        int length = bytes.getInt();
        if (length < 0 || length > bytes.remaining()) {
          throw new MalformedException("answers of %d bytes".formatted(length));
        }
        byte[] answers = new byte[length];
        bytes.get(answers);
        return new Reply(origin, Answers.decode(answers), rest(bytes));
      } catch (BufferUnderflowException e) {
        throw new MalformedException("a reply that ends early", e);
      }
    }
  }

  private static byte[] rest(ByteBuffer bytes) {
    byte[] rest = new byte[bytes.remaining()];
    bytes.get(rest);
    return rest;
  }
}
