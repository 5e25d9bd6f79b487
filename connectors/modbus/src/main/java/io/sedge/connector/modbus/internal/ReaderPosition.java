package io.sedge.connector.modbus.internal;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.TreeMap;

/**
 * When each unit has given its last row: the time of the latest, and those of the units that lag
 * behind it. So it is short while all answer.
 *
 * <pre>
 * 8 bytes  the latest, microseconds; Long.MIN_VALUE: no row yet
 * 2 bytes  how many lag behind
 * each     its name in modified UTF-8, 8 bytes its last row
 * </pre>
 *
 * @param latestMicros of all units
 * @param lagging by the name of the device, such as {@code plc-1:502 unit 2}
 */
record ReaderPosition(long latestMicros, Map<String, Long> lagging) {
  static final ReaderPosition NONE = new ReaderPosition(Long.MIN_VALUE, Map.of());

  ReaderPosition {
    lagging = Map.copyOf(lagging);
  }

  static ReaderPosition parse(byte[] bytes) {
    try (DataInputStream input = new DataInputStream(new ByteArrayInputStream(bytes))) {
      long latest = input.readLong();
      Map<String, Long> lagging = new TreeMap<>();
      for (int count = input.readUnsignedShort(); count > 0; count--) {
        lagging.put(input.readUTF(), input.readLong());
      }
      return new ReaderPosition(latest, lagging);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  byte[] bytes() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream output = new DataOutputStream(bytes)) {
      output.writeLong(latestMicros);
      output.writeShort(lagging.size());
      for (Map.Entry<String, Long> entry : new TreeMap<>(lagging).entrySet()) {
        output.writeUTF(entry.getKey());
        output.writeLong(entry.getValue());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }
}
