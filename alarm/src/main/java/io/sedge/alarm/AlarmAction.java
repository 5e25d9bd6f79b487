package io.sedge.alarm;

import java.io.IOException;
import java.time.Duration;
import java.util.List;

/**
 * What a person does to alarms.
 *
 * @param event ACKNOWLEDGE, SHELVE or UNSHELVE
 * @param targets each once
 * @param by who, for people to read
 * @param atMillis when, by the wall clock of whoever took it
 * @param untilMillis until when they are shelved; 0 unless they are
 * @param note why; may be empty
 */
public record AlarmAction(
    AlarmEvent event,
    List<Target> targets,
    String by,
    long atMillis,
    long untilMillis,
    String note) {
  /** How many alarms one action may name. */
  public static final int MAX_TARGETS = 10_000;

  /** For how long an alarm may be shelved; ISA-18.2 asks for a bound. */
  public static final Duration MAX_SHELVED = Duration.ofDays(7);

  /** The most characters of who did it and why. What is longer is cut. */
  public static final int MAX_TEXT = 256;

  /**
   * An alarm, as somebody has seen it.
   *
   * @param raised how often it had been raised; if it was raised again since, it is not
   *     acknowledged. 0 for whatever there is
   */
  public record Target(long id, long raised) {}

  public AlarmAction {
    if (!event.isOperators()) {
      throw new IllegalArgumentException("%s is not what a person does".formatted(event));
    }
    targets = List.copyOf(targets);
    if (targets.size() > MAX_TARGETS) {
      throw new IllegalArgumentException(
          "%d alarms at once; at most %d are allowed".formatted(targets.size(), MAX_TARGETS));
    }
    long shelved = untilMillis - atMillis;
    if (event == AlarmEvent.SHELVE && (shelved <= 0 || shelved > MAX_SHELVED.toMillis())) {
      throw new IllegalArgumentException(
          "alarms are shelved for a time above zero and of %d days at most"
              .formatted(MAX_SHELVED.toDays()));
    }
    by = AlarmReport.cut(by, MAX_TEXT);
    note = AlarmReport.cut(note, MAX_TEXT);
  }

  /** All of it, as {@link #of} reads it. */
  public byte[] bytes() {
    return AlarmCodec.bytesOf(output -> AlarmCodec.writeAction(this, output));
  }

  /**
   * Reads what {@link #bytes} wrote.
   *
   * @throws IOException if they are something else
   */
  public static AlarmAction of(byte[] bytes) throws IOException {
    return AlarmCodec.read(bytes, AlarmCodec::readAction);
  }
}
