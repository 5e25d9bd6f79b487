package io.sedge.cli.internal;

import io.sedge.site.Device;
import io.sedge.site.api.DeviceOptions;
import io.sedge.site.api.SiteException;
import io.sedge.task.FailureCode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code sedge device join}. */
@Command(
    name = "join",
    header = "Starts a device that joins a site.",
    description = {
      "Runs until Ctrl-C; later `sedge device start` brings it back. If it is cut off, it may be",
      "repeated with the same token and directory."
    },
    footer = {
      "Examples:",
      "  sedge device join 10.0.0.7:7411 --token-file /run/token --data /var/lib/sedge",
      "  sedge device join 127.0.0.1:7411 --token sedge-... --data b --name b"
    })
final class DeviceJoinCommand extends DeviceProcess {
  private static final String VARIABLE = "SEDGE_TOKEN";

  @Parameters(
      paramLabel = "HOST:PORT",
      description = "Where newcomers ask, as `sedge device token` on the site says.")
  private String through = "";

  @Option(
      names = "--token",
      paramLabel = "TOKEN",
      order = 0,
      description = {
        "What `sedge device token` made; used once. Whoever looks at this",
        "machine's processes sees it: - reads it from standard input."
      })
  private @Nullable String token;

  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      order = 0,
      description = "A file with the token. Default: $SEDGE_TOKEN.")
  private @Nullable String tokenFile;

  DeviceJoinCommand(Surroundings surroundings) {
    super(surroundings);
  }

  /** The address by which this machine reaches the site is one by which the site reaches it. */
  @Override
  String defaultHost() throws SiteException {
    return Device.ownHostTowards(through);
  }

  @Override
  Device start(DeviceOptions options) throws SiteException {
    return Device.join(
        options, through, token(), connectors(), surroundings().clock(), this::report);
  }

  /** Read once, since standard input ends; a join may take several attempts. */
  private String token() throws SiteException {
    if (token != null && tokenFile != null) {
      throw new SiteException(
          FailureCode.USAGE, "--token and --token-file are two tokens; give one of them");
    }
    if (tokenFile != null) {
      token = OptionFile.read("--token-file", tokenFile, surroundings());
      tokenFile = null;
    } else if (token == null) {
      token = surroundings().environment().getOrDefault(VARIABLE, "");
    } else if (token.equals(Script.STANDARD_INPUT)) {
      token = fromInput();
    }
    if (token.isBlank()) {
      throw new SiteException(
          FailureCode.USAGE,
          "`sedge device join` needs a token, which `sedge device token` on the site makes: give --token-file FILE, --token - with the token on standard input, or $%s"
              .formatted(VARIABLE));
    }
    return token;
  }

  private String fromInput() throws SiteException {
    try {
      return new String(surroundings().in().readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new SiteException(
          FailureCode.FILE_NOT_READABLE, "standard input cannot be read: " + e, e);
    }
  }

  @Override
  boolean showsToken(boolean known) {
    return false;
  }
}
