package io.sedge.center.api;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The latest that devices of a site have said.
 *
 * @param lines by time, the oldest first
 * @param unavailable the devices that could not be asked, each with the reason
 */
public record SiteLogReport(List<Line> lines, Map<String, String> unavailable) {
  /**
   * Something that was said.
   *
   * @param atMillis by the device's clock
   * @param severity {@code info}, {@code warning} or {@code error}
   * @param task {@code job/shard}; absent for what the device itself says
   */
  public record Line(
      String device, long atMillis, String severity, @Nullable String task, String message) {}
}
