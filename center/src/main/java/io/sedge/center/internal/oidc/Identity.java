package io.sedge.center.internal.oidc;

import io.sedge.center.OidcOptions;
import io.sedge.center.store.AccessTokens.Role;
import io.sedge.center.store.Subject;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Who has logged in at a provider.
 *
 * @param name as the provider has it; empty if it says none
 * @param role empty if it makes nobody anything here
 */
public record Identity(Subject subject, Optional<String> name, Optional<Role> role) {
  static Identity of(OidcOptions options, Map<String, Object> claims) {
    return new Identity(
        new Subject(options.issuer(), String.valueOf(claims.get("sub"))),
        texts(at(claims, options.name())).stream().findFirst(),
        options.role(texts(at(claims, options.roles()))));
  }

  /** A claim by its name, or else by a path of names with dots between. */
  private static @Nullable Object at(Map<?, ?> claims, String path) {
    if (claims.containsKey(path)) {
      return claims.get(path);
    }
    int dot = path.indexOf('.');
    return dot > 0 && claims.get(path.substring(0, dot)) instanceof Map<?, ?> inner
        ? at(inner, path.substring(dot + 1))
        : null;
  }

  /** A text, or a list of them. */
  private static List<String> texts(@Nullable Object value) {
    return switch (value) {
      case String text -> List.of(text);
      case Collection<?> all ->
          all.stream().filter(String.class::isInstance).map(String.class::cast).toList();
      case null, default -> List.of();
    };
  }
}
