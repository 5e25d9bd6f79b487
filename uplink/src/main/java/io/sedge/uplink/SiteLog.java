package io.sedge.uplink;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterInputStream;

/**
 * The latest that devices of a site have said.
 *
 * <pre>
 *   version 1 | deflated: count 4, lines | count 4, device and reason each
 * </pre>
 *
 * @param lines by time, the oldest first
 * @param unavailable the devices that could not be asked, each with the reason
 */
public record SiteLog(List<Line> lines, Map<String, String> unavailable) {
  /** The most lines that there may be. */
  public static final int MAX_LINES = 1_000;

  /** The most characters that all lines may have together. */
  public static final int MAX_CHARACTERS = 1 << 20;

  private static final int MAX_DEVICES = 1_000;

  /** UTF-8 takes three bytes for a character at most. */
  private static final int MAX_INFLATED = 8 << 20;

  private static final int VERSION = 1;

  /**
   * Something that was said.
   *
   * @param atMillis by the device's clock
   * @param severity {@code INFO}, {@code WARNING} or {@code ERROR}
   * @param task {@code job/shard}; empty for what the device itself says
   */
  public record Line(String device, long atMillis, String severity, String task, String text) {
    int characters() {
      return device.length() + severity.length() + task.length() + text.length();
    }
  }

  public SiteLog {
    lines = List.copyOf(lines);
    unavailable = Map.copyOf(unavailable);
    if (lines.size() > MAX_LINES || unavailable.size() > MAX_DEVICES) {
      throw new IllegalArgumentException(
          "%,d lines of %,d and more devices".formatted(lines.size(), unavailable.size()));
    }
  }

  /** The latest of these lines, as many as there may be. */
  public static SiteLog latest(List<Line> lines, Map<String, String> unavailable) {
    int begin = lines.size();
    int left = MAX_CHARACTERS;
    while (begin > 0 && lines.size() - begin < MAX_LINES) {
      left -= lines.get(begin - 1).characters();
      if (left < 0) {
        break;
      }
      begin--;
    }
    Map<String, String> named = new TreeMap<>();
    unavailable.entrySet().stream()
        .limit(MAX_DEVICES)
        .forEach(device -> named.put(device.getKey(), device.getValue()));
    return new SiteLog(lines.subList(begin, lines.size()), named);
  }

  /** As it travels. */
  public byte[] bytes() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.write(VERSION);
    try (DataOutputStream output = new DataOutputStream(new DeflaterOutputStream(bytes))) {
      output.writeInt(lines.size());
      for (Line line : lines) {
        output.writeUTF(line.device());
        output.writeLong(line.atMillis());
        output.writeUTF(line.severity());
        output.writeUTF(line.task());
        Wire.writeBytes(output, line.text().getBytes(StandardCharsets.UTF_8));
      }
      output.writeInt(unavailable.size());
      for (Map.Entry<String, String> device : new TreeMap<>(unavailable).entrySet()) {
        output.writeUTF(device.getKey());
        output.writeUTF(device.getValue());
      }
    } catch (IOException e) {
      throw new IllegalArgumentException("a text of more than 65,535 bytes", e);
    }
    return bytes.toByteArray();
  }

  /**
   * Reads one, which may be from anybody who is a site.
   *
   * @throws UplinkException MALFORMED
   */
  public static SiteLog read(byte[] bytes) throws UplinkException {
    return Wire.read(bytes, SiteLog::read);
  }

  private static SiteLog read(DataInputStream input) throws IOException {
    Wire.checkVersion(input, VERSION);
    byte[] deflated = input.readAllBytes();
    try (InputStream inflating = new InflaterInputStream(new ByteArrayInputStream(deflated));
        DataInputStream inflated =
            new DataInputStream(new ByteArrayInputStream(bounded(inflating)))) {
      int size = Wire.bounded(inflated.readInt(), MAX_LINES, "lines");
      List<Line> lines = new ArrayList<>(size);
      for (int i = 0; i < size; i++) {
        lines.add(
            new Line(
                inflated.readUTF(),
                inflated.readLong(),
                inflated.readUTF(),
                inflated.readUTF(),
                new String(Wire.readBytes(inflated), StandardCharsets.UTF_8)));
      }
      int devices = Wire.bounded(inflated.readInt(), MAX_DEVICES, "devices");
      Map<String, String> unavailable = new TreeMap<>();
      for (int i = 0; i < devices; i++) {
        unavailable.put(inflated.readUTF(), inflated.readUTF());
      }
      return new SiteLog(lines, unavailable);
    }
  }

  private static byte[] bounded(InputStream input) throws IOException {
    byte[] bytes = input.readNBytes(MAX_INFLATED + 1);
    if (bytes.length > MAX_INFLATED) {
      throw new IOException("more than %,d bytes when inflated".formatted(MAX_INFLATED));
    }
    return bytes;
  }
}
