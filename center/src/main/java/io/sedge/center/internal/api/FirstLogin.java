package io.sedge.center.internal.api;

import io.sedge.center.store.AccessTokens.Role;
import io.sedge.center.store.Permission;
import io.sedge.center.store.Person;
import io.sedge.center.store.Store;
import io.sedge.center.store.StoreException;
import io.sedge.identity.Fingerprint;
import io.sedge.identity.SecretFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/**
 * The code with which the first person becomes an admin, as there is no default password. Each
 * start makes another one until there is an admin. A file keeps its SHA-256 and when it ends; the
 * file goes when the code is used. Any thread.
 */
public final class FirstLogin {
  /** How long a code may be used. */
  public static final Duration LIFE = Duration.ofHours(24);

  private static final String FILE = "first-login";

  private final Path file;
  private final InstantSource clock;
  private final Optional<String> issuer;

  /**
   * @param control the directory {@value LocalAccess#DIRECTORY} of the center
   * @param issuer of the provider at which people can log in now; empty if there is none
   */
  public FirstLogin(Path control, InstantSource clock, Optional<String> issuer) {
    this.file = control.resolve(FILE);
    this.clock = clock;
    this.issuer = issuer;
  }

  /** Where a browser sets a password by a code. */
  public static String link(String address, String code) {
    return "%s/#/first?code=%s".formatted(address, code);
  }

  /** Makes a code, to be shown to who starts the center; empty if there is an admin. */
  public Optional<String> offer(Store store) throws IOException, StoreException {
    if (hasAdmin(store)) {
      Files.deleteIfExists(file);
      return Optional.empty();
    }
    SecretFiles.makeDirectory(file.toAbsolutePath().resolveSibling("."));
    String code = LocalAccess.newSecret();
    SecretFiles.write(
        file, "%s%n%d%n".formatted(hash(code), clock.instant().plus(LIFE).toEpochMilli()));
    return Optional.of(code);
  }

  /** Whether somebody may act as an admin now: who has not set a password may not yet. */
  private boolean hasAdmin(Store store) throws StoreException {
    Instant now = clock.instant();
    return store.tokens().list().stream()
            .filter(access -> isAdmin(access.permission()))
            .filter(access -> access.endsAt().filter(end -> !now.isBefore(end)).isEmpty())
            .anyMatch(access -> !access.name().equals(LocalAccess.NAME))
        || store.people().list().stream()
            .anyMatch(person -> isAdmin(person.permission()) && canLogIn(person));
  }

  private boolean canLogIn(Person person) {
    return person
        .subject()
        .map(subject -> !person.isShutOut() && issuer.equals(Optional.of(subject.issuer())))
        .orElse(person.password().isPresent());
  }

  private static boolean isAdmin(Permission permission) {
    return permission.role() == Role.ADMIN && permission.isEverywhere();
  }

  /** What is done for who has the code. */
  @FunctionalInterface
  interface Making<T> {
    T make() throws StoreException;
  }

  /** Whether a code may be used. */
  synchronized boolean knows(String code) {
    try {
      return isTheOne(code);
    } catch (NoSuchFileException _) {
      return false;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Does something for who has the code, once, while there is no admin; if that fails, the code is
   * good still.
   */
  synchronized <T> Optional<T> use(Store store, String code, Making<T> making)
      throws StoreException {
    if (!knows(code) || hasAdmin(store)) {
      return Optional.empty();
    }
    T made = making.make();
    try {
      Files.delete(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return Optional.of(made);
  }

  private boolean isTheOne(String code) throws IOException {
    List<String> lines = Files.readAllLines(file);
    boolean same =
        MessageDigest.isEqual(
            lines.getFirst().getBytes(StandardCharsets.US_ASCII),
            hash(code).getBytes(StandardCharsets.US_ASCII));
    return same && clock.instant().isBefore(Instant.ofEpochMilli(Long.parseLong(lines.getLast())));
  }

  private static String hash(String code) {
    return Fingerprint.of(code.getBytes(StandardCharsets.UTF_8));
  }
}
