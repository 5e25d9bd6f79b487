package io.sedge.center.internal.fleet;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** How many sites are given a version at once. Immutable. */
public final class Waves {
  /** One site, then all others. */
  public static final List<String> DEFAULT = List.of("1", "rest");

  /** How many waves may be named. */
  public static final int MAX_WAVES = 20;

  private static final Pattern SIZE = Pattern.compile("[1-9][0-9]{0,5}|[1-9][0-9]?%|100%|rest");

  private Waves() {}

  /** What is wrong with waves; empty if nothing is. */
  public static String problem(List<String> waves) {
    if (waves.isEmpty() || waves.size() > MAX_WAVES) {
      return "%d waves; 1 to %d are allowed".formatted(waves.size(), MAX_WAVES);
    }
    for (int i = 0; i < waves.size(); i++) {
      String wave = waves.get(i);
      if (!SIZE.matcher(wave).matches() || (wave.equals("rest") && i < waves.size() - 1)) {
        return "wave '%s': write how many sites (5), a share of all (25%%), or rest as the last"
            .formatted(wave);
      }
    }
    return "";
  }

  /**
   * The wave of each of some sites, in their order, from 1 on. What no wave has room for is of one
   * more.
   */
  public static List<Integer> of(List<String> waves, int sites) {
    List<Integer> of = new ArrayList<>(sites);
    int number = 0;
    for (String wave : waves) {
      number++;
      int size = Math.min(size(wave, sites), sites - of.size());
      for (int i = 0; i < size; i++) {
        of.add(number);
      }
    }
    while (of.size() < sites) {
      of.add(number + 1);
    }
    return of;
  }

  private static int size(String wave, int sites) {
    if (wave.equals("rest")) {
      return sites;
    }
    if (wave.endsWith("%")) {
      int percent = Integer.parseInt(wave.substring(0, wave.length() - 1));
      return Math.max(1, Math.ceilDiv(sites * percent, 100));
    }
    return Integer.parseInt(wave);
  }
}
