package io.sedge.cli.internal;

import io.sedge.site.CenterEnrolment;
import io.sedge.site.DeviceConnection;
import io.sedge.site.api.SecretStatus;
import io.sedge.site.api.SiteException;
import io.sedge.task.FailureCode;
import io.sedge.uplink.SiteCredential;
import java.security.GeneralSecurityException;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code sedge site report}. */
@Command(
    name = "report",
    header = "Has the site report to a center: enrols it there, once.",
    description = {
      "The site gets a certificate of the center, which it keeps as the secret `center`, for all"
          + " its",
      "devices, and renews by itself. Tables of a script then go to the center:",
      "  'connector' = 'center', 'credential' = '$${secret:center}'"
    },
    footer = {
      "Examples:",
      "  sedge site report --to 10.0.0.2:7440 --token-file /run/token",
      "  sedge site report --to 127.0.0.1:7440 --token sedge-... --as north --data a",
      "  sedge site report --to 10.0.0.2:7440 --token - --uplink 256k"
    })
final class SiteReportCommand extends ControlCommand {
  @Option(
      names = "--to",
      required = true,
      paramLabel = "HOST:PORT",
      description = "Where the center listens for sites, as `sedge center start` says.")
  private String center = "";

  @Mixin private final TokenOptions token = new TokenOptions();

  @Option(
      names = "--as",
      paramLabel = "NAME",
      defaultValue = "",
      description = "What the center calls the site (default: what its token is for).")
  private String name = "";

  @Option(
      names = "--uplink",
      paramLabel = "SIZE",
      defaultValue = "0k",
      converter = MemoryConverter.class,
      description = {
        "The most bytes that a device sends to it in a second, as 256k",
        "(default: no limit)."
      })
  private long limit;

  SiteReportCommand(Surroundings surroundings) {
    super(surroundings);
  }

  @Override
  void ask(DeviceConnection site, Answers answers) throws SiteException, InterruptedException {
    String secret = token.read(surroundings(), "sedge site report", "sedge center token");
    SiteCredential credential =
        CenterEnrolment.enrol(
            center, secret, name, site.status().site(), limit, surroundings().clock());
    SecretStatus status = site.setSecret(SiteCredential.SECRET, text(credential));
    done(
        answers,
        "the site reports to %s as %s".formatted(center, credential.site()),
        Map.of("center", center, "site", credential.site()));
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
