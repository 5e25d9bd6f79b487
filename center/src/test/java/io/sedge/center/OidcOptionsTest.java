package io.sedge.center;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sedge.center.store.AccessTokens.Role;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the file of {@code --oidc} may say. */
class OidcOptionsTest {
  private static final Map<String, String> LEAST =
      Map.of(
          "issuer",
          "https://id.example.com/realms/plant",
          "client-id",
          "sedge",
          "role.viewer",
          "*");

  @TempDir Path directory;

  private OidcOptions parse(String key, String value) {
    Map<String, String> given = new HashMap<>(LEAST);
    given.put(key, value);
    return OidcOptions.parse(given, directory);
  }

  @Test
  void theRestHasDefaults() {
    OidcOptions options = OidcOptions.parse(LEAST, directory);
    assertThat(options.name()).isEqualTo("preferred_username");
    assertThat(options.roles()).isEqualTo("groups");
    assertThat(options.scope()).isEqualTo("openid profile email");
    assertThat(options.label()).isEqualTo("id.example.com");
    assertThat(options.redirect()).isEmpty();
    assertThat(options.clientSecret()).isEmpty();
    assertThat(parse("client-secret", "hidden").toString()).doesNotContain("hidden");
    assertThat(parse("redirect", "https://center.example.com").redirect())
        .contains(URI.create("https://center.example.com/"));
    // Browsers leave the port of https out of what they say.
    assertThat(parse("redirect", "https://center.example.com:443").redirect())
        .contains(URI.create("https://center.example.com/"));
    assertThat(OidcOptions.page(URI.create("https://[::443]:7441")))
        .isEqualTo(URI.create("https://[::443]:7441/"));
    assertThat(options.sites()).as("all").isEmpty();
    assertThat(parse("sites", "south, north").sites()).contains(List.of("north", "south"));
    assertThat(options.prompt()).isEmpty();
  }

  @Test
  void theHighestRoleThatMatchesCounts() {
    OidcOptions options = parse("role.engineer", " plant-engineers ,, others");
    assertThat(options.role(List.of())).contains(Role.VIEWER);
    assertThat(options.role(List.of("others", "x"))).contains(Role.ENGINEER);
    assertThat(options.role(List.of("Others", "*"))).contains(Role.VIEWER);
    Map<String, String> bounded = new HashMap<>(LEAST);
    bounded.put("role.viewer", "a");
    assertThat(OidcOptions.parse(bounded, directory).role(List.of("b", "")))
        .isEqualTo(Optional.empty());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          issuer        | http://id.example.com           | begins with https://
          issuer        | https://id.example.com/?a=b     | without ? and #
          issuer        | id.example.com                  | begins with https://
          issuer        | https://u:p@id.example.com      | begins with https://
          issuer        | ''                              | issuer is missing
          client-id     | ' '                             | client-id is missing
          client_secret | a                               | client_secret is not one of ca, client-id, client-secret,
          scope         | profile                         | has no openid
          redirect      | http://center.example.com       | https://HOST or https://HOST:PORT
          redirect      | https://center.example.com/a    | https://HOST or https://HOST:PORT
          role.admin    | *                               | would be an admin
          role.viewer   | ''                              | no role is given to anybody
          ca            | absent.pem                      | ca=absent.pem cannot be read
          sites         | ''                              | sites: names with commas
          sites         | *, north                        | sites: names with commas
          prompt        | none                            | prompt=none is not one of consent, login, select_account
          isuer         | a                               | did you mean issuer?
          label         | 0123456789012345678901234567890123456789012345678901234567890 | more than 60
          """)
  void whatIsWrongIsSaid(String key, String value, String message) {
    assertThatThrownBy(() -> parse(key, value))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }

  @Test
  void allThatIsWrongIsSaidAtOnce() {
    assertThatThrownBy(() -> OidcOptions.parse(Map.of("rolls", "x"), directory))
        .hasMessageContaining("rolls is not one of")
        .hasMessageContaining("issuer is missing")
        .hasMessageContaining("client-id is missing")
        .hasMessageContaining("no role is given");
  }

  @Test
  void onThisMachineAProviderMayDoWithoutTls() {
    for (String issuer : List.of("http://127.0.0.1:8080", "http://localhost", "http://[::1]:1")) {
      assertThat(parse("issuer", issuer).issuer()).isEqualTo(issuer);
    }
  }

  @Test
  void aFileThatIsNoCertificateIsRefused() throws Exception {
    Files.writeString(directory.resolve("ca.pem"), "");
    assertThatThrownBy(() -> parse("ca", "ca.pem")).hasMessageContaining("ca=ca.pem");
  }
}
