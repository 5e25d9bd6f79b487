package io.sedge.cli.internal;

import io.sedge.site.api.SiteException;
import io.sedge.task.FailureCode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The token that lets something in, given in one of the ways that nobody else sees, or typed. */
final class TokenOptions {
  static final String VARIABLE = "SEDGE_TOKEN";

  @Option(
      names = "--token",
      paramLabel = "TOKEN",
      order = 0,
      description = {
        "The token; used once. Whoever looks at this machine's",
        "processes sees it: - reads it from standard input."
      })
  private @Nullable String token;

  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      order = 0,
      description = "A file with the token. Default: $SEDGE_TOKEN.")
  private @Nullable String tokenFile;

  /** Whether one of the options was given. */
  boolean given() {
    return token != null || tokenFile != null;
  }

  /**
   * Read once, since standard input ends; what it is for may take several attempts.
   *
   * @param command that needs it, for messages
   * @param maker the command that makes one
   */
  String read(Surroundings surroundings, String command, String maker) throws SiteException {
    if (token != null && tokenFile != null) {
      throw new SiteException(
          FailureCode.USAGE, "--token and --token-file are two tokens; give one of them");
    }
    if (tokenFile != null) {
      token = OptionFile.read("--token-file", tokenFile, surroundings);
      tokenFile = null;
    } else if (token == null) {
      token = surroundings.environment().getOrDefault(VARIABLE, "");
    } else if (token.equals(Script.STANDARD_INPUT)) {
      token = fromInput(surroundings);
    }
    if (token.isBlank()) {
      throw new SiteException(
          FailureCode.USAGE,
          "`%s` needs a token, which `%s` makes: give --token-file FILE, --token - with the token on standard input, or $%s"
              .formatted(command, maker, VARIABLE));
    }
    return token;
  }

  private static String fromInput(Surroundings surroundings) throws SiteException {
    try {
      return new String(surroundings.in().readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new SiteException(
          FailureCode.FILE_NOT_READABLE, "standard input cannot be read: " + e, e);
    }
  }
}
