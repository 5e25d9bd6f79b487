package io.sedge.center.internal.merge;

import java.util.function.Consumer;

/** Counts what should not happen, and says so whenever it has doubled. One thread. */
final class Doubling {
  private final Consumer<String> log;
  private final String text;
  private long count;
  private long said;

  /**
   * @param text with {@code %,d} for the count
   */
  Doubling(Consumer<String> log, String text) {
    this.log = log;
    this.text = text;
  }

  void add(long more) {
    count += more;
  }

  void say() {
    if (count > 0 && count >= 2 * said) {
      said = count;
      log.accept(text.formatted(count));
    }
  }
}
