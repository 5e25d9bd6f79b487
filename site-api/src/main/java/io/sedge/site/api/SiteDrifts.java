package io.sedge.site.api;

import static java.util.Objects.requireNonNull;

import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What the devices of a site know of the drift of a job's models.
 *
 * @param drifts of the last windows that have ended
 * @param silent the devices that could not be asked, each with why
 */
public record SiteDrifts(List<ModelDrift> drifts, SortedMap<String, String> silent) {
  public SiteDrifts {
    drifts = List.copyOf(requireNonNull(drifts, "no drifts"));
    silent = Collections.unmodifiableSortedMap(new TreeMap<>(silent));
  }
}
