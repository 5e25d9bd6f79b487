package io.sedge.cli.internal;

import io.sedge.site.CenterEnrolment;
import io.sedge.site.DeviceConnection;
import io.sedge.site.api.SecretStatus;
import io.sedge.site.api.SiteException;
import io.sedge.task.FailureCode;
import io.sedge.task.JobException;
import io.sedge.uplink.SiteCredential;
import io.sedge.uplink.TopicRoute;
import java.security.GeneralSecurityException;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code sedge site report}. */
@Command(
    name = "report",
    header = "Has the site report to a center, or to topics of Kafka.",
    description = {
      "Tables of a script then go there, each row once:",
      "  'connector' = 'center', 'credential' = '$${secret:center}'",
      "A center gives the site a certificate, which it keeps as the secret `center`, for all its",
      "devices, and renews by itself. For Kafka that secret says where the brokers are and how to",
      "log in; each table is a topic, with rows as JSON."
    },
    footer = {
      "Examples:",
      "  sedge site report --to 10.0.0.2:7440 --token-file /run/token",
      "  sedge site report --to 127.0.0.1:7440 --token sedge-... --as north --data a",
      "  sedge site report --to 10.0.0.2:7440 --token - --uplink 256k",
      "  sedge site report --to kafka://10.0.0.5:9092 --as north",
      "  sedge site report --to kafka://kafka.plant:9093 --as north --properties client.properties"
    })
final class SiteReportCommand extends ControlCommand {
  @Option(
      names = "--to",
      required = true,
      paramLabel = "ADDRESS",
      description = {
        "HOST:PORT where the center listens for sites, as",
        "`sedge center start` says; or kafka://HOST:9092, several",
        "with commas between."
      })
  private String address = "";

  @Mixin private final TokenOptions token = new TokenOptions();

  @Mixin private final TopicOptions topics = new TopicOptions();

  @Option(
      names = "--as",
      paramLabel = "NAME",
      defaultValue = "",
      description = {
        "What the center calls the site (default: what its token",
        "is for). For Kafka: what rows have as `_site`."
      })
  private String name = "";

  @Option(
      names = "--uplink",
      paramLabel = "SIZE",
      defaultValue = "0k",
      converter = MemoryConverter.class,
      description = {
        "The most bytes that a device sends to a center in a",
        "second, as 256k (default: no limit). Kafka has quotas."
      })
  private long limit;

  SiteReportCommand(Surroundings surroundings) {
    super(surroundings);
  }

  @Override
  void ask(DeviceConnection site, Answers answers)
      throws SiteException, JobException, InterruptedException {
    if (TopicOptions.isFor(address)) {
      reportToTopics(site, answers);
    } else {
      topics.refuseForCenter();
      reportToCenter(site, answers);
    }
  }

  private void reportToCenter(DeviceConnection site, Answers answers)
      throws SiteException, InterruptedException {
    String secret = token.read(surroundings(), "sedge site report", "sedge center token");
    SiteCredential credential =
        CenterEnrolment.enrol(
            address, secret, name, site.status().site(), limit, surroundings().clock());
    SecretStatus status = site.setSecret(SiteCredential.SECRET, text(credential));
    done(
        answers,
        "the site reports to %s as %s".formatted(address, credential.site()),
        Map.of("center", address, "site", credential.site()));
    say(status);
  }

  private void reportToTopics(DeviceConnection site, Answers answers)
      throws SiteException, JobException {
    if (token.given() || limit > 0) {
      throw new JobException(
          FailureCode.USAGE,
          token.given()
              ? "--token is for a center; a login of Kafka's stands in --properties FILE"
              : "--uplink is for a center; for Kafka set a quota at the brokers, of"
                  + " producer_byte_rate");
    }
    String secret = topics.secret();
    TopicRoute route = topics.route(address, name, surroundings());
    boolean replaces = site.secrets().stream().anyMatch(known -> known.name().equals(secret));
    SecretStatus status = site.setSecret(secret, route.text());
    done(
        answers,
        "tables with 'credential' = '${secret:%s}' go to topics %s* of Kafka at %s, as site %s"
            .formatted(secret, route.prefix(), route.servers(), route.site()),
        Map.of(
            "kafka", route.servers(),
            "topics", route.prefix(),
            "site", route.site(),
            "secret", secret));
    if (replaces && secret.equals(SiteCredential.SECRET) && !wantsJson()) {
      surroundings()
          .err()
          .println(
              "sedge: the secret center had another value: if the site had a center, that gets no"
                  + " rows any more, gives no orders and hears of no alarms. --secret NAME keeps"
                  + " both");
    }
    say(status);
  }

  private void say(SecretStatus status) {
    if (!wantsJson()) {
      SecretText.say(status, surroundings());
    }
  }

  private static String text(SiteCredential credential) throws SiteException {
    try {
      return credential.text();
    } catch (GeneralSecurityException e) {
      throw new SiteException(
          FailureCode.INTERNAL_ERROR, "a certificate that has no encoding: " + e, e);
    }
  }
}
