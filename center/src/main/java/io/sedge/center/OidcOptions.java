package io.sedge.center;

import io.sedge.center.store.AccessTokens.Role;
import io.sedge.connector.Suggestions;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The provider of OpenID Connect at which people log in to a center.
 *
 * @param issuer its address, as it says itself in its tokens
 * @param clientId what the center is called there
 * @param clientSecret empty for a client that has none
 * @param scope what is asked for, with blanks between
 * @param name the claim that names a person
 * @param roles the claim with what a person is there
 * @param roleValues which values of that claim make somebody what
 * @param sites at which somebody new may change something; empty for all
 * @param label of the provider
 * @param prompt what the provider is to ask of people; empty for what it likes
 * @param redirect where browsers reach the console; empty for the center's own address
 * @param authorities who may vouch for the provider, besides those that Java trusts
 */
public record OidcOptions(
    String issuer,
    String clientId,
    Optional<String> clientSecret,
    String scope,
    String name,
    String roles,
    Map<Role, Set<String>> roleValues,
    Optional<List<String>> sites,
    String label,
    Optional<String> prompt,
    Optional<URI> redirect,
    List<X509Certificate> authorities) {
  /** Stands for everybody whom the provider knows. */
  private static final String EVERYBODY = "*";

  /** Stands for all sites. */
  private static final String ALL = "*";

  /** All but none, with which nobody could log in. */
  private static final List<String> PROMPTS = List.of("consent", "login", "select_account");

  private static final String ROLE = "role.";
  private static final int MOST_LABEL = 60;
  private static final List<String> KEYS =
      List.of(
          "ca",
          "client-id",
          "client-secret",
          "issuer",
          "label",
          "name",
          "prompt",
          "redirect",
          "role.admin",
          "role.engineer",
          "role.operator",
          "role.viewer",
          "roles",
          "scope",
          "sites");

  public OidcOptions {
    roleValues = Map.copyOf(roleValues);
    authorities = List.copyOf(authorities);
  }

  /** Without the secret. */
  @Override
  public String toString() {
    return "OidcOptions[issuer=%s, clientId=%s]".formatted(issuer, clientId);
  }

  /**
   * Reads what a file says.
   *
   * @param given by key
   * @param directory where paths in it begin
   * @throws IllegalArgumentException with all that is wrong
   */
  public static OidcOptions parse(Map<String, String> given, Path directory) {
    Parser parser = new Parser(given, directory);
    OidcOptions options = parser.options();
    if (!parser.problems.isEmpty()) {
      throw new IllegalArgumentException(String.join("; ", parser.problems));
    }
    return options;
  }

  /** The highest role that values of the claim make; empty if none does. */
  public Optional<Role> role(Collection<String> values) {
    return roleValues.entrySet().stream()
        .filter(
            entry ->
                entry.getValue().contains(EVERYBODY)
                    || entry.getValue().stream().anyMatch(values::contains))
        .map(Map.Entry::getKey)
        .max(Role::compareTo);
  }

  /** An address of the console as browsers name it: they leave out the port of https. */
  public static URI page(URI console) {
    return URI.create("https://%s/".formatted(console.getRawAuthority().replaceFirst(":443$", "")));
  }

  /** Whether nobody in between can read or change what goes to an address. */
  public static boolean isSafe(URI address) {
    String host = address.getHost();
    return host != null
        && ("https".equalsIgnoreCase(address.getScheme())
            || ("http".equalsIgnoreCase(address.getScheme()) && isLoopback(host)));
  }

  private static boolean isLoopback(String host) {
    if (host.equals("localhost")) {
      return true;
    }
    try {
      return InetAddress.ofLiteral(host).isLoopbackAddress();
    } catch (IllegalArgumentException _) {
      return false; // A name.
    }
  }

  private static final class Parser {
    private final Map<String, String> given;
    private final Path directory;
    private final List<String> problems = new ArrayList<>();

    Parser(Map<String, String> given, Path directory) {
      this.given = given;
      this.directory = directory;
    }

    OidcOptions options() {
      given.keySet().stream()
          .filter(key -> !KEYS.contains(key))
          .sorted()
          .forEach(
              key ->
                  problems.add(
                      "%s is not one of %s%s"
                          .formatted(
                              key,
                              String.join(", ", KEYS),
                              Suggestions.closest(key, KEYS)
                                  .map("; did you mean %s?"::formatted)
                                  .orElse(""))));
      String issuer = required("issuer");
      Optional<URI> address = address("issuer", issuer, OidcOptions::isSafe);
      String scope = value("scope").orElse("openid profile email");
      if (!List.of(scope.split(" ", -1)).contains("openid")) {
        problems.add("scope=%s has no openid".formatted(scope));
      }
      return new OidcOptions(
          issuer,
          required("client-id"),
          value("client-secret"),
          scope,
          value("name").orElse("preferred_username"),
          value("roles").orElse("groups"),
          roleValues(),
          sites(),
          label(address),
          value("prompt").filter(this::isPrompt),
          value("redirect")
              .flatMap(text -> address("redirect", text, Parser::isConsole))
              .map(OidcOptions::page),
          value("ca").map(this::certificates).orElse(List.of()));
    }

    private Optional<String> value(String key) {
      return Optional.ofNullable(given.get(key)).map(String::strip).filter(text -> !text.isEmpty());
    }

    private String required(String key) {
      return value(key)
          .orElseGet(
              () -> {
                problems.add("%s is missing".formatted(key));
                return "";
              });
    }

    private Optional<URI> address(String key, String text, Predicate<URI> allowed) {
      if (text.isEmpty()) {
        return Optional.empty();
      }
      try {
        URI address = new URI(text);
        if (allowed.test(address)
            && address.getRawQuery() == null
            && address.getRawFragment() == null
            && address.getRawUserInfo() == null) {
          return Optional.of(address);
        }
      } catch (URISyntaxException _) {
        // Said below.
      }
      problems.add(
          "%s=%s: %s is allowed"
              .formatted(
                  key,
                  text,
                  key.equals("issuer")
                      ? "an address that begins with https:// (http:// on this machine alone),"
                          + " without ? and #,"
                      : "https://HOST or https://HOST:PORT"));
      return Optional.empty();
    }

    private static boolean isConsole(URI address) {
      return address.getHost() != null
          && "https".equals(address.getScheme())
          && Set.of("", "/").contains(address.getRawPath());
    }

    private boolean isPrompt(String prompt) {
      if (PROMPTS.contains(prompt)) {
        return true;
      }
      problems.add("prompt=%s is not one of %s".formatted(prompt, String.join(", ", PROMPTS)));
      return false;
    }

    private Optional<List<String>> sites() {
      Set<String> names = split(given.getOrDefault("sites", ALL));
      if (names.equals(Set.of(ALL))) {
        return Optional.empty();
      }
      if (names.isEmpty() || names.contains(ALL)) {
        problems.add("sites: names with commas between, or %s alone for all sites".formatted(ALL));
      }
      return Optional.of(names.stream().sorted().toList());
    }

    private String label(Optional<URI> issuer) {
      String label = value("label").or(() -> issuer.map(URI::getHost)).orElse("");
      if (label.length() > MOST_LABEL) {
        problems.add("label has more than %d characters".formatted(MOST_LABEL));
      }
      return label;
    }

    private Map<Role, Set<String>> roleValues() {
      Map<Role, Set<String>> values = new EnumMap<>(Role.class);
      for (Role role : Role.values()) {
        value(ROLE + role.name().toLowerCase(Locale.ROOT))
            .ifPresent(text -> values.put(role, split(text)));
      }
      if (values.isEmpty()) {
        problems.add(
            "no role is given to anybody: say who may look with role.viewer = GROUP, or * for all");
      }
      if (values.getOrDefault(Role.ADMIN, Set.of()).contains(EVERYBODY)) {
        problems.add("role.admin=*: everybody whom the provider knows would be an admin");
      }
      return values;
    }

    private static Set<String> split(String text) {
      return Arrays.stream(text.split(",", -1))
          .map(String::strip)
          .filter(part -> !part.isEmpty())
          .collect(Collectors.toUnmodifiableSet());
    }

    private List<X509Certificate> certificates(String file) {
      try (InputStream input = Files.newInputStream(directory.resolve(file))) {
        List<X509Certificate> all =
            CertificateFactory.getInstance("X.509").generateCertificates(input).stream()
                .flatMap(
                    one -> one instanceof X509Certificate known ? Stream.of(known) : Stream.empty())
                .toList();
        if (!all.isEmpty()) {
          return all;
        }
        problems.add("ca=%s has no certificate".formatted(file));
      } catch (IOException | CertificateException e) {
        problems.add("ca=%s cannot be read as a certificate: %s".formatted(file, e));
      }
      return List.of();
    }
  }
}
