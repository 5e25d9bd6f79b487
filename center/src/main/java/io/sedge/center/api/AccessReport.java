package io.sedge.center.api;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Who may use the API.
 *
 * @param role {@code viewer}, {@code operator}, {@code engineer} or {@code admin}
 * @param sites at which something may be changed; absent for all
 * @param endsAtMillis absent for never
 * @param usedAtMillis to a minute; absent for never
 * @param token shown once, when it is made; absent later
 */
public record AccessReport(
    String name,
    String role,
    @Nullable List<String> sites,
    long createdAtMillis,
    @Nullable Long endsAtMillis,
    @Nullable Long usedAtMillis,
    @Nullable String token) {

  /** Without the token. */
  @Override
  public String toString() {
    return "AccessReport[name=%s, role=%s]".formatted(name, role);
  }
}
