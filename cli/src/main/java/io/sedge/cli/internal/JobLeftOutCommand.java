package io.sedge.cli.internal;

import io.sedge.site.DeviceConnection;
import io.sedge.site.api.SiteException;
import io.sedge.site.api.SiteLeftOut;
import io.sedge.task.LeftOut;
import io.sedge.task.Printable;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code sedge job left-out}. */
@Command(
    name = "left-out",
    header = "Shows what a job has left out on the devices of the site, and why.",
    description = {
      "Malformed payloads, rows that an expression failed for, rows without a time, rows that a",
      "sink did not take: each reason with how many, the devices, and the first of them. A device",
      "counts since it has had the tasks of this script. One that cannot be asked is named on",
      "standard error."
    },
    footer = {"Example:", "  sedge job left-out plant"})
final class JobLeftOutCommand extends ControlCommand {
  @Parameters(paramLabel = "NAME", description = "The job, as `sedge job list` names it.")
  private String name = "";

  JobLeftOutCommand(Surroundings surroundings) {
    super(surroundings);
  }

  /** A reason, and the devices that have met it; see {@link LeftOut}. */
  record Told(
      String table,
      LeftOut.What what,
      String reason,
      String sample,
      long count,
      List<String> devices) {
    static Told of(SiteLeftOut.Reason reason) {
      LeftOut out = reason.leftOut();
      return new Told(
          out.table(), out.what(), out.reason(), out.sample(), out.count(), reason.devices());
    }
  }

  /** How many were left out for reasons that are not told. */
  record Others(long others) {}

  @Override
  void ask(DeviceConnection site, Answers answers) throws SiteException {
    SiteLeftOut leftOut = site.leftOut(name);
    leftOut
        .missing()
        .forEach(
            (device, why) ->
                new UnavailableDevice(device, why).tell(surroundings(), answers, wantsJson()));
    if (wantsJson()) {
      leftOut.reasons().forEach(reason -> answers.json(Told.of(reason)));
    } else {
      leftOut.reasons().forEach(reason -> answers.text(text(reason)));
    }
    if (leftOut.reasons().isEmpty() && leftOut.missing().isEmpty()) {
      surroundings().err().println("sedge: nothing was left out");
    }
    if (leftOut.others() > 0) {
      tellOthers(leftOut.others(), answers);
    }
  }

  /** Says it on standard error, and to programs after the lines of the reasons. */
  private void tellOthers(long others, Answers answers) {
    surroundings()
        .err()
        .println("sedge: %,d more were left out, for further reasons".formatted(others));
    if (wantsJson()) {
      answers.json(new Others(others));
    }
  }

  private static String text(SiteLeftOut.Reason reason) {
    LeftOut out = reason.leftOut();
    String sample =
        out.sample().isEmpty() ? "" : "  sample: %s\n".formatted(Printable.text(out.sample()));
    return "table %s: %s: %,d, on %s\n  reason: %s\n%s"
        .formatted(
            Printable.text(out.table()),
            out.what().many(),
            out.count(),
            Printable.text(String.join(", ", reason.devices())),
            Printable.text(out.reason()),
            sample);
  }
}
