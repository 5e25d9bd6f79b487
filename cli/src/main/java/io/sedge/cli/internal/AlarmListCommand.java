package io.sedge.cli.internal;

import io.sedge.alarm.Alarm;
import io.sedge.alarm.AlarmCounts;
import io.sedge.alarm.AlarmList;
import io.sedge.site.DeviceConnection;
import io.sedge.site.api.SiteException;
import picocli.CommandLine.Command;

/** {@code sedge alarm list}. */
@Command(
    name = "list",
    header = "Shows the alarms of the site, those that ask for attention first.",
    footer = {
      "Examples:",
      "  sedge alarm list",
      "  sedge alarm list --output json | jq 'select(.state == \"UNACKNOWLEDGED\")'"
    })
final class AlarmListCommand extends ControlCommand {
  AlarmListCommand(Surroundings surroundings) {
    super(surroundings);
  }

  @Override
  void ask(DeviceConnection site, Answers answers) throws SiteException {
    AlarmList list = site.alarms();
    if (wantsJson()) {
      list.alarms().forEach(answers::json);
      return;
    }
    if (list.alarms().isEmpty()) {
      surroundings().err().println("sedge: the site has no alarms");
    } else {
      TextTable table =
          new TextTable(
              ">ID", "PRIORITY", "STATE", AlarmText.RAISED, "JOB", "TABLE", "KEY", "WHAT");
      for (Alarm alarm : list.alarms()) {
        table.add(
            new AlarmId(alarm.id(), alarm.raised()).toString(),
            AlarmText.name(alarm.priority()),
            AlarmText.state(alarm),
            AlarmText.time(alarm.raisedAtMillis()),
            alarm.job(),
            alarm.table(),
            AlarmText.printable(alarm.key()),
            AlarmText.what(alarm.value(), alarm.message()));
      }
      answers.text(String.join("\n", table.lines()));
    }
    warn(list.counts());
  }

  private void warn(AlarmCounts counts) {
    if (counts.flood()) {
      surroundings()
          .err()
          .printf(
              "sedge: a flood: %d alarms in the last ten minutes%n", counts.raisedInTenMinutes());
    }
    if (counts.refused() > 0) {
      surroundings()
          .err()
          .printf(
              "sedge: %d alarms were not taken in, since there were as many as there may be%n",
              counts.refused());
    }
  }
}
