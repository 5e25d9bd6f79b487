package io.sedge.site.api;

import static java.util.Objects.requireNonNull;

import java.util.List;

/**
 * Some of what a device has said.
 *
 * @param lines the oldest first, {@link SiteControl#MAX_LOG_LINES} at most
 * @param mark where they end, for who asks for what comes after; of this process of the device
 *     alone: the next one begins anew
 * @param more whether there is more already
 */
public record LogPage(List<LogLine> lines, String mark, boolean more) {
  /** Of all lines, with {@link #LINE_CHARACTERS} more for each. */
  public static final int MAX_CHARACTERS = 128 << 10;

  /** What a line takes beside its texts. */
  public static final int LINE_CHARACTERS = 200;

  public LogPage {
    lines = List.copyOf(lines);
    requireNonNull(mark, "no mark");
    if (lines.size() > SiteControl.MAX_LOG_LINES) {
      throw new IllegalArgumentException(
          "%,d lines, allowed are %,d".formatted(lines.size(), SiteControl.MAX_LOG_LINES));
    }
  }
}
