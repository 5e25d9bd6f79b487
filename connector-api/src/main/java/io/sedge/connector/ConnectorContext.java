package io.sedge.connector;

import io.sedge.connector.format.Formats;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Optional;

/** What a connector gets from the program that it runs in. */
public interface ConnectorContext {
  /** The wall clock. */
  InstantSource clock();

  /** A monotonic clock, in nanoseconds from whenever: for ages, which the wall clock would bend. */
  default long nanoTime() {
    return System.nanoTime();
  }

  /** Relative paths in options are relative to it. */
  Path directory();

  /** Where this device has what outlasts the process; need not be there yet. */
  default Path data() {
    return directory().resolve(".sedge");
  }

  /** Which files may be read and written. */
  default FileAccess files() {
    return FileAccess.EVERYTHING;
  }

  /**
   * A text without the secrets that the job's tables were opened with: for what a connector makes a
   * part of rows. What it reports, and what it fails with, is cleared of them in any case.
   */
  default String withoutSecrets(String text) {
    return text;
  }

  /** The formats there are; a connector that uses formats makes its decoders with them. */
  default Formats formats() {
    return Formats.installed(ConnectorContext.class.getClassLoader());
  }

  /**
   * Another connector of the program, for one whose rows go by it; empty if the program has none of
   * that name, or nothing is opened.
   */
  default Optional<ConnectorFactory> connector(String name) {
    return Optional.empty();
  }

  /** The name of the job whose table this is; empty if it is of none. */
  default Optional<String> job() {
    return Optional.empty();
  }

  /**
   * A name that is the same for this table of this task on whatever device it runs, and another for
   * every other: what the far end keeps under it (an MQTT session) passes on with the task. While a
   * task moves two readers may have it open; the commits of the older one are refused then, and it
   * is closed. Of any characters. Empty: what is opened belongs to this process alone.
   */
  default Optional<String> session() {
    return Optional.empty();
  }

  /** Lets the task run soon: call it, from any thread, when there is something to poll or room. */
  void wakeUp();

  /**
   * Hands over a payload that could not be decoded. It is counted, sampled in the log and, if the
   * script names a table for it, kept.
   *
   * @param origin where it came from: a topic, {@code file:line}
   * @param payload as it came; cut to 4 KiB
   * @param reason what is wrong, for people
   */
  void malformed(String table, String origin, byte[] payload, String reason);

  /**
   * Hands over a row that is not written: its format cannot hold it, or the far end refuses it. It
   * is counted and sampled in the log; no table keeps it.
   *
   * @param origin which row it is, or where it was to go
   * @param payload as it was to be written, or its values; cut to 4 KiB
   * @param reason what is wrong, for people
   */
  default void unwritten(String table, String origin, byte[] payload, String reason) {
    malformed(table, origin, payload, reason);
  }

  /**
   * Whether a reader may look for more malformed payloads. It asks after each that it hands over;
   * when there is no room it ends its poll with the rows that it has, and is polled again when the
   * payloads are on their way. A few megabytes more are taken all the same.
   */
  default boolean takesMalformed() {
    return true;
  }

  /**
   * Says something once in a while to people: lost and regained connections, a queue that is full.
   */
  void report(Severity severity, String message);

  /** How much a report matters. */
  enum Severity {
    INFO,
    WARNING,
    ERROR
  }
}
