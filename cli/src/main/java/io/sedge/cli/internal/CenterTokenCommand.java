package io.sedge.cli.internal;

import io.sedge.center.CenterClient;
import io.sedge.center.CenterException;
import io.sedge.center.api.SiteToken;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code sedge center token}. */
@Command(
    name = "token",
    header = "Makes a token with which one site may report, once.",
    footer = {
      "Examples:",
      "  sedge center token",
      "  sedge center token --site north --valid-for 24h"
    })
final class CenterTokenCommand extends CenterCommand.Answering {
  @Option(
      names = "--site",
      paramLabel = "NAME",
      description = "What the site is to be called (default: what it says itself).")
  private @Nullable String site;

  @Option(
      names = "--valid-for",
      paramLabel = "TIME",
      defaultValue = "1h",
      converter = DurationConverter.class,
      description = "How long it may be used (default: ${DEFAULT-VALUE}; at most 7d).")
  private Duration validFor = Duration.ofHours(1);

  CenterTokenCommand(Surroundings surroundings) {
    super(surroundings);
  }

  @Override
  void ask(CenterClient center, Answers answers) throws CenterException, InterruptedException {
    SiteToken token = center.siteToken(Optional.ofNullable(site), validFor);
    remark(
        "type this on a device of the site, before %s; with --token - or --token-file other users of that machine do not see the token:"
            .formatted(Instant.ofEpochMilli(token.endsAtMillis())));
    show(
        answers,
        token,
        List.of("sedge site report --to %s --token %s".formatted(token.address(), token.token())));
  }
}
