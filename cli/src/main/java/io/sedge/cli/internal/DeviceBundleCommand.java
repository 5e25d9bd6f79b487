package io.sedge.cli.internal;

import io.sedge.site.Bundle;
import io.sedge.site.Device;
import io.sedge.site.api.SiteException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code sedge device bundle}. */
@Command(
    name = "bundle",
    header = "Puts into one zip file what somebody needs who looks for a fault of a device.",
    description = {
      "Version, machine, settings, status, placement, measures, logs, threads, heap, disk, dates"
          + " of",
      "certificates, scripts of jobs. No keys, tokens, readings; passwords are blanked. The device",
      "need not run. Nothing is sent: look at it, then send it yourself."
    },
    footer = {
      "Examples:",
      "  sedge device bundle",
      "  sedge device bundle --data a --to fault.zip"
    })
final class DeviceBundleCommand extends CommandOptions implements Callable<Integer> {
  private final Surroundings surroundings;

  @Option(
      names = "--to",
      paramLabel = "FILE",
      order = 1,
      description = "Write it there (default: sedge-DEVICE-TIME.zip, here).")
  private @Nullable Path to;

  @Mixin private final DataDirectory data = new DataDirectory();

  @Option(
      names = "--output",
      paramLabel = "FORM",
      order = 91,
      defaultValue = "text",
      description = "How it is told: ${COMPLETION-CANDIDATES}.")
  private AnswerFormat output = AnswerFormat.text;

  DeviceBundleCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public Integer call() throws SiteException {
    Path directory = data.path(surroundings);
    Instant now = surroundings.clock().instant();
    String device = Device.in(directory).map(Device.Known::name).orElse("device");
    Path file = BundleFile.of(surroundings, to, device, now);
    Bundle.Contents contents =
        Bundle.write(directory, file, String.join(", ", new Version().getVersion()), now);
    Answers answers = new Answers(surroundings.out());
    if (output == AnswerFormat.json) {
      Map<String, Object> object = new LinkedHashMap<>();
      object.put("file", contents.file().toString());
      object.put("running", contents.running());
      object.put("entries", contents.entries());
      answers.json(object);
    } else {
      answers.text(text(contents));
    }
    return 0;
  }

  private static String text(Bundle.Contents contents) {
    StringBuilder text = new StringBuilder();
    text.append(contents.file()).append('\n');
    contents
        .entries()
        .forEach((name, bytes) -> text.append("  %,12d  %s%n".formatted(bytes, name)));
    if (!contents.running()) {
      text.append("the device did not answer, so this is what its disk says\n");
    }
    text.append("not in it:\n");
    Bundle.leftOut().forEach(what -> text.append("  ").append(what).append('\n'));
    text.append(
        "look at it before you send it: what nothing marks as a secret cannot be blanked\n");
    return text.toString();
  }
}
