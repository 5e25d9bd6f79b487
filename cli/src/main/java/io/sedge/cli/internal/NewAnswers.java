package io.sedge.cli.internal;

import io.sedge.cli.internal.connect.FirstScript;
import io.sedge.task.FailureCode;
import io.sedge.task.JobException;
import java.net.URI;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.TypeConversionException;

/**
 * What one may answer to {@code sedge new}. What cannot be is a JobException, USAGE, that says what
 * may.
 */
final class NewAnswers {
  static final String MACHINE = "machine";
  static final String TERMINAL = "terminal";
  static final String WINDOWS = "windows";
  static final String ABOVE = "above";

  private NewAnswers() {}

  /** Empty for this machine. */
  static Optional<URI> place(String text) throws JobException {
    if (text.equals(MACHINE)) {
      return Optional.empty();
    }
    return Optional.of(
        uri(text)
            .filter(uri -> List.of("mqtt", "mqtts", "opc.tcp").contains(uri.getScheme()))
            .orElseThrow(
                () ->
                    usage(
                        "%s: write machine, mqtt://HOST:1883, mqtts://HOST:8883 or opc.tcp://HOST:4840. Tables of other connectors: docs/connectors.md"
                            .formatted(text))));
  }

  /** One with a scheme and a host. What may be a password is not shown again. */
  private static Optional<URI> uri(String text) throws JobException {
    Browsing.refuseLogin(text);
    try {
      return Optional.of(URI.create(text))
          .filter(uri -> uri.getScheme() != null && uri.getHost() != null);
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /** A filter of topics. */
  static String notEmpty(String text) throws JobException {
    if (text.isBlank()) {
      throw usage("write a filter such as plant/#, or # for all");
    }
    return text;
  }

  /** One of the kinds of {@link FirstScript.Goal}. */
  static String wanted(String text) throws JobException {
    if (!List.of("readings", WINDOWS, ABOVE).contains(text)) {
      throw usage("%s is not one of readings, windows, above".formatted(text));
    }
    return text;
  }

  /** The length of a window. */
  static Duration window(String text) throws JobException {
    Duration length;
    try {
      length = new DurationConverter().convert(text);
    } catch (TypeConversionException e) {
      throw usage(String.valueOf(e.getMessage()));
    }
    if (!FirstScript.Windows.canBe(length)) {
      throw usage("%s: write 1s to 99s, 1min to 99min or 1h to 99h".formatted(text));
    }
    return length;
  }

  /** A limit. */
  static double number(String text) throws JobException {
    try {
      double number = Double.parseDouble(text);
      if (Double.isFinite(number)) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Said below.
    }
    throw usage(text.isEmpty() ? "write a number" : "%s is no number".formatted(text));
  }

  /** The options of the table that takes rows; none for the terminal. */
  static Map<String, String> sink(String text) throws JobException {
    if (text.equals(TERMINAL)) {
      return Map.of();
    }
    Map<String, String> options = new LinkedHashMap<>();
    if (!text.contains(":")) {
      options.put("connector", "filesystem");
      options.put("path", text);
      options.put("format", "csv");
      return options;
    }
    URI uri =
        uri(text)
            .filter(one -> List.of("mqtt", "mqtts").contains(one.getScheme()))
            .filter(one -> one.getPath().length() > 1)
            .filter(one -> one.getRawFragment() == null && one.getRawQuery() == null)
            .orElseThrow(
                () ->
                    usage(
                        "%s: write terminal, a directory, or mqtt://HOST:1883/TOPIC"
                            .formatted(text)));
    options.put("connector", "mqtt");
    options.put("url", origin(uri));
    options.put("topic", uri.getPath().substring(1));
    options.put("format", "json");
    return options;
  }

  /** As the option {@code url} of a table has it. */
  static String origin(URI uri) {
    return uri.getScheme() + "://" + uri.getAuthority();
  }

  static JobException usage(String message) {
    return new JobException(FailureCode.USAGE, message);
  }
}
