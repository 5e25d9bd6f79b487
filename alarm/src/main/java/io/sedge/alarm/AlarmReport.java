package io.sedge.alarm;

import org.jspecify.annotations.Nullable;

/**
 * What a table says of one of its keys.
 *
 * @param event RAISE, CLEAR, WAIT, SETTLE, or UNSHELVE when its time is over
 * @param key the primary key of the row, as text
 * @param timeMillis of the row, by its own time where it has one
 * @param dueMillis when the delay that begins is over, by the wall clock; 0 if none begins. Of
 *     UNSHELVE the end of shelving that it is for
 * @param value of the row, if the table has one
 * @param message of the row; empty if the table has none
 */
public record AlarmReport(
    AlarmEvent event,
    String key,
    long timeMillis,
    long dueMillis,
    @Nullable Double value,
    String message) {
  /** Of a key, in UTF-16 units. What is longer is refused. */
  public static final int MAX_KEY = 256;

  /** Of a message. What is longer is cut. */
  public static final int MAX_MESSAGE = 512;

  public AlarmReport {
    if (event == AlarmEvent.ACKNOWLEDGE || event == AlarmEvent.SHELVE) {
      throw new IllegalArgumentException("%s is not reported by a table".formatted(event));
    }
    if (key.length() > MAX_KEY) {
      throw new IllegalArgumentException(
          "a key of %d characters; %d are allowed".formatted(key.length(), MAX_KEY));
    }
    message = cut(message, MAX_MESSAGE);
  }

  /** As much of a text as may be, no character torn. */
  static String cut(String text, int most) {
    if (text.length() <= most) {
      return text;
    }
    int end = Character.isHighSurrogate(text.charAt(most - 2)) ? most - 2 : most - 1;
    return text.substring(0, end) + "…";
  }
}
