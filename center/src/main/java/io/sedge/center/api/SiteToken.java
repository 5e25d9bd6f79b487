package io.sedge.center.api;

import org.jspecify.annotations.Nullable;

/**
 * A token with which a site enrols, once.
 *
 * @param token shown this once
 * @param address what the site connects to, {@code HOST:PORT}
 * @param site the name that it is for; absent for any
 */
public record SiteToken(String token, String address, @Nullable String site, long endsAtMillis) {

  /** Without the token. */
  @Override
  public String toString() {
    return "SiteToken[site=%s, endsAtMillis=%d]".formatted(site, endsAtMillis);
  }
}
