package io.sedge.center.internal.api;

import io.sedge.center.store.AccessTokens;
import io.sedge.center.store.AccessTokens.Role;
import io.sedge.center.store.Permission;
import io.sedge.center.store.StoreException;
import io.sedge.identity.SecretFiles;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Optional;

/**
 * How commands on the center's own machine ask it without a token that somebody types: whoever may
 * read its directory is an admin.
 */
public final class LocalAccess {
  /** Below the center's directory. */
  public static final String DIRECTORY = "control";

  /** The file with the address, {@code https://HOST:PORT}. */
  public static final String ADDRESS = "api";

  /** The file with the token. */
  public static final String TOKEN = "token";

  /** Whose token it is. */
  static final String NAME = "local";

  private static final String PREFIX = "sedge-access-";
  private static final int SECRET_BYTES = 32;
  private static final SecureRandom RANDOM = new SecureRandom();

  private LocalAccess() {}

  /** A new token of a person or program. */
  static String newToken() {
    return PREFIX + newSecret();
  }

  /** Something that nobody guesses. */
  static String newSecret() {
    byte[] secret = new byte[SECRET_BYTES];
    RANDOM.nextBytes(secret);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(secret);
  }

  /**
   * Writes both files anew, at each start; the token before is worth nothing then.
   *
   * @param data the center's directory
   * @param address where the API is listened for
   */
  public static void write(Path data, URI address, AccessTokens tokens)
      throws IOException, StoreException {
    Path control = data.resolve(DIRECTORY);
    SecretFiles.makeDirectory(control);
    String token = newToken();
    var _ = tokens.remove(NAME);
    tokens.add(token, NAME, Permission.everywhere(Role.ADMIN), Optional.empty());
    SecretFiles.write(control.resolve(TOKEN), token + "\n");
    SecretFiles.write(control.resolve(ADDRESS), address + "\n");
  }
}
