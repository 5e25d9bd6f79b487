package io.sedge.cli.internal;

import io.sedge.site.DeviceConnection;
import io.sedge.site.api.JoinToken;
import io.sedge.site.api.SiteException;
import io.sedge.task.FailureCode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code sedge device token}. */
@Command(
    name = "token",
    header = "Makes a token with which one device may join, once.",
    footer = {
      "Examples:",
      "  sedge device token --data a",
      "  sedge device token --valid-for 24h",
      "  sedge device token --count 2 > tokens"
    })
final class DeviceTokenCommand extends ControlCommand {
  static final Duration DEFAULT_LIFE = Duration.ofHours(1);
  private static final int MOST = 16;

  @Option(
      names = "--valid-for",
      paramLabel = "TIME",
      defaultValue = "1h",
      converter = DurationConverter.class,
      description = "How long it may be used (default: ${DEFAULT-VALUE}; at most 7d).")
  private Duration validFor = DEFAULT_LIFE;

  @Option(
      names = "--count",
      paramLabel = "NUMBER",
      description = {
        "Make so many tokens, and show them alone, one a line: what",
        "`sedge device start --token-file` reads. At most 16."
      })
  private @Nullable Integer count;

  DeviceTokenCommand(Surroundings surroundings) {
    super(surroundings);
  }

  /** What to type on the next device. */
  static String command(JoinToken token) {
    return "sedge device join %s --token %s".formatted(token.address(), token.text());
  }

  @Override
  void ask(DeviceConnection site, Answers answers) throws SiteException {
    if (count != null) {
      showAlone(site, answers, count);
      return;
    }
    JoinToken token = site.token(validFor);
    if (wantsJson()) {
      answers.json(token);
    } else {
      surroundings()
          .err()
          .printf(
              "sedge: type this on the device that is to join, before %s; with --token - or"
                  + " --token-file other users of that machine do not see the token:%n",
              Instant.ofEpochMilli(token.endsAtMillis()));
      answers.text(command(token));
    }
  }

  private void showAlone(DeviceConnection site, Answers answers, int number) throws SiteException {
    if (number < 1 || number > MOST) {
      throw new SiteException(
          FailureCode.USAGE, "--count=%d is not from 1 to %d".formatted(number, MOST));
    }
    List<JoinToken> tokens = new ArrayList<>();
    for (int made = 0; made < number; made++) {
      tokens.add(site.token(validFor));
    }
    if (wantsJson()) {
      tokens.forEach(answers::json);
    } else {
      tokens.forEach(token -> answers.text(token.text()));
    }
  }
}
