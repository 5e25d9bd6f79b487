package io.sedge.site.api;

import static java.util.Objects.requireNonNull;

import io.sedge.task.LeftOut;
import io.sedge.task.LeftOutSum;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What the tasks of a job have left out on the devices of a site, since each device took its tasks.
 *
 * @param reasons the most frequent first, {@link LeftOutPage#MAX_REASONS} at most
 * @param others how many payloads and rows were left out for further reasons
 * @param missing the devices that could not be asked, each with why
 */
public record SiteLeftOut(List<Reason> reasons, long others, SortedMap<String, String> missing) {
  public SiteLeftOut {
    reasons = List.copyOf(requireNonNull(reasons, "no reasons"));
    missing = Collections.unmodifiableSortedMap(new TreeMap<>(missing));
  }

  /**
   * A reason, and what all devices have left out for it.
   *
   * @param devices that have met it
   */
  public record Reason(LeftOut leftOut, List<String> devices) {
    public Reason {
      requireNonNull(leftOut, "nothing was left out");
      devices = List.copyOf(requireNonNull(devices, "no devices"));
    }
  }

  /**
   * Adds up what devices have answered.
   *
   * @param heard by the device's name
   * @param missing the devices that could not be asked, each with why
   */
  public static SiteLeftOut of(SortedMap<String, LeftOutPage> heard, Map<String, String> missing) {
    LeftOutSum sum = new LeftOutSum();
    Map<LeftOut.Key, Set<String>> devices = new HashMap<>();
    heard.forEach(
        (device, page) -> {
          page.reasons().forEach(sum::add);
          page.reasons()
              .forEach(out -> devices.computeIfAbsent(out.key(), _ -> new TreeSet<>()).add(device));
          sum.addOthers(page.others());
        });
    LeftOutPage all = LeftOutPage.of(sum);
    return new SiteLeftOut(
        all.reasons().stream()
            .map(out -> new Reason(out, List.copyOf(devices.getOrDefault(out.key(), Set.of()))))
            .toList(),
        all.others(),
        new TreeMap<>(missing));
  }
}
