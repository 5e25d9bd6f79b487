package io.sedge.cli.internal;

import io.sedge.site.DeviceConnection;
import io.sedge.site.api.SiteException;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code sedge site what-if}. */
@Command(
    name = "what-if",
    header = "Says what would become of the tasks if devices were lost.",
    footer = {"Example:", "  sedge site what-if --lose gateway-2"})
final class SiteWhatIfCommand extends ControlCommand {
  @Option(
      names = "--lose",
      paramLabel = "NAME",
      required = true,
      description = "A device; may be repeated.")
  private Set<String> lost = new LinkedHashSet<>();

  SiteWhatIfCommand(Surroundings surroundings) {
    super(surroundings);
  }

  @Override
  void ask(DeviceConnection site, Answers answers) throws SiteException {
    String text = site.whatIf(lost);
    if (wantsJson()) {
      answers.json(Map.of("lost", lost, "text", text));
    } else {
      answers.text(text);
    }
  }
}
