package io.sedge.identity;

import static java.util.Objects.requireNonNull;

/**
 * A part of what a file holds, as a device answers it.
 *
 * @param there whether the device has the file
 * @param bytes from the place that was asked for; none at the file's end, and of one that is not
 *     there
 */
@SuppressWarnings("ArrayRecordComponent") // Handed on once, never compared.
public record FilePart(boolean there, byte[] bytes) {
  /** How long a part may be. */
  public static final int MAX_BYTES = 256 << 10;

  /** Of a file that a device does not have. */
  public static final FilePart ABSENT = new FilePart(false, new byte[0]);

  public FilePart {
    requireNonNull(bytes, "no bytes");
    if (bytes.length > MAX_BYTES) {
      throw new IllegalArgumentException(
          "a part of %d bytes; %d are allowed".formatted(bytes.length, MAX_BYTES));
    }
  }
}
