package io.sedge.cli.internal;

import io.sedge.cli.internal.connect.Proposal;
import io.sedge.task.FailureClass;
import io.sedge.task.JobException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code sedge connect browse}. */
@Command(
    name = "browse",
    header = "Shows what a broker or server has, and writes the CREATE TABLE for it.",
    description = {
      "Listens to an MQTT broker for a while, or walks through an OPC UA server. What was found"
          + " goes to",
      "standard error, a script that reads it to standard output. Nothing is written, and no"
          + " session or",
      "message of anybody else is touched."
    },
    footer = {
      "Examples:",
      "  sedge connect browse mqtt://localhost:1883",
      "  sedge connect browse mqtt://localhost:1883 --topic 'plant/#' --time 1min > plant.sql",
      "  sedge connect browse opc.tcp://10.0.0.5:4840",
      "  sedge connect browse mqtts://broker:8883 --option username=line3 \\",
      "    --option 'password=$${secret:broker}' --secrets-file secrets",
      "",
      "Exit codes: 0 something was found, 2 wrong usage, 3 nothing was found, or the far end"
          + " failed."
    })
final class ConnectBrowseCommand extends CommandOptions implements Callable<Integer> {
  private final Surroundings surroundings;

  @Parameters(
      paramLabel = "URL",
      description = "mqtt://HOST:1883, mqtts://HOST:8883 or opc.tcp://HOST:4840.")
  private String url = "";

  @Option(
      names = "--topic",
      paramLabel = "FILTER",
      defaultValue = "#",
      description = "The topics that are listened to (default: ${DEFAULT-VALUE}, all of them).")
  private String topic = "#";

  @Option(
      names = "--time",
      paramLabel = "TIME",
      converter = DurationConverter.class,
      description = {
        "For how long (default: 10s; of a server 30s, or until nothing new",
        "is found)."
      })
  private @Nullable Duration time;

  @Option(
      names = "--option",
      paramLabel = "KEY=VALUE",
      description = {
        "An option of the table, as in WITH (…): a user name, certificates,",
        "a security policy; may be repeated."
      })
  private Map<String, String> given = new LinkedHashMap<>();

  @Mixin private final RunSecrets secrets = new RunSecrets();

  @Mixin private final DataDirectory data = new DataDirectory();

  ConnectBrowseCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public Integer call() throws JobException, InterruptedException {
    Optional<Proposal> found =
        new Browsing(surroundings, secrets, data.path(surroundings))
            .propose(new Browsing.Place(url, topic, given, Optional.ofNullable(time)));
    if (found.isEmpty()) {
      return FailureClass.EXTERNAL.exitCode();
    }
    new Answers(surroundings.out()).text(found.get().script());
    return 0;
  }
}
