package io.sedge.uplink;

import io.sedge.alarm.Alarm;
import io.sedge.alarm.AlarmCounts;
import io.sedge.alarm.AlarmList;
import io.sedge.alarm.AlarmState;
import io.sedge.uplink.UplinkException.Reason;
import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.LongStream;

/**
 * The alarms of a site, as it tells them to its center.
 *
 * <pre>
 *   version 1 | index 8 | AlarmList
 * </pre>
 *
 * @param index of the site's ledger: an entry that they have. It never goes back unless the site
 *     was put back to an older state
 */
public record SiteAlarmList(long index, AlarmList alarms) {
  /** The most that a count may be: sums of many sites are exact where they are shown. */
  private static final long MOST = 1L << 40;

  private static final int MAX_NAME = 256;
  private static final int VERSION = 1;

  /** As it travels, with as many of the most urgent alarms as may be told at once. */
  byte[] fitting() {
    int most = Math.min(Uplink.MAX_ALARMS, alarms.alarms().size());
    byte[] bytes = new SiteAlarmList(index, alarms.first(most)).bytes();
    while (bytes.length > Uplink.MAX_ALARMS_BYTES) {
      most /= 2;
      bytes = new SiteAlarmList(index, alarms.first(most)).bytes();
    }
    return bytes;
  }

  /** As it travels. */
  public byte[] bytes() {
    return Wire.write(
        output -> {
          output.writeByte(VERSION);
          output.writeLong(index);
          Wire.writeBytes(output, alarms.bytes());
        });
  }

  /**
   * Reads one, which may be from anybody who is a site.
   *
   * @throws UplinkException MALFORMED; TOO_LARGE
   */
  public static SiteAlarmList read(byte[] bytes) throws UplinkException {
    SiteAlarmList list =
        Wire.read(
            bytes,
            input -> {
              Wire.checkVersion(input, VERSION);
              long index = input.readLong();
              return new SiteAlarmList(index, AlarmList.of(Wire.readBytes(input)));
            });
    int size = list.alarms().alarms().size();
    if (size > Uplink.MAX_ALARMS) {
      throw new UplinkException(
          Reason.TOO_LARGE, "%d alarms at once; %d are allowed".formatted(size, Uplink.MAX_ALARMS));
    }
    try {
      check(list.alarms());
    } catch (IOException e) {
      throw new UplinkException(Reason.MALFORMED, String.valueOf(e.getMessage()), e);
    }
    return list;
  }

  private static void check(AlarmList list) throws IOException {
    AlarmCounts counts = list.counts();
    LongStream all =
        LongStream.of(
            counts.changes(),
            counts.attention(),
            counts.active(),
            counts.shelved(),
            counts.raisedInTenMinutes(),
            counts.floods(),
            counts.raised(),
            counts.refused());
    if (all.anyMatch(count -> count < 0 || count > MOST)) {
      throw new IOException("counts of alarms that cannot be: " + counts);
    }
    Set<Long> ids = new HashSet<>();
    for (Alarm alarm : list.alarms()) {
      if (alarm.state() == AlarmState.NORMAL
          || !ids.add(alarm.id())
          || !isName(alarm.job())
          || !isName(alarm.table())) {
        throw new IOException("an alarm that cannot be: %d".formatted(alarm.id()));
      }
    }
  }

  private static boolean isName(String name) {
    return !name.isEmpty()
        && name.length() <= MAX_NAME
        && name.chars().noneMatch(Character::isISOControl);
  }
}
