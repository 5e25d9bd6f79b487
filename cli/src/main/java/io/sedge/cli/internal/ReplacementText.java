package io.sedge.cli.internal;

import io.sedge.site.api.JobReplacement;
import io.sedge.site.api.JobReplacement.Fate;
import io.sedge.site.api.JobReplacement.Part;
import io.sedge.task.Printable;
import java.util.List;

/** What becomes of a job that is replaced, for people. */
final class ReplacementText {
  private ReplacementText() {}

  static String of(JobReplacement replacement) {
    String job = Printable.text(replacement.job());
    if (!replacement.changes()) {
      return "job %s has this script already: nothing is replaced\n".formatted(job);
    }
    StringBuilder text = new StringBuilder();
    text.append("replacing job %s (version %d)\n".formatted(job, replacement.version()));
    add(text, "kept", replacement, Fate.KEPT);
    add(text, "begins anew", replacement, Fate.BEGINS_ANEW);
    add(text, "dropped", replacement, Fate.DROPPED);
    return text.toString();
  }

  private static void add(StringBuilder text, String title, JobReplacement replacement, Fate fate) {
    List<Part> parts = replacement.parts().stream().filter(part -> part.fate() == fate).toList();
    text.append("  ").append(title).append(parts.isEmpty() ? ": nothing" : "").append('\n');
    for (Part part : parts) {
      text.append(
          "    %s: %s\n      %s\n"
              .formatted(
                  Printable.text(part.task()),
                  Printable.text(part.what()),
                  Printable.text(part.why())));
    }
  }
}
