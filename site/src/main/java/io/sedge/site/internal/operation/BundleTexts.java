package io.sedge.site.internal.operation;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sedge.site.api.Diagnosis;
import io.sedge.site.api.LogLine;
import io.sedge.site.api.SiteControl;
import io.sedge.site.api.SiteException;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What a bundle is made of, before secrets are blanked.
 *
 * @param texts by the name of the file, in their order
 * @param scripts of jobs, by their names
 */
public record BundleTexts(Map<String, String> texts, Map<String, String> scripts) {
  public static final BundleTexts NONE = new BundleTexts(Map.of(), Map.of());

  /** What a device that runs says of itself. */
  public static BundleTexts of(SiteControl device) throws SiteException {
    Map<String, String> texts = new LinkedHashMap<>();
    texts.put("status.json", json(device.status()));
    texts.put("log.txt", lines(device.logs("", 0)));
    Diagnosis diagnosis = device.diagnose();
    texts.putAll(diagnosis.texts());
    return new BundleTexts(texts, diagnosis.scripts());
  }

  /** When and by what it was made. */
  public static String about(Instant now, String version, String how) {
    return "made at %s by %s%n%s%n".formatted(now, version, how);
  }

  /** The same, and a text first. */
  public BundleTexts with(String name, String text) {
    Map<String, String> all = new LinkedHashMap<>();
    all.put(name, text);
    all.putAll(texts);
    return new BundleTexts(all, scripts);
  }

  /** The same, and further texts. */
  public BundleTexts with(Map<String, String> more) {
    Map<String, String> all = new LinkedHashMap<>(texts);
    all.putAll(more);
    return new BundleTexts(all, scripts);
  }

  /** All files: the texts, then the scripts. */
  Map<String, String> entries() {
    Map<String, String> entries = new LinkedHashMap<>(texts);
    scripts.forEach((job, script) -> entries.put("jobs/" + job.replace('/', '_') + ".sql", script));
    return entries;
  }

  private static String lines(Collection<LogLine> lines) {
    return lines.stream()
        .map(
            line ->
                "%s %s %s %s%n"
                    .formatted(
                        Instant.ofEpochMilli(line.atMillis()),
                        line.severity(),
                        line.task(),
                        line.text()))
        .collect(Collectors.joining());
  }

  private static String json(Object value) {
    try {
      return new ObjectMapper().writerWithDefaultPrettyPrinter().writeValueAsString(value);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("an answer that JSON cannot hold", e);
    }
  }
}
