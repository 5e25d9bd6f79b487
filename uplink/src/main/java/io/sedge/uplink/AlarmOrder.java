package io.sedge.uplink;

import io.sedge.alarm.AlarmAction;
import io.sedge.alarm.AlarmEvent;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What somebody at the center does to alarms of a site. It may be done twice: an alarm that was
 * raised again since it was seen is left alone.
 *
 * <pre>
 *   version 1 | event 1 | count 4, and for each: id 8, raised 8 | shelved 8 | note
 * </pre>
 *
 * @param event ACKNOWLEDGE, SHELVE or UNSHELVE
 * @param targets 1 to {@value Uplink#MAX_ALARMS}, each once
 * @param shelved for how long, from when the site takes it; zero unless they are shelved
 * @param note why; may be empty
 */
public record AlarmOrder(
    AlarmEvent event, List<AlarmAction.Target> targets, Duration shelved, String note)
    implements OrderBody {
  /** What its kind is called. */
  public static final String KIND = "alarm";

  private static final int VERSION = 1;

  public AlarmOrder {
    targets = List.copyOf(targets);
    if (!event.isOperators()) {
      throw new IllegalArgumentException("%s is not what a person does".formatted(event));
    }
    if (targets.isEmpty() || targets.size() > Uplink.MAX_ALARMS) {
      throw new IllegalArgumentException(
          "%d alarms; 1 to %d are allowed".formatted(targets.size(), Uplink.MAX_ALARMS));
    }
    boolean shelves = event == AlarmEvent.SHELVE;
    if (shelves
        ? !shelved.isPositive() || shelved.compareTo(AlarmAction.MAX_SHELVED) > 0
        : !shelved.isZero()) {
      throw new IllegalArgumentException(
          "alarms are shelved for a time above zero and of %d days at most"
              .formatted(AlarmAction.MAX_SHELVED.toDays()));
    }
    if (note.length() > AlarmAction.MAX_TEXT) {
      throw new IllegalArgumentException(
          "a note of %d characters; %d are allowed".formatted(note.length(), AlarmAction.MAX_TEXT));
    }
  }

  @Override
  public String kind() {
    return KIND;
  }

  @Override
  public byte[] bytes() {
    return Wire.write(this::write);
  }

  private void write(DataOutputStream output) throws IOException {
    output.writeByte(VERSION);
    output.writeByte(event.code());
    output.writeInt(targets.size());
    for (AlarmAction.Target target : targets) {
      output.writeLong(target.id());
      output.writeLong(target.raised());
    }
    output.writeLong(shelved.toMillis());
    output.writeUTF(note);
  }

  /**
   * Reads one.
   *
   * @throws UplinkException MALFORMED
   */
  public static AlarmOrder read(byte[] bytes) throws UplinkException {
    return Wire.read(bytes, AlarmOrder::read);
  }

  private static AlarmOrder read(DataInputStream input) throws IOException {
    Wire.checkVersion(input, VERSION);
    AlarmEvent event = AlarmEvent.ofCode(input.readUnsignedByte());
    int size = Wire.bounded(input.readInt(), Uplink.MAX_ALARMS, "alarms");
    List<AlarmAction.Target> targets = new ArrayList<>(size);
    for (int i = 0; i < size; i++) {
      targets.add(new AlarmAction.Target(input.readLong(), input.readLong()));
    }
    return new AlarmOrder(event, targets, Duration.ofMillis(input.readLong()), input.readUTF());
  }

  /** For people: {@code acknowledge 17 18}; of many the first. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(event.name().toLowerCase(Locale.ROOT));
    int most = 10;
    targets.stream().limit(most).forEach(target -> text.append(' ').append(target.id()));
    return targets.size() > most
        ? text.append(" and %d more".formatted(targets.size() - most)).toString()
        : text.toString();
  }
}
