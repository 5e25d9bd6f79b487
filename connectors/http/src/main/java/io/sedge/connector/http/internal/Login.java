package io.sedge.connector.http.internal;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.util.Base64;
import java.util.Optional;

/** How a server knows who asks it. Its text tells no secret. */
interface Login {
  /** Nobody in particular. */
  Login NONE = always(Optional.empty());

  /**
   * The value of the header {@code Authorization}.
   *
   * @param exchange over which it may be got first
   */
  Optional<String> authorization(Exchange exchange) throws IOException, InterruptedException;

  /** The server has refused what was given. Whether another may be got. */
  default boolean renew() {
    return false;
  }

  /** By name and password (RFC 7617). */
  static Login basic(String user, String password) {
    return always(Optional.of(basicValue(user, password)));
  }

  /** By a token that somebody else has got (RFC 6750). */
  static Login bearer(String token) {
    return always(Optional.of("Bearer " + token));
  }

  static String basicValue(String user, String password) {
    byte[] both = (user + ":" + password).getBytes(UTF_8);
    return "Basic " + Base64.getEncoder().encodeToString(both);
  }

  private static Login always(Optional<String> value) {
    return _ -> value;
  }
}
