package io.sedge.center.internal.api;

import io.sedge.center.internal.api.ApiException.Reason;
import java.text.Normalizer;
import java.util.Optional;
import java.util.regex.Pattern;

/** What people and tokens are called. The same characters are one name however they were typed. */
final class Names {
  private static final int MOST = 63;

  /** Marks belong to the letters of many scripts. */
  private static final Pattern FORM =
      Pattern.compile("[\\p{L}\\p{N}]([\\p{L}\\p{N}\\p{M}._@ -]*[\\p{L}\\p{N}\\p{M}._@-])?");

  /** What a name may be. */
  static final String RULE =
      ("up to %d letters, digits, blanks, '.', '_', '@' and '-' are allowed, a letter or digit"
              + " first, and '%s' is the center's own")
          .formatted(MOST, LocalAccess.NAME);

  private Names() {}

  /** A name as it is kept, from what somebody typed; empty for what nobody can be called. */
  static Optional<String> typed(String text) {
    String stripped = text.strip();
    if (stripped.length() > 2 * MOST) {
      return Optional.empty();
    }
    return Optional.of(Normalizer.normalize(stripped, Normalizer.Form.NFC))
        .filter(name -> name.length() <= MOST && FORM.matcher(name).matches());
  }

  /**
   * The name of somebody new.
   *
   * @throws ApiException MALFORMED
   */
  static String fresh(String text) throws ApiException {
    return possible(text)
        .orElseThrow(() -> new ApiException(Reason.MALFORMED, "name=%s: %s".formatted(text, RULE)));
  }

  /** The name of somebody new; empty for what he cannot be called. */
  static Optional<String> possible(String text) {
    return typed(text).filter(name -> !name.equals(LocalAccess.NAME));
  }
}
