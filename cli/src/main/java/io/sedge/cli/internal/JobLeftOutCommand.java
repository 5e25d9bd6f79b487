package io.sedge.cli.internal;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
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

  /** A reason, and the devices that have met it. */
  record Told(@JsonUnwrapped LeftOut leftOut, List<String> devices) {}

  @Override
  void ask(DeviceConnection site, Answers answers) throws SiteException {
    SiteLeftOut leftOut = site.leftOut(name);
    leftOut
        .missing()
        .forEach(
            (device, why) ->
                new UnavailableDevice(device, why).tell(surroundings(), answers, wantsJson()));
    if (wantsJson()) {
      leftOut
          .reasons()
          .forEach(reason -> answers.json(new Told(reason.leftOut(), reason.devices())));
    } else {
      leftOut.reasons().forEach(reason -> answers.text(text(reason)));
    }
    if (leftOut.reasons().isEmpty() && leftOut.missing().isEmpty()) {
      surroundings().err().println("sedge: nothing was left out");
    }
    if (leftOut.others() > 0) {
      surroundings()
          .err()
          .println(
              "sedge: %,d more were left out, for further reasons".formatted(leftOut.others()));
    }
  }

  private static String text(SiteLeftOut.Reason reason) {
    LeftOut out = reason.leftOut();
    String sample =
        out.sample().isEmpty() ? "" : "  sample: %s\n".formatted(Printable.text(out.sample()));
    return "table %s: %s: %,d, on %s\n  reason: %s\n%s"
        .formatted(
            out.table(),
            out.what().many(),
            out.count(),
            String.join(", ", reason.devices()),
            Printable.text(out.reason()),
            sample);
  }
}
