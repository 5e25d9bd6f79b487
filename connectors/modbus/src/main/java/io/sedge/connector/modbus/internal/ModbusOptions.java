package io.sedge.connector.modbus.internal;

import io.sedge.connector.Backoff;
import io.sedge.connector.Option;
import io.sedge.connector.Option.Kind;
import io.sedge.connector.Options;
import io.sedge.connector.TableDescriptor;
import io.sedge.connector.modbus.internal.RegisterParser.Addressing;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The options of a table, declared and read. */
public final class ModbusOptions {
  /** So many units a table has at most, over all its connections. */
  private static final int MAX_DEVICES = 1000;

  private static final int MAX_UNIT = 255;
  private static final int MAX_RTU_UNIT = 247;
  private static final Pattern RANGE = Pattern.compile("(\\d{1,3})(?:-(\\d{1,3}))?");

  public static final List<Option> DECLARED =
      List.of(
          Option.required(
              "url",
              Kind.STRING,
              "Where the devices are: modbus-tcp://host:502, modbus-rtu-tcp://host:502 or"
                  + " modbus-rtu:///dev/ttyUSB0?baud=9600. A source takes several, separated by"
                  + " ';': each is a connection of its own."),
          Option.withDefault(
              "units",
              Kind.STRING,
              "1",
              "The unit ids at each url, separated by ';': 1;2;10-20. For a sink those that may be"
                  + " written to."),
          Option.optional(
              "fields.#.register",
              Kind.STRING,
              "Where the column # is: KIND:ADDRESS:TYPE:ORDER, such as holding:10:float32:le-swap,"
                  + " holding:12.3 for a bit of a register, coil:7. Type and order may be left out:"
                  + " uint16, and what 'byte-order' says."),
          Option.withDefault(
              "fields.#.scale",
              Kind.DECIMAL,
              "1",
              "The column # is the number in its register times this, plus the offset."),
          Option.withDefault(
              "fields.#.offset", Kind.DECIMAL, "0", "What is added to the scaled number."),
          new Option(
              "addressing",
              Kind.CHOICE,
              List.of("protocol", "modicon"),
              Optional.empty(),
              false,
              "How addresses are written: from 0 as they are sent, or as 40001. Without it they are"
                  + " from 0, and one that may be meant either way is refused."),
          Option.choice(
              "byte-order",
              "be",
              ByteOrder.names(),
              "The order of the bytes of values: ABCD, DCBA, BADC or CDAB."),
          Option.withDefault(
              "poll-interval",
              Kind.DURATION,
              "1 s",
              "How often each unit is read; the times do not drift."),
          Option.withDefault(
                  "request-timeout", Kind.DURATION, "1 s", "For how long an answer is waited for.")
              .asTuning(),
          Option.withDefault(
                  "max-gap",
                  Kind.INTEGER,
                  "8",
                  "How many registers that no column needs may be read to save a request; 16 bits"
                      + " count as one.")
              .asTuning(),
          Option.withDefault(
                  "max-registers",
                  Kind.INTEGER,
                  "125",
                  "How many registers a request reads at most, 1 to 125; 16 bits count as one.")
              .asTuning(),
          Option.withDefault("connection-timeout", Kind.DURATION, "10 s", "For connecting.")
              .asTuning(),
          Option.withDefault(
                  "reconnect.min-delay",
                  Kind.DURATION,
                  "500 ms",
                  "Before the first new attempt to connect, or to hear from a silent unit.")
              .asTuning(),
          Option.withDefault(
                  "reconnect.max-delay",
                  Kind.DURATION,
                  "30 s",
                  "Between attempts; each delay is twice the one before.")
              .asTuning(),
          Option.optional(
              "shard.by",
              Kind.STRING,
              "A STRING column that is METADATA FROM 'unit' or 'address': on a site each of its"
                  + " values is a shard of its own."),
          Option.withDefault(
              "sink.read-back",
              Kind.BOOLEAN,
              "true",
              "Whether what is written is read back; if it differs it is written again."),
          Option.withDefault(
              "sink.max-retries",
              Kind.INTEGER,
              "3",
              "How often a row is written again whose values are not read back, before it is"
                  + " refused."),
          Option.optional(
              "sink.max-age",
              Kind.DURATION,
              "A command that is older is never written; needs a column METADATA FROM 'timestamp'"
                  + " that says when it was given."));

  private final Options options;

  ModbusOptions(TableDescriptor table) {
    this.options = Options.of(table, DECLARED);
  }

  /** An error of the script about an option. */
  RuntimeException wrong(String key, String why) {
    return options.wrong(key, why);
  }

  boolean has(String key) {
    return options.has(key);
  }

  List<Endpoint> endpoints() {
    List<Endpoint> endpoints = new ArrayList<>();
    for (String part : options.string("url").split(";", -1)) {
      Endpoint endpoint;
      try {
        endpoint = Endpoint.parse(part.strip());
      } catch (IllegalArgumentException e) {
        throw wrong("url", Link.message(e));
      }
      if (endpoints.stream().anyMatch(other -> other.name().equals(endpoint.name()))) {
        throw wrong("url", "has %s twice".formatted(endpoint.name()));
      }
      endpoints.add(endpoint);
    }
    return endpoints;
  }

  List<Integer> units(List<Endpoint> endpoints) {
    Set<Integer> units = new LinkedHashSet<>();
    for (String part : options.string("units").split(";", -1)) {
      Matcher matcher = RANGE.matcher(part.strip());
      if (!matcher.matches()) {
        throw wrong(
            "units", "has '%s'; write unit ids and ranges as 1;2;10-20".formatted(part.strip()));
      }
      int first = Integer.parseInt(matcher.group(1));
      int last = matcher.group(2) == null ? first : Integer.parseInt(matcher.group(2));
      if (last < first) {
        throw wrong(
            "units", "has the range %s, which ends before it begins".formatted(part.strip()));
      }
      for (int unit = first; unit <= last; unit++) {
        if (!units.add(unit)) {
          throw wrong("units", "has %d twice".formatted(unit));
        }
      }
    }
    boolean rtu = endpoints.stream().anyMatch(Endpoint::rtu);
    int least = rtu ? 1 : 0;
    int most = rtu ? MAX_RTU_UNIT : MAX_UNIT;
    for (int unit : units) {
      if (unit < least || unit > most) {
        throw wrong("units", "has %d, which is not in %d to %d".formatted(unit, least, most));
      }
    }
    if (units.size() * endpoints.size() > MAX_DEVICES) {
      throw wrong(
          "units",
          "makes %d units at %d urls, %d in all, more than %d; divide them over several tables"
              .formatted(
                  units.size(), endpoints.size(), units.size() * endpoints.size(), MAX_DEVICES));
    }
    return List.copyOf(units);
  }

  /** Where a column is kept; empty if the script does not say. */
  Optional<Register> register(String column) {
    String key = "fields.%s.register".formatted(column);
    if (!options.has(key)) {
      return Optional.empty();
    }
    Addressing addressing =
        options.has("addressing")
            ? Addressing.valueOf(options.choice("addressing").toUpperCase(Locale.ROOT))
            : Addressing.UNSTATED;
    ByteOrder order = ByteOrder.named(options.choice("byte-order")).orElseThrow();
    try {
      return Optional.of(new RegisterParser(addressing, order).parse(options.string(key)));
    } catch (IllegalArgumentException e) {
      throw wrong(key, Link.message(e));
    }
  }

  Scaling scaling(String column) {
    String key = "fields.%s.scale".formatted(column);
    BigDecimal scale = options.decimal(key);
    if (scale.signum() == 0) {
      throw wrong(key, "is zero, so every value would be the same");
    }
    String offsetKey = "fields.%s.offset".formatted(column);
    BigDecimal offset = options.decimal(offsetKey);
    if (!isDouble(scale)) {
      throw wrong(key, "is too large or too small for a DOUBLE");
    }
    if (!isDouble(offset)) {
      throw wrong(offsetKey, "is too large or too small for a DOUBLE");
    }
    Scaling scaling = new Scaling(scale, offset);
    if (!scaling.isFinite()) {
      throw wrong(key, "and '%s' have more digits than a DOUBLE holds".formatted(offsetKey));
    }
    return scaling;
  }

  private static boolean isDouble(BigDecimal number) {
    double value = number.doubleValue();
    return Double.isFinite(value) && (value != 0 || number.signum() == 0);
  }

  Duration pollInterval() {
    return positive("poll-interval");
  }

  int maxGap() {
    return (int) options.integer("max-gap", 0, ReadPlan.MAX_REGISTERS);
  }

  int maxRegisters() {
    return (int) options.integer("max-registers", 1, ReadPlan.MAX_REGISTERS);
  }

  LinkSettings link() {
    Duration least = positive("reconnect.min-delay");
    Duration most = positive("reconnect.max-delay");
    if (most.compareTo(least) < 0) {
      throw wrong("reconnect.max-delay", "is less than 'reconnect.min-delay'");
    }
    return new LinkSettings(
        positive("request-timeout"), positive("connection-timeout"), Backoff.steady(least, most));
  }

  Optional<String> shardBy() {
    return options.find("shard.by");
  }

  boolean readBack() {
    return options.bool("sink.read-back");
  }

  int maxRetries() {
    return (int) options.integer("sink.max-retries", 0, 100);
  }

  Optional<Duration> maxAge() {
    return options.has("sink.max-age") ? Optional.of(positive("sink.max-age")) : Optional.empty();
  }

  private Duration positive(String key) {
    Duration value = options.duration(key);
    if (value.toMillis() < 1 || value.toMillis() > Integer.MAX_VALUE) {
      throw wrong(key, "is not in 1 ms to 24 d");
    }
    return value;
  }
}
