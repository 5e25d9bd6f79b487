package io.sedge.center;

import io.sedge.center.store.StoreOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What a center is to be.
 *
 * @param data its directory: keys, and with the embedded database the results
 * @param store which database
 * @param host the address that it listens on
 * @param sitePort where sites report; 0 for any that is free
 * @param apiPort where people and programs ask; 0 for any that is free
 * @param names further addresses and names by which it is reached, for its certificate
 * @param certificateValidity how long certificates of sites are good
 * @param provider at which people may log in too; empty for none
 * @param version of the program, for people
 */
public record CenterOptions(
    Path data,
    StoreOptions store,
    String host,
    int sitePort,
    int apiPort,
    List<String> names,
    Duration certificateValidity,
    Optional<OidcOptions> provider,
    String version) {
  /** Where people and programs ask where nothing else is said. */
  public static final int DEFAULT_API_PORT = 7441;

  public static final Duration CERTIFICATE_VALIDITY = Duration.ofDays(90);

  public CenterOptions {
    names = List.copyOf(names);
  }
}
