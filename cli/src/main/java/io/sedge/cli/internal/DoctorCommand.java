package io.sedge.cli.internal;

import io.sedge.cli.internal.doctor.Doctor;
import io.sedge.cli.internal.doctor.Finding;
import io.sedge.cli.internal.doctor.Grade;
import io.sedge.site.Device;
import io.sedge.site.DeviceConnection;
import io.sedge.site.api.SiteException;
import io.sedge.task.FailureClass;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code sedge doctor}. */
@Command(
    name = "doctor",
    header = "Looks whether this machine is fit to be a device, and says what to do.",
    description = {
      "Memory, clock, disk and how fast it is, limits, ports, network; of a device that is here",
      "already its certificate too. Writes 16 MB for a moment where the device's data is to be."
    },
    footer = {
      "Examples:",
      "  sedge doctor",
      "  sudo -u sedge sedge doctor --data /var/lib/sedge      as the service's user sees it",
      "",
      "Brokers and servers that a script names: `sedge connect test FILE`.",
      "Exit codes: 0 nothing stands in the way, 3 something does."
    })
final class DoctorCommand extends CommandOptions implements Callable<Integer> {
  private static final String ANY_HOST = "0.0.0.0";

  private final Surroundings surroundings;

  @Mixin private final DataDirectory data = new DataDirectory();

  @Mixin private final AnswerOption output = new AnswerOption();

  DoctorCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public Integer call() throws SiteException {
    Path directory = data.path(surroundings);
    Answers answers = new Answers(surroundings.out());
    List<Finding> findings = new ArrayList<>();
    new Doctor(
            directory,
            device(directory),
            Posix.clockIsKept(),
            surroundings.clock(),
            surroundings.nanoClock())
        .examine(
            finding -> {
              findings.add(finding);
              show(finding, answers);
            },
            ListenAddress.FIRST_PORT,
            DoctorCommand::freePort);
    long failures = count(findings, Grade.FAILURE);
    long warnings = count(findings, Grade.WARNING);
    surroundings
        .err()
        .println(
            failures + warnings == 0
                ? "sedge: nothing stands in the way"
                : "sedge: %d %s, %d %s"
                    .formatted(
                        failures,
                        failures == 1 ? "failure" : "failures",
                        warnings,
                        warnings == 1 ? "warning" : "warnings"));
    return failures == 0 ? 0 : FailureClass.EXTERNAL.exitCode();
  }

  private static long count(List<Finding> findings, Grade grade) {
    return findings.stream().filter(finding -> finding.grade() == grade).count();
  }

  private void show(Finding finding, Answers answers) {
    if (output.wantsJson()) {
      Map<String, String> object = new LinkedHashMap<>();
      object.put("subject", finding.subject());
      object.put("grade", finding.grade().name().toLowerCase(Locale.ROOT));
      object.put("text", finding.text());
      object.put("remedy", finding.remedy());
      answers.json(object);
      return;
    }
    answers.text(
        "%-8s %-12s %s%s"
            .formatted(
                finding.grade().word(),
                finding.subject(),
                finding.text(),
                finding.remedy().isEmpty() ? "" : "\n" + " ".repeat(22) + finding.remedy()));
  }

  private static Optional<Integer> freePort() {
    try {
      return Optional.of(ListenAddress.free(ANY_HOST).port());
    } catch (SiteException e) {
      return Optional.empty();
    }
  }

  private static Optional<Doctor.Device> device(Path directory) throws SiteException {
    return Device.in(directory).map(known -> device(known, runs(directory)));
  }

  private static Doctor.Device device(Device.Known known, boolean running) {
    List<Integer> taken =
        Stream.of(known.port(), known.enrolmentPort())
            .filter(port -> !running && !ListenAddress.isFree(known.host(), port))
            .toList();
    return new Doctor.Device(running, known.host(), taken, known.certificate());
  }

  private static boolean runs(Path directory) {
    try (DeviceConnection _ = DeviceConnection.to(directory)) {
      return true;
    } catch (SiteException e) {
      return false;
    }
  }
}
