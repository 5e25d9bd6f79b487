package io.sedge.connector.modbus.internal;

import io.sedge.connector.Reports;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/**
 * When each device has given its last row, and what is missing between the commit that reading goes
 * on from and the first rows after it. Belongs to the task's thread.
 */
final class LastRows {
  private static final long NEVER = Long.MIN_VALUE;

  /** So many intervals without a row are no gap yet. */
  private static final int INTERVALS = 2;

  private final PollSettings settings;
  private final Reports reports;
  private final long[] micros;
  private long latest = NEVER;
  private ReaderPosition resumed = ReaderPosition.NONE;
  private boolean toldOfPause = true;

  LastRows(PollSettings settings, Reports reports) {
    this.settings = settings;
    this.reports = reports;
    this.micros = new long[settings.devices()];
    Arrays.fill(micros, NEVER);
  }

  /** Goes on from a commit. Units that stay silent keep their times for the next one. */
  void resume(ReaderPosition position) {
    resumed = position;
    latest = position.latestMicros();
    toldOfPause = latest == NEVER;
    for (int device = 0; device < micros.length; device++) {
      micros[device] = position.lagging().getOrDefault(settings.nameOf(device), latest);
    }
  }

  /** A device has given a row. */
  void gave(int device, long now) {
    if (!toldOfPause) {
      toldOfPause = true;
      if (isGap(latest, now)) {
        reports.warn(
            "nothing was read from %s to %s, while the job was away; Modbus devices keep no past"
                .formatted(Reports.time(latest), Reports.time(now)));
      }
    }
    Long lagged = resumed.lagging().get(settings.nameOf(device));
    if (lagged != null && lagged == micros[device] && isGap(lagged, now)) {
      reports.warn(
          "%s gave nothing from %s to %s; it had none before the job was away"
              .formatted(settings.nameOf(device), Reports.time(lagged), Reports.time(now)));
    }
    micros[device] = now;
    // Not the greatest: after the clock was set back all units would lag behind it.
    latest = now;
  }

  private boolean isGap(long from, long to) {
    return to - from > INTERVALS * settings.interval().toNanos() / 1_000;
  }

  ReaderPosition position() {
    Map<String, Long> lagging = new TreeMap<>();
    for (int device = 0; device < micros.length; device++) {
      if (micros[device] != NEVER && isGap(micros[device], latest)) {
        lagging.put(settings.nameOf(device), micros[device]);
      }
    }
    return new ReaderPosition(latest, lagging);
  }
}
