package io.sedge.cli.internal;

import io.sedge.alarm.Alarm;
import io.sedge.alarm.AlarmAction;
import io.sedge.alarm.AlarmEvent;
import io.sedge.site.DeviceConnection;
import io.sedge.site.api.SiteException;
import io.sedge.task.FailureCode;
import io.sedge.task.Printable;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** What is done to alarms: {@code sedge alarm acknowledge|shelve|unshelve}. */
@Command
abstract class AlarmActionCommand extends ControlCommand {
  @Parameters(
      paramLabel = "ID",
      arity = "0..*",
      description = "Alarms, as `sedge alarm list` numbers them.")
  private List<String> ids = List.of();

  @Option(names = "--all", description = "All that this can be done to.")
  private boolean all;

  @Option(
      names = "--note",
      paramLabel = "TEXT",
      description = "Why; kept with the alarm, together with your name.")
  private @Nullable String note;

  private final AlarmEvent event;
  private final String done;

  AlarmActionCommand(Surroundings surroundings, AlarmEvent event, String done) {
    super(surroundings);
    this.event = event;
    this.done = done;
  }

  /** For how long; zero where that means nothing. */
  Duration shelved() {
    return Duration.ZERO;
  }

  @Override
  void ask(DeviceConnection site, Answers answers) throws SiteException {
    if (all == !ids.isEmpty()) {
      throw new SiteException(
          FailureCode.USAGE,
          "name alarms by their numbers, or say --all: `sedge alarm list` shows them");
    }
    List<AlarmId> named = AlarmId.all(ids, "sedge alarm list");
    List<Alarm> alarms = site.alarms().alarms();
    List<AlarmAction.Target> targets = all ? changed(alarms) : targets(named, alarms);
    int count =
        targets.isEmpty()
            ? 0
            : site.actOnAlarms(
                event,
                targets,
                System.getProperty("user.name", ""),
                shelved(),
                note == null ? "" : note);
    done(
        answers,
        "%d of %s %s %s"
            .formatted(
                count,
                Printable.count(targets.size(), "alarm"),
                count == 1 || targets.size() == 1 ? "is" : "are",
                done),
        Map.of("done", AlarmText.name(event), "alarms", count));
  }

  private List<AlarmAction.Target> changed(List<Alarm> alarms) {
    return alarms.stream()
        .filter(this::isChanged)
        .map(alarm -> new AlarmAction.Target(alarm.id(), alarm.raised()))
        .toList();
  }

  private static List<AlarmAction.Target> targets(List<AlarmId> named, List<Alarm> alarms)
      throws SiteException {
    Set<Long> known = alarms.stream().map(Alarm::id).collect(Collectors.toSet());
    for (AlarmId one : named) {
      if (!known.contains(one.id())) {
        throw new SiteException(
            FailureCode.UNKNOWN_NAME,
            "there is no alarm %s; `sedge alarm list` shows those that there are".formatted(one));
      }
    }
    return named.stream().map(one -> new AlarmAction.Target(one.id(), one.raised())).toList();
  }

  private boolean isChanged(Alarm alarm) {
    return alarm.state().after(event).filter(next -> next != alarm.state()).isPresent();
  }

  /** {@code sedge alarm acknowledge}. */
  @Command(
      name = "acknowledge",
      header = "Says that somebody has seen alarms.",
      description = {
        "17.2 is alarm 17 as it was raised for the second time. If it was raised again since,",
        "it stays unacknowledged. A number alone, or --all, takes what there is, seen or not.",
      },
      footer = {
        "Examples:",
        "  sedge alarm acknowledge 17.2 --note 'fitter is on the way'",
        "  sedge alarm acknowledge --all"
      })
  static final class Acknowledge extends AlarmActionCommand {
    Acknowledge(Surroundings surroundings) {
      super(surroundings, AlarmEvent.ACKNOWLEDGE, "acknowledged");
    }
  }

  /** {@code sedge alarm shelve}. */
  @Command(
      name = "shelve",
      header = "Puts alarms aside for a time, seven days at most.",
      description = {
        "When the time is over, an alarm whose condition still holds is unacknowledged again.",
      },
      footer = {"Example:", "  sedge alarm shelve 17 --for 8h --note 'sensor is being replaced'"})
  static final class Shelve extends AlarmActionCommand {
    @Option(
        names = "--for",
        paramLabel = "TIME",
        required = true,
        converter = DurationConverter.class,
        description = "For how long: 30min, 8h, 2d.")
    private Duration time = Duration.ZERO;

    Shelve(Surroundings surroundings) {
      super(surroundings, AlarmEvent.SHELVE, "shelved");
    }

    @Override
    Duration shelved() {
      return time;
    }
  }

  /** {@code sedge alarm unshelve}. */
  @Command(
      name = "unshelve",
      header = "Takes alarms back that were put aside.",
      footer = {"Example:", "  sedge alarm unshelve 17"})
  static final class Unshelve extends AlarmActionCommand {
    Unshelve(Surroundings surroundings) {
      super(surroundings, AlarmEvent.UNSHELVE, "unshelved");
    }
  }
}
