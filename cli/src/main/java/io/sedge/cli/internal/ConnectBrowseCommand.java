package io.sedge.cli.internal;

import io.sedge.cli.internal.connect.Proposal;
import io.sedge.task.FailureClass;
import io.sedge.task.JobException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
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
    header = "Shows what a broker, server or database has, and writes the CREATE TABLE for it.",
    description = {
      "Listens to an MQTT broker for a while, walks through an OPC UA server, or lists the topics",
      "of Kafka or the tables of a database. What was found goes to standard error, a script that",
      "reads it to standard output. Nothing is written there or made there, and no session, group",
      "or message of anybody else is touched."
    },
    footer = {
      "Examples:",
      "  sedge connect browse mqtt://localhost:1883",
      "  sedge connect browse mqtt://localhost:1883 --topic 'plant/#' --time 1min > plant.sql",
      "  sedge connect browse opc.tcp://10.0.0.5:4840",
      "  sedge connect browse kafka://localhost:9092 --topic readings > readings.sql",
      "  sedge connect browse jdbc:sqlite:plant.db --table machines",
      "  sedge connect browse jdbc:postgresql://db:5432/results --option username=line3 \\",
      "    --option 'password=$${secret:results}' --secrets-file secrets",
      "",
      "Exit codes: 0 something was found, 2 wrong usage, 3 nothing was found, or the far end"
          + " failed."
    })
final class ConnectBrowseCommand extends CommandOptions implements Callable<Integer> {
  private static final String ALL_TOPICS = "#";

  private final Surroundings surroundings;

  @Parameters(
      paramLabel = "URL",
      description = {
        "mqtt://HOST:1883, mqtts://HOST:8883, opc.tcp://HOST:4840,",
        "kafka://HOST:9092, jdbc:postgresql://HOST:5432/NAME,",
        "jdbc:mariadb://HOST:3306/NAME or jdbc:sqlite:FILE."
      })
  private String url = "";

  @Option(
      names = {"--topic", "--table"},
      paramLabel = "NAME",
      description = {
        "What is looked at (default: all): topics of MQTT, such as plant/#;",
        "one topic of Kafka; one table of a database."
      })
  private @Nullable String name;

  @Option(
      names = "--time",
      paramLabel = "TIME",
      converter = DurationConverter.class,
      description = {
        "For how long at most (default: of MQTT 10s; else 30s, or until",
        "nothing new is found)."
      })
  private @Nullable Duration time;

  @Option(
      names = "--option",
      paramLabel = "KEY=VALUE",
      description = {
        "An option of the table, as in WITH (…): a user name, certificates,",
        "a security policy; may be repeated. Of Kafka such as",
        "properties.security.protocol=SASL_SSL."
      })
  private Map<String, String> given = new LinkedHashMap<>();

  @Mixin private final RunSecrets secrets = new RunSecrets();

  @Mixin private final DataDirectory data = new DataDirectory();

  ConnectBrowseCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public Integer call() throws JobException, InterruptedException {
    Optional<String> script =
        Exploring.isFor(url)
            ? new Exploring(surroundings, secrets)
                .script(url, Optional.ofNullable(name), given, Optional.ofNullable(time))
            : new Browsing(surroundings, secrets, data.path(surroundings))
                .propose(
                    new Browsing.Place(
                        url,
                        Objects.requireNonNullElse(name, ALL_TOPICS),
                        given,
                        Optional.ofNullable(time)))
                .map(Proposal::script);
    if (script.isEmpty()) {
      return FailureClass.EXTERNAL.exitCode();
    }
    new Answers(surroundings.out()).text(script.get());
    return 0;
  }
}
