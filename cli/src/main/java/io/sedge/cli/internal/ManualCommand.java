package io.sedge.cli.internal;

import io.sedge.site.api.BuildVersion;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;

/**
 * {@code sedge manual}, for whoever makes packages: the help of all commands as the page sedge(1),
 * in the language of man(7).
 */
@Command(
    name = "manual",
    hidden = true,
    header = "Writes the manual page, for packages: the help of all commands.",
    footer = {"Examples:", "  sedge manual | gzip -9n > sedge.1.gz"})
final class ManualCommand extends CommandOptions implements Callable<Integer> {
  private final Surroundings surroundings;

  ManualCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public Integer call() {
    CommandLine root = SedgeCommand.commandLine(surroundings);
    PrintStream out = new PrintStream(surroundings.out(), true, StandardCharsets.UTF_8);
    out.printf(".TH SEDGE 1 \"\" \"Sedge %s\"%n", text(BuildVersion.ofThis()));
    out.printf(".SH NAME%nsedge \\- %s%n", text(root.getHelp().header().strip()));
    section(root, out);
    return 0;
  }

  private static void section(CommandLine command, PrintStream out) {
    out.printf(".SH \"%s\"%n.nf%n", command.getCommandSpec().qualifiedName());
    command.getUsageMessage(Ansi.OFF).lines().map(ManualCommand::text).forEach(out::println);
    out.println(".fi");
    command.getSubcommands().values().stream()
        .filter(sub -> !sub.getCommandSpec().usageMessage().hidden())
        .forEach(sub -> section(sub, out));
  }

  /** A line as it stands: neither a request, nor with escapes, nor with typographic signs. */
  private static String text(String line) {
    String safe =
        line.replace("\\", "\\e")
            .replace("-", "\\-")
            .replace("'", "\\(aq")
            .replace("`", "\\(ga")
            .replace("^", "\\(ha")
            .replace("~", "\\(ti");
    return safe.startsWith(".") ? "\\&" + safe : safe;
  }
}
