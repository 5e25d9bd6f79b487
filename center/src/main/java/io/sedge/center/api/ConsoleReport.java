package io.sedge.center.api;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the console is to show, and to whom.
 *
 * @param kind {@code center}
 * @param title for people
 * @param version of the center; absent for who is not known
 * @param login how one becomes somebody: {@code password}
 * @param provider what a button is to be called that logs people in at another provider; absent for
 *     none
 * @param caller who asks; absent for nobody yet
 * @param csrf what each request of the session has to say that changes something, in the header
 *     {@code X-Sedge-Csrf}; absent without a session
 */
public record ConsoleReport(
    String kind,
    String title,
    @Nullable String version,
    String login,
    @Nullable String provider,
    @Nullable Caller caller,
    @Nullable String csrf) {

  /**
   * Who asks.
   *
   * @param role {@code viewer}, {@code operator}, {@code engineer} or {@code admin}
   * @param sites at which he may change something; absent for all
   * @param provider where he has logged in; absent for who has a password or token
   */
  public record Caller(
      String name, String role, @Nullable List<String> sites, @Nullable String provider) {}

  /** Without the secret. */
  @Override
  public String toString() {
    return "ConsoleReport[kind=%s, caller=%s]".formatted(kind, caller);
  }
}
