package io.sedge.cli.internal;

import io.sedge.center.CenterClient;
import io.sedge.center.CenterException;
import io.sedge.site.api.SiteException;
import io.sedge.task.FailureCode;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Which center is asked: one of this machine by its directory, or one anywhere by a token. */
final class CenterAddress {
  private static final String VARIABLE = "SEDGE_CENTER_TOKEN";

  @Mixin private final CenterDirectory data = new CenterDirectory();

  @Option(
      names = "--at",
      paramLabel = "URL",
      order = 92,
      description = "Ask the center at https://HOST:PORT, with a token.")
  private @Nullable String at;

  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      order = 93,
      description = "A file with the token for --at. Default: $SEDGE_CENTER_TOKEN.")
  private @Nullable String tokenFile;

  @Option(
      names = "--ca",
      paramLabel = "FILE",
      order = 94,
      description = {
        "The center's authority/certificate.pem, to know it by (default: what",
        "this machine trusts)."
      })
  private @Nullable Path authority;

  CenterClient client(Surroundings surroundings) throws CenterException, SiteException {
    if (at == null) {
      if (tokenFile != null || authority != null) {
        throw new SiteException(
            FailureCode.USAGE, "--token-file and --ca belong to --at URL, which is not given");
      }
      return CenterClient.local(data.path(surroundings));
    }
    return CenterClient.of(
        address(at),
        token(surroundings),
        Optional.ofNullable(authority).map(surroundings.directory()::resolve));
  }

  private static URI address(String text) throws SiteException {
    try {
      return URI.create(text);
    } catch (IllegalArgumentException e) {
      throw new SiteException(
          FailureCode.USAGE, "--at=%s is no address: write https://HOST:PORT".formatted(text), e);
    }
  }

  private String token(Surroundings surroundings) throws SiteException {
    String token =
        tokenFile == null
            ? surroundings.environment().getOrDefault(VARIABLE, "")
            : OptionFile.read("--token-file", tokenFile, surroundings);
    if (token.isBlank()) {
      throw new SiteException(
          FailureCode.USAGE,
          "--at needs a token, which `sedge center access add` makes: give --token-file FILE or $%s"
              .formatted(VARIABLE));
    }
    return token;
  }
}
