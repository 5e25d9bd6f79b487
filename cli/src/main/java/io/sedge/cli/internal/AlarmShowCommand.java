package io.sedge.cli.internal;

import io.sedge.alarm.AlarmChange;
import io.sedge.site.DeviceConnection;
import io.sedge.site.api.SiteException;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code sedge alarm show}. */
@Command(
    name = "show",
    header = "Shows what has happened to an alarm, and who did it.",
    footer = {"Example:", "  sedge alarm show 17"})
final class AlarmShowCommand extends ControlCommand {
  @Parameters(
      paramLabel = "ID",
      converter = AlarmId.Converter.class,
      description = "The alarm, as `sedge alarm list` numbers it.")
  private AlarmId alarm = new AlarmId(0, 0);

  AlarmShowCommand(Surroundings surroundings) {
    super(surroundings);
  }

  @Override
  void ask(DeviceConnection site, Answers answers) throws SiteException {
    List<AlarmChange> changes = site.alarmHistory(alarm.id());
    if (wantsJson()) {
      changes.forEach(answers::json);
      return;
    }
    TextTable table = new TextTable("AT (DEVICE'S CLOCK)", "EVENT", "STATE", "BY", "KEY", "WHAT");
    for (AlarmChange change : changes) {
      table.add(
          AlarmText.time(change.atMillis()),
          AlarmText.name(change.event()),
          AlarmText.name(change.state()),
          change.by().isEmpty() ? "-" : AlarmText.printable(change.by()),
          AlarmText.printable(change.key()),
          change.note().isEmpty()
              ? AlarmText.what(change.value(), change.message())
              : AlarmText.printable(change.note()));
    }
    answers.text(String.join("\n", table.lines()));
  }
}
