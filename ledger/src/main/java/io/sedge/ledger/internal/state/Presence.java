package io.sedge.ledger.internal.state;

import io.sedge.ledger.Command;
import io.sedge.ledger.Device;
import io.sedge.ledger.MalformedException;
import io.sedge.ledger.Measures;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What devices have told outside of the log: that they are there, and what they measure. It changes
 * with each report and nobody needs it after a restart, so it costs no entry and no disk.
 *
 * <p>Who leads takes what devices tell. The others learn from the leader what has changed since
 * they last asked, by a version that grows with each change.
 *
 * <pre>
 *   news   version (8), count (4), then of each device that has changed
 *          name, reports (8), clock of the last (8), whether measures follow (1), measures, remarks
 * </pre>
 */
final class Presence {
  /** Of an entry of the news, at least. */
  private static final int LEAST_BYTES = Integer.BYTES + 2 * Long.BYTES + 1;

  private final NavigableMap<String, Told> devices = new TreeMap<>();
  private long version;

  /** What one device has told. */
  private static final class Told {
    long heard;
    long heardAtMillis;
    @Nullable Measures measures;
    long version;

    /** When the measures last changed. */
    long measured;
  }

  /** A device with what it has told beside what the log knows of it. */
  Device over(Device device) {
    Told told = devices.get(device.name());
    if (told == null) {
      return device;
    }
    Measures measures = told.measures;
    return new Device(
        device.name(),
        device.address(),
        device.state(),
        device.labels(),
        measures == null ? device.measures() : measures,
        device.heard() + told.heard,
        Math.max(device.heardAtMillis(), told.heardAtMillis),
        device.stopped());
  }

  /** Takes a report or measures of a device. */
  void take(Command command) {
    if (command instanceof Command.ReportDevice report) {
      Told told = changed(report.device());
      told.heard++;
      told.heardAtMillis = report.atMillis();
    } else if (command instanceof Command.MeasureDevice measure) {
      Told told = changed(measure.device());
      told.measures = measure.measures();
      told.measured = told.version;
    }
  }

  /** Forgets a device: one that comes later under its name is another one. */
  void forget(String device) {
    devices.remove(device);
  }

  private Told changed(String device) {
    Told told = devices.computeIfAbsent(device, _ -> new Told());
    told.version = ++version;
    return told;
  }

  /** What has changed since a version, as {@link #learn} takes it. */
  byte[] since(long known) {
    List<Map.Entry<String, Told>> news = new ArrayList<>();
    for (Map.Entry<String, Told> entry : devices.entrySet()) {
      if (entry.getValue().version > known) {
        news.add(entry);
      }
    }
    return Encoder.bytesOf(
        encoder -> {
          encoder.writeLong(version);
          encoder.writeInt(news.size());
          for (Map.Entry<String, Told> entry : news) {
            write(entry.getKey(), entry.getValue(), known, encoder);
          }
        });
  }

  private static void write(String device, Told told, long known, Encoder encoder)
      throws IOException {
    Measures measures = told.measured > known ? told.measures : null;
    encoder.writeText(device);
    encoder.writeLong(told.heard);
    encoder.writeLong(told.heardAtMillis);
    encoder.writeBoolean(measures != null);
    if (measures != null) {
      MeasuresCodec.write(measures, encoder);
    }
  }

  /**
   * Takes what another member knows.
   *
   * @return the other's version: what to ask for next time
   * @throws MalformedException if the bytes are none; then nothing has changed
   */
  long learn(byte[] news) throws MalformedException {
    Map<String, Told> learned = new TreeMap<>();
    long reached = Decoder.of(news, decoder -> read(decoder, learned));
    learned.forEach(
        (device, told) -> {
          Told own = changed(device);
          own.heard = told.heard;
          own.heardAtMillis = told.heardAtMillis;
          if (told.measures != null) {
            own.measures = told.measures;
            own.measured = own.version;
          }
        });
    return reached;
  }

  private static long read(Decoder decoder, Map<String, Told> learned)
      throws IOException, MalformedException {
    long reached = decoder.readLong();
    int count = decoder.readCount(LEAST_BYTES, Integer.MAX_VALUE);
    for (int i = 0; i < count; i++) {
      String device = decoder.readText();
      Told told = new Told();
      told.heard = decoder.readLong();
      told.heardAtMillis = decoder.readLong();
      if (decoder.readBoolean()) {
        told.measures = MeasuresCodec.read(decoder, MeasuresCodec.Form.WHOLE);
      }
      learned.put(device, told);
    }
    return reached;
  }
}
