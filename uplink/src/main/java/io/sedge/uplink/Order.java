package io.sedge.uplink;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.UUID;

/**
 * What a center asks of a site. Orders of a site are numbered; the id tells an order from all
 * others also where numbers were given twice, since a center was put back from a backup.
 *
 * @param number from 1 on; those that follow have a higher one
 * @param kind what the body is, as {@link OrderBody#kind}
 * @param givenBy who gave it, for people
 * @param givenAtMillis by the center's clock, for people
 * @param lifeMillis for how long it may still be done, counted from when the center sent it; no
 *     clock of a site is compared with one of the center. 0 if it does not end
 */
@SuppressWarnings("ArrayRecordComponent") // Handed on once, never compared.
public record Order(
    long number,
    UUID id,
    String kind,
    byte[] body,
    String givenBy,
    long givenAtMillis,
    long lifeMillis) {
  /** The most that a body may have, in bytes. */
  public static final int MAX_BODY_BYTES = 640 << 10;

  void write(DataOutputStream output) throws IOException {
    output.writeLong(number);
    Wire.writeId(output, id);
    output.writeUTF(kind);
    Wire.writeBytes(output, body);
    output.writeUTF(givenBy);
    output.writeLong(givenAtMillis);
    output.writeLong(lifeMillis);
  }

  static Order read(DataInputStream input) throws IOException {
    return new Order(
        input.readLong(),
        Wire.readId(input),
        input.readUTF(),
        Wire.readBytes(input),
        input.readUTF(),
        input.readLong(),
        input.readLong());
  }
}
