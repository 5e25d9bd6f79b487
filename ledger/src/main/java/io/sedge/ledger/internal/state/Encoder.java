package io.sedge.ledger.internal.state;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;

/** Writes numbers (big-endian), texts (UTF-8) and arrays, each with its length before it. */
final class Encoder {
  private final DataOutputStream output;

  Encoder(OutputStream output) {
    this.output = new DataOutputStream(output);
  }

  /** Something that writes itself. */
  interface Part {
    void writeTo(Encoder encoder) throws IOException;
  }

  static byte[] bytesOf(Part part) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      part.writeTo(new Encoder(bytes));
    } catch (IOException e) {
      throw new IllegalStateException("writing to memory", e);
    }
    return bytes.toByteArray();
  }

  void writeByte(int value) throws IOException {
    output.writeByte(value);
  }

  void writeBoolean(boolean value) throws IOException {
    output.writeByte(value ? 1 : 0);
  }

  void writeInt(int value) throws IOException {
    output.writeInt(value);
  }

  void writeLong(long value) throws IOException {
    output.writeLong(value);
  }

  void writeDouble(double value) throws IOException {
    output.writeLong(Double.doubleToRawLongBits(value));
  }

  void writeBytes(byte[] value) throws IOException {
    output.writeInt(value.length);
    output.write(value);
  }

  void writeText(String value) throws IOException {
    writeBytes(value.getBytes(StandardCharsets.UTF_8));
  }

  /** By key, so that equal maps have equal bytes. */
  void writeTexts(Map<String, String> values) throws IOException {
    output.writeInt(values.size());
    for (Map.Entry<String, String> entry : new TreeMap<>(values).entrySet()) {
      writeText(entry.getKey());
      writeText(entry.getValue());
    }
  }

  void writeDoubles(Map<String, Double> values) throws IOException {
    output.writeInt(values.size());
    for (Map.Entry<String, Double> entry : new TreeMap<>(values).entrySet()) {
      writeText(entry.getKey());
      writeDouble(entry.getValue());
    }
  }

  void writeArrays(Map<String, byte[]> values) throws IOException {
    output.writeInt(values.size());
    for (Map.Entry<String, byte[]> entry : new TreeMap<>(values).entrySet()) {
      writeText(entry.getKey());
      writeBytes(entry.getValue());
    }
  }

  void flush() throws IOException {
    output.flush();
  }
}
