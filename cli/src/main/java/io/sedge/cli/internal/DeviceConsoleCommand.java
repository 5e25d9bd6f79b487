package io.sedge.cli.internal;

import io.sedge.console.ConsoleLink;
import io.sedge.site.api.SiteException;
import io.sedge.task.FailureCode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code sedge device console}. */
@Command(
    name = "console",
    header = "Makes a link that logs in to the console of a device on this machine, once.",
    description = {
      "The device runs with --console. Open the link in a browser on this machine within ten",
      "minutes. Whoever may read the device's directory may make one."
    },
    footer = {"Example:", "  sedge device console --data a"})
final class DeviceConsoleCommand extends CommandOptions implements Callable<Integer> {
  private final Surroundings surroundings;

  @Mixin private final DataDirectory data = new DataDirectory();

  @Mixin private final AnswerOption output = new AnswerOption();

  DeviceConsoleCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public Integer call() throws SiteException {
    Path directory = data.path(surroundings);
    String link = link(directory, surroundings);
    Answers answers = new Answers(surroundings.out());
    if (output.wantsJson()) {
      answers.json(Map.of("link", link));
    } else {
      answers.text(link);
    }
    return 0;
  }

  /** A link that logs in to the console of the device of a directory. */
  static String link(Path directory, Surroundings surroundings) throws SiteException {
    try {
      return ConsoleLink.of(directory, surroundings.clock())
          .orElseThrow(
              () ->
                  new SiteException(
                      FailureCode.DEVICE_NOT_RUNNING,
                      "no device that runs with --console has %s as its directory: start it with `sedge device start --console --data %s`"
                          .formatted(directory, directory)));
    } catch (IOException e) {
      throw new SiteException(
          FailureCode.DIRECTORY_NOT_USABLE,
          "what the device has left in %s cannot be read: %s".formatted(directory, e),
          e);
    }
  }
}
