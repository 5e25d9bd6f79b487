package io.sedge.cli.internal;

import io.sedge.cli.internal.output.Quantities;
import io.sedge.ledger.Limit;
import io.sedge.site.DeviceConnection;
import io.sedge.site.api.SiteException;
import io.sedge.site.api.SiteLimits;
import io.sedge.task.FailureCode;
import java.io.PrintStream;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/** {@code sedge site limits}. Its options, their help and the table's lines are one list. */
@Command(
    name = "limits",
    header = "Shows what the site allows at most, and what is used; or changes it.",
    description = {
      "Limits hold for the whole site, whichever device is asked; those not named stay.",
      "One below what is in use refuses growth and takes nothing away. State, outbox and",
      "exchange are held in memory on every device."
    },
    footer = {
      "Examples:",
      "  sedge site limits",
      "  sedge site limits --state 64m --outbox 16m",
      "  sedge site limits --silence 2s       on machines that are often overloaded"
    })
final class SiteLimitsCommand extends ControlCommand {
  private static final Set<Limit> SHARED =
      Set.of(Limit.STATE_BYTES, Limit.OUTBOX_BYTES, Limit.EXCHANGE_BYTES);

  private enum Unit {
    COUNT,
    BYTES,
    MILLIS
  }

  /**
   * A limit as people see it.
   *
   * @param what is limited
   */
  private record Setting(Limit limit, String name, Unit unit, String what) {
    OptionSpec option() {
      String help = what.substring(0, 1).toUpperCase(Locale.ROOT) + what.substring(1) + ".";
      OptionSpec.Builder option =
          OptionSpec.builder("--" + name).order(limit.code()).description(help);
      return switch (unit) {
        case COUNT -> option.paramLabel("N").type(int.class).build();
        case BYTES ->
            option.paramLabel("SIZE").type(Long.class).converters(new MemoryConverter()).build();
        case MILLIS ->
            option
                .paramLabel("TIME")
                .type(Duration.class)
                .converters(new DurationConverter())
                .build();
      };
    }

    /** As the option takes it, where it does. */
    String text(long value) {
      return switch (unit) {
        case COUNT -> Long.toString(value);
        case BYTES -> MemoryConverter.text(value);
        case MILLIS -> value % 1_000 == 0 ? value / 1_000 + "s" : value + "ms";
      };
    }

    String used(long used) {
      if (used == SiteLimits.UNKNOWN) {
        return "-";
      }
      return unit == Unit.BYTES ? Quantities.bytes(used) : Long.toString(used);
    }
  }

  private static final List<Setting> SETTINGS =
      List.of(
          new Setting(Limit.DEVICES, "devices", Unit.COUNT, "devices, expelled ones too"),
          new Setting(Limit.JOBS, "jobs", Unit.COUNT, "jobs, ended ones too"),
          new Setting(Limit.TASKS, "tasks", Unit.COUNT, "tasks of all jobs"),
          new Setting(Limit.SCRIPT_BYTES, "script", Unit.BYTES, "a job's script"),
          new Setting(Limit.COMMIT_BYTES, "commit", Unit.BYTES, "what a task commits at once"),
          new Setting(Limit.STATE_BYTES, "state", Unit.BYTES, "the state of all tasks"),
          new Setting(Limit.OUTBOX_BYTES, "outbox", Unit.BYTES, "rows that are not delivered yet"),
          new Setting(Limit.EXCHANGE_BYTES, "exchange", Unit.BYTES, "rows for other tasks"),
          new Setting(
              Limit.SILENCE_MILLIS,
              "silence",
              Unit.MILLIS,
              "a device's silence before its tasks go to others"));

  @Spec private CommandSpec spec;

  @SuppressWarnings("NullAway.Init") // picocli sets spec before it calls anything.
  private SiteLimitsCommand(Surroundings surroundings) {
    super(surroundings);
  }

  static CommandLine line(Surroundings surroundings) {
    CommandLine line = new CommandLine(new SiteLimitsCommand(surroundings));
    SETTINGS.forEach(setting -> line.getCommandSpec().addOption(setting.option()));
    return line;
  }

  @Override
  public Integer call() throws SiteException, ScriptRefusedException, InterruptedException {
    Map<Limit, Long> values = values();
    for (Setting setting : SETTINGS) {
      Limit limit = setting.limit();
      long value = values.getOrDefault(limit, limit.min());
      if (value < limit.min() || value > limit.max()) {
        throw new SiteException(
            FailureCode.USAGE,
            "--%s=%s: from %s to %s are allowed"
                .formatted(
                    setting.name(),
                    setting.text(value),
                    setting.text(limit.min()),
                    setting.text(limit.max())));
      }
    }
    return super.call();
  }

  /** Those that are to be changed. */
  private Map<Limit, Long> values() {
    ParseResult parsed = spec.commandLine().getParseResult();
    Map<Limit, Long> values = new EnumMap<>(Limit.class);
    for (Setting setting : SETTINGS) {
      String option = "--" + setting.name();
      if (parsed.hasMatchedOption(option)) {
        Object given = parsed.matchedOption(option).getValue();
        values.put(
            setting.limit(),
            given instanceof Duration time ? time.toMillis() : ((Number) given).longValue());
      }
    }
    return values;
  }

  @Override
  void ask(DeviceConnection site, Answers answers) throws SiteException {
    Map<Limit, Long> values = values();
    SiteLimits before = site.limits();
    if (values.isEmpty()) {
      if (wantsJson()) {
        answers.json(before);
      } else {
        answers.text(table(before) + "\n\n" + memory(before));
      }
      return;
    }
    progress("asking the site");
    site.setLimits(values);
    SiteLimits after = site.limits();
    if (wantsJson()) {
      answers.json(Map.of("before", before, "after", after));
    } else {
      answers.text(changes(before, after, values.keySet()));
    }
    warn(after, values.keySet());
  }

  private static String table(SiteLimits limits) {
    TextTable table = new TextTable("limit", ">at most", ">used", "of");
    for (Setting setting : SETTINGS) {
      SiteLimits.Bound bound = limits.bound(setting.limit());
      table.add(
          setting.name(), setting.text(bound.value()), setting.used(bound.used()), setting.what());
    }
    return String.join("\n", table.lines());
  }

  private static String changes(SiteLimits before, SiteLimits after, Set<Limit> changed) {
    TextTable table = new TextTable("limit", ">before", ">now", ">used", "of");
    for (Setting setting : SETTINGS) {
      SiteLimits.Bound bound = after.bound(setting.limit());
      if (changed.contains(setting.limit())) {
        table.add(
            setting.name(),
            setting.text(before.bound(setting.limit()).value()),
            setting.text(bound.value()),
            setting.used(bound.used()),
            setting.what());
      }
    }
    return String.join("\n", table.lines());
  }

  private static String memory(SiteLimits limits) {
    String shared =
        "state, outbox and exchange may take %s of memory on every device"
            .formatted(Quantities.bytes(limits.sharedBytes()));
    return limits.leastDevice().isEmpty()
        ? shared
        : "%s; device %s has least for them and its tasks: %s"
            .formatted(shared, limits.leastDevice(), Quantities.bytes(limits.leastMemoryBytes()));
  }

  /** What was changed as asked, and may not be as meant. */
  private void warn(SiteLimits after, Set<Limit> changed) {
    PrintStream err = surroundings().err();
    for (Setting setting : SETTINGS) {
      SiteLimits.Bound bound = after.bound(setting.limit());
      if (changed.contains(setting.limit()) && bound.used() > bound.value()) {
        err.printf(
            "sedge: %s are used, more than --%s %s allows: nothing is taken away, and nothing more"
                + " is taken until it is less%n",
            setting.used(bound.used()), setting.name(), setting.text(bound.value()));
      }
    }
    boolean larger = changed.stream().anyMatch(SHARED::contains);
    if (larger && after.sharedBytes() > after.leastMemoryBytes()) {
      err.printf(
          "sedge: %s, so it may run out of memory; give it more (`sedge device start --memory"
              + " SIZE`), or lower --state, --outbox or --exchange%n",
          memory(after));
    }
  }
}
