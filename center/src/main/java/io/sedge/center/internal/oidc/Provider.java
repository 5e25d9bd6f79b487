package io.sedge.center.internal.oidc;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.sedge.center.OidcOptions;
import io.sedge.center.internal.oidc.ProviderException.Reason;
import java.net.URI;
import java.net.URISyntaxException;

/**
 * What a provider says of itself (OpenID Connect Discovery 1.0).
 *
 * @param authorization where browsers are sent
 * @param token where codes are redeemed
 * @param keys where its public keys are
 * @param saysIssuer whether it tells a browser that comes back who it is (RFC 9207)
 */
record Provider(URI authorization, URI token, URI keys, boolean saysIssuer) {
  private static final JsonMapper JSON = new JsonMapper();

  /**
   * Asks for it.
   *
   * @throws ProviderException AWAY; BUSY
   */
  static Provider ask(ProviderHttp http, String issuer)
      throws ProviderException, InterruptedException {
    URI address = URI.create(issuer.replaceFirst("/$", "") + "/.well-known/openid-configuration");
    JsonNode said = json(http.get(address));
    if (!issuer.equals(said.path("issuer").asText())) {
      throw new ProviderException(
          Reason.AWAY,
          "what is at %s is of another issuer: set issuer = to exactly what it says there"
              .formatted(address));
    }
    boolean plain = "http".equalsIgnoreCase(address.getScheme());
    return new Provider(
        endpoint(said, "authorization_endpoint", plain),
        endpoint(said, "token_endpoint", plain),
        endpoint(said, "jwks_uri", plain),
        said.path("authorization_response_iss_parameter_supported").asBoolean());
  }

  /**
   * An address that the provider names.
   *
   * @param plain whether the provider itself is asked without TLS, on this machine
   */
  private static URI endpoint(JsonNode said, String name, boolean plain) throws ProviderException {
    try {
      URI address = new URI(said.path(name).asText());
      if (OidcOptions.isSafe(address) && (plain || "https".equalsIgnoreCase(address.getScheme()))) {
        return address;
      }
    } catch (URISyntaxException _) {
      // Said below.
    }
    throw new ProviderException(
        Reason.AWAY, "the login provider names no %s that begins with https://".formatted(name));
  }

  /**
   * Reads an answer.
   *
   * @throws ProviderException AWAY
   */
  static JsonNode json(String answer) throws ProviderException {
    try {
      return JSON.readTree(answer);
    } catch (JsonProcessingException e) {
      // Its message has parts of the answer, and stays here.
      throw new ProviderException(
          Reason.AWAY, "the login provider answers something that is not JSON", e);
    }
  }
}
