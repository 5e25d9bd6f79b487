package io.sedge.cli.internal;

import io.sedge.alarm.Alarm;
import io.sedge.alarm.AlarmAction;
import io.sedge.alarm.AlarmEvent;
import io.sedge.site.DeviceConnection;
import io.sedge.site.api.SiteException;
import io.sedge.task.FailureCode;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
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
  private List<Long> ids = List.of();

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
    Predicate<Alarm> named = all ? alarm -> isChanged(alarm) : alarm -> ids.contains(alarm.id());
    List<AlarmAction.Target> targets =
        site.alarms().alarms().stream()
            .filter(named)
            .map(alarm -> new AlarmAction.Target(alarm.id(), alarm.raised()))
            .toList();
    List<Long> unknown =
        ids.stream().filter(id -> targets.stream().noneMatch(target -> target.id() == id)).toList();
    if (!unknown.isEmpty()) {
      throw new SiteException(
          FailureCode.UNKNOWN_NAME,
          "there is no alarm %s; `sedge alarm list` shows those that there are"
              .formatted(unknown.getFirst()));
    }
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
        "%d of %d alarms %s %s".formatted(count, targets.size(), count == 1 ? "is" : "are", done),
        Map.of("done", AlarmText.name(event), "alarms", count));
  }

  private boolean isChanged(Alarm alarm) {
    return alarm.state().after(event).filter(next -> next != alarm.state()).isPresent();
  }

  /** {@code sedge alarm acknowledge}. */
  @Command(
      name = "acknowledge",
      header = "Says that somebody has seen alarms.",
      description = {
        "An alarm that was raised again since you looked stays unacknowledged.",
      },
      footer = {
        "Examples:",
        "  sedge alarm acknowledge 17 --note 'fitter is on the way'",
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
