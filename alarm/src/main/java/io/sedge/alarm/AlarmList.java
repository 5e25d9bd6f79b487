package io.sedge.alarm;

import java.io.IOException;
import java.util.List;

/**
 * The alarms that are not normal.
 *
 * @param atMillis by the wall clock of whoever tells them
 * @param alarms by {@link Alarm#BY_URGENCY}
 */
public record AlarmList(long atMillis, AlarmCounts counts, List<Alarm> alarms) {
  public AlarmList {
    alarms = List.copyOf(alarms);
  }

  /** The same with the first alarms alone; the counts stay those of all. */
  public AlarmList first(int most) {
    return alarms.size() <= most ? this : new AlarmList(atMillis, counts, alarms.subList(0, most));
  }

  /** All of it, as {@link #of} reads it. */
  public byte[] bytes() {
    return AlarmCodec.bytesOf(output -> AlarmCodec.writeList(this, output));
  }

  /**
   * Reads what {@link #bytes} wrote.
   *
   * @throws IOException if they are something else
   */
  public static AlarmList of(byte[] bytes) throws IOException {
    return AlarmCodec.read(bytes, AlarmCodec::readList);
  }
}
