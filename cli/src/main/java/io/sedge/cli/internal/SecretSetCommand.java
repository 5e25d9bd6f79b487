package io.sedge.cli.internal;

import io.sedge.site.DeviceConnection;
import io.sedge.site.api.SecretStatus;
import io.sedge.site.api.SiteException;
import io.sedge.task.FailureCode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code sedge secret set}. */
@Command(
    name = "set",
    header = "Gives the site a secret, or another value for one, sealed in the ledger.",
    description = {
      "In a terminal the value is asked for and not shown. Elsewhere it is standard input, without",
      "the end of its last line. A script names it in the options of a table:",
      "  'password' = '$${secret:NAME}'",
      "Jobs take another value when their tables are opened next. To have it taken at once:",
      "  sedge job pause JOB && sedge job resume JOB"
    },
    footer = {
      "Examples:",
      "  sedge secret set mqtt",
      "  sedge secret set mqtt --value-file /run/mqtt-password",
      "  pass show plant/mqtt | sedge secret set mqtt"
    })
final class SecretSetCommand extends ControlCommand {
  @Parameters(
      paramLabel = "NAME",
      description = "1 to 64 letters, digits, '.', '_' and '-', a letter first.")
  private String name = "";

  @Option(
      names = "--value-file",
      paramLabel = "FILE",
      description = "A file with the value, instead of standard input.")
  private @Nullable String file;

  SecretSetCommand(Surroundings surroundings) {
    super(surroundings);
  }

  @Override
  void ask(DeviceConnection site, Answers answers) throws SiteException {
    SecretStatus status = site.setSecret(name, withoutLineEnd(value()));
    if (wantsJson()) {
      answers.json(status);
      return;
    }
    surroundings().err().println("sedge: secret %s is set".formatted(name));
    SecretText.say(status, surroundings());
  }

  private String value() throws SiteException {
    if (file != null) {
      return OptionFile.read("--value-file", file, surroundings());
    }
    try {
      Optional<String> typed = surroundings().prompt().ask("Value of secret %s: ".formatted(name));
      return typed.isPresent()
          ? typed.get()
          : new String(surroundings().in().readAllBytes(), StandardCharsets.UTF_8);
    } catch (IllegalStateException e) {
      throw new SiteException(
          FailureCode.USAGE,
          "%s: give the value with --value-file, or by a pipe".formatted(e.getMessage()),
          e);
    } catch (IOException e) {
      throw new SiteException(
          FailureCode.FILE_NOT_READABLE, "standard input cannot be read: " + e, e);
    }
  }

  /** Editors and {@code echo} add one that nobody means. */
  private static String withoutLineEnd(String value) {
    if (value.endsWith("\r\n")) {
      return value.substring(0, value.length() - 2);
    }
    return value.endsWith("\n") ? value.substring(0, value.length() - 1) : value;
  }
}
