package io.sedge.site.api;

import java.util.Map;

/**
 * What a device that runs knows of itself, for whoever looks for a fault: texts by the name of the
 * file that each is for. Bounded to some megabytes. Scripts are as they were submitted, with
 * whatever secrets are in them: who writes them down must blank those.
 *
 * @param texts for people to read
 * @param scripts of the site's jobs, by name
 */
public record Diagnosis(Map<String, String> texts, Map<String, String> scripts) {
  public Diagnosis {
    texts = Map.copyOf(texts);
    scripts = Map.copyOf(scripts);
  }
}
