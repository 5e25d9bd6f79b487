package io.sedge.site.api;

import static java.util.Objects.requireNonNull;

/**
 * What was heard of one device's log.
 *
 * @param device its name
 * @param page empty if it could not be asked
 * @param failure why it could not be asked; empty if it was
 */
public record DeviceLogs(String device, LogPage page, String failure) {
  public DeviceLogs {
    requireNonNull(device, "no device");
    requireNonNull(page, "no page");
    requireNonNull(failure, "no failure");
  }
}
