package io.sedge.connector.kafka.internal;

import io.sedge.connector.Options;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads {@code scan.startup.*} and {@code scan.bounded.*}. */
final class OffsetOptions {
  private static final Pattern OFFSET =
      Pattern.compile("\\s*partition\\s*:\\s*(\\d{1,9})\\s*,\\s*offset\\s*:\\s*(\\d{1,18})\\s*");

  private final Options options;
  private final boolean hasGroup;
  private final boolean severalTopics;

  OffsetOptions(Options options, boolean hasGroup, boolean severalTopics) {
    this.options = options;
    this.hasGroup = hasGroup;
    this.severalTopics = severalTopics;
  }

  OffsetChoice startup() {
    return choice(KafkaOptions.STARTUP, KafkaOptions.STARTUP_OFFSETS, KafkaOptions.STARTUP_TIME);
  }

  OffsetChoice bounded() {
    return choice(KafkaOptions.BOUNDED, KafkaOptions.BOUNDED_OFFSETS, KafkaOptions.BOUNDED_TIME);
  }

  private OffsetChoice choice(String mode, String offsets, String time) {
    String chosen = options.choice(mode);
    checkCompanion(mode, chosen, "specific-offsets", offsets);
    checkCompanion(mode, chosen, "timestamp", time);
    return switch (chosen) {
      case "earliest-offset" -> new OffsetChoice.Earliest();
      case "latest-offset" -> new OffsetChoice.Latest();
      case "unbounded" -> new OffsetChoice.None();
      case "timestamp" -> new OffsetChoice.Timestamp(options.integer(time, 0, Long.MAX_VALUE));
      case "specific-offsets" -> specific(offsets);
      default -> group(mode);
    };
  }

  private OffsetChoice group(String mode) {
    if (!hasGroup) {
      throw options.wrong(
          mode,
          "needs '%s', whose offsets are meant; or set '%s' = '%s'"
              .formatted(
                  KafkaOptions.GROUP,
                  mode,
                  mode.equals(KafkaOptions.STARTUP) ? "earliest-offset" : "latest-offset"));
    }
    return new OffsetChoice.Group();
  }

  private void checkCompanion(String mode, String chosen, String needs, String companion) {
    boolean needed = chosen.equals(needs);
    if (needed && !options.has(companion)) {
      throw options.wrong(mode, "needs '%s' too".formatted(companion));
    }
    if (!needed && options.has(companion)) {
      throw options.wrong(companion, "needs '%s' = '%s'".formatted(mode, needs));
    }
  }

  private OffsetChoice specific(String key) {
    if (severalTopics) {
      throw options.wrong(key, "is for one topic, and 'topic' has several");
    }
    Map<Integer, Long> offsets = new HashMap<>();
    for (String part : options.string(key).split(";", -1)) {
      Matcher matcher = OFFSET.matcher(part);
      if (!matcher.matches()) {
        throw options.wrong(key, "is not of the form partition:0,offset:42;partition:1,offset:300");
      }
      int partition = Integer.parseInt(matcher.group(1));
      if (offsets.put(partition, Long.parseLong(matcher.group(2))) != null) {
        throw options.wrong(key, "has partition %d twice".formatted(partition));
      }
    }
    return new OffsetChoice.Specific(offsets);
  }
}
