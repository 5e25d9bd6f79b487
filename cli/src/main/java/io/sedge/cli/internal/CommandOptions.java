package io.sedge.cli.internal;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** What every command takes. */
@Command(
    synopsisHeading = "Usage: ",
    descriptionHeading = "%n",
    parameterListHeading = "%nArguments:%n",
    optionListHeading = "%nOptions:%n",
    commandListHeading = "%nCommands:%n",
    footerHeading = "%n",
    sortOptions = false,
    usageHelpWidth = 96,
    usageHelpAutoWidth = false)
abstract class CommandOptions {
  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      order = 100,
      description = "Show this help.")
  private boolean help;

  @Option(
      names = "--debug",
      order = 99,
      description = "Show stack traces of failures (also: SEDGE_DEBUG=1).")
  private boolean debug;

  boolean help() {
    return help;
  }

  boolean debug() {
    return debug;
  }
}
