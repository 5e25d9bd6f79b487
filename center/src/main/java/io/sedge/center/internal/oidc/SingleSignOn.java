package io.sedge.center.internal.oidc;

import com.fasterxml.jackson.databind.JsonNode;
import io.sedge.center.OidcOptions;
import io.sedge.center.internal.oidc.PendingLogins.Pending;
import io.sedge.center.internal.oidc.ProviderException.Reason;
import io.sedge.center.internal.oidc.ProviderHttp.Answer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Logs people in at a provider of OpenID Connect: the authorization code flow with PKCE.
 *
 * <pre>
 *   begin    asks the provider what it is, and keeps state, nonce and verifier
 *   redeem   takes what the browser has brought back, gets the ID token for it, and checks that
 * </pre>
 *
 * Nothing of the provider is kept between logins but for those that are under way: its keys may
 * change, and it may be away. Any thread, which waits for the provider.
 */
public final class SingleSignOn implements AutoCloseable {
  /** Until when a login is to be ended that has begun. */
  public static final Duration LIFE = PendingLogins.LIFE;

  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final OidcOptions options;
  private final ProviderHttp http;
  private final PendingLogins pending;
  private final IdTokens tokens;

  public SingleSignOn(OidcOptions options, InstantSource clock, LongSupplier nanoClock) {
    this.options = options;
    this.http = new ProviderHttp(options.authorities(), PATIENCE);
    this.pending = new PendingLogins(nanoClock);
    this.tokens = new IdTokens(options, clock);
  }

  public OidcOptions options() {
    return options;
  }

  /** Says in the log if the provider cannot be asked now. */
  public void look(Consumer<String> log) {
    Thread.ofVirtual()
        .name("sedge-login-provider-look")
        .start(
            () -> {
              try {
                var _ = Provider.ask(http, options.issuer());
              } catch (ProviderException e) {
                log.accept(
                    "%s; until it does, people log in with passwords alone"
                        .formatted(e.getMessage()));
              } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
              }
            });
  }

  /**
   * A login that has begun.
   *
   * @param location where the browser goes
   * @param browser what its cookie has to say when it comes back
   */
  public record Begun(String location, String browser) {
    /** Without its secrets. */
    @Override
    public String toString() {
      return "Begun[...]";
    }
  }

  /**
   * Begins a login.
   *
   * @param redirect where the provider is to send the browser
   * @param before what the browser's cookie says of a login that it has begun before, which may end
   *     still
   * @throws ProviderException AWAY; BUSY
   */
  public Begun begin(String redirect, Optional<String> before)
      throws ProviderException, InterruptedException {
    Provider provider = Provider.ask(http, options.issuer());
    String state = Secrets.fresh();
    Pending login =
        new Pending(
            before.filter(Secrets::isWellFormed).orElseGet(Secrets::fresh),
            Secrets.fresh(),
            Secrets.fresh(),
            redirect,
            provider);
    Map<String, String> asked = new LinkedHashMap<>();
    asked.put("response_type", "code");
    asked.put("client_id", options.clientId());
    asked.put("redirect_uri", redirect);
    asked.put("scope", options.scope());
    asked.put("state", state);
    asked.put("nonce", login.nonce());
    asked.put("code_challenge", Secrets.challenge(login.verifier()));
    asked.put("code_challenge_method", "S256");
    options.prompt().ifPresent(prompt -> asked.put("prompt", prompt));
    pending.keep(state, login);
    String address = provider.authorization().toString();
    return new Begun(
        address + (address.contains("?") ? "&" : "?") + ProviderHttp.encoded(asked),
        login.browser());
  }

  /**
   * What a browser has brought back.
   *
   * @param issuer who the provider says that it is
   */
  public record Returned(String state, String code, Optional<String> issuer) {
    /** Without its secrets. */
    @Override
    public String toString() {
      return "Returned[...]";
    }
  }

  /** Whether another login of a browser is under way, as in a second tab. */
  public boolean isUnderWay(String browser) {
    return pending.hasOne(browser);
  }

  /**
   * Ends a login, once.
   *
   * @param browser what the browser's cookie says
   * @throws ProviderException for each reason
   */
  public Identity redeem(String browser, Returned returned)
      throws ProviderException, InterruptedException {
    Pending login =
        pending
            .take(returned.state(), browser)
            .orElseThrow(
                () ->
                    new ProviderException(
                        Reason.ENDED,
                        "the login was begun more than %d minutes ago, by another browser, or was"
                                .formatted(LIFE.toMinutes())
                            + " used: begin again"));
    boolean saysIssuer = login.provider().saysIssuer();
    if (!returned.issuer().map(options.issuer()::equals).orElse(!saysIssuer)) {
      throw new ProviderException(
          Reason.REFUSED, "the browser comes from another login provider than it was sent to");
    }
    String token = token(login, returned.code());
    String keys = http.get(login.provider().keys());
    return Identity.of(options, tokens.claims(token, keys, login.nonce()));
  }

  private String token(Pending login, String code) throws ProviderException, InterruptedException {
    Map<String, String> form = new LinkedHashMap<>();
    form.put("grant_type", "authorization_code");
    form.put("code", code);
    form.put("redirect_uri", login.redirect());
    form.put("code_verifier", login.verifier());
    if (options.clientSecret().isEmpty()) {
      form.put("client_id", options.clientId());
    }
    Answer answer =
        http.post(login.provider().token(), form, options.clientSecret().map(this::basic));
    if (answer.status() == 400 || answer.status() == 401) {
      if (Provider.json(answer.body()).path("error").asText().equals("invalid_client")) {
        throw new ProviderException(
            Reason.AWAY,
            "the login provider does not know this center: client-id or client-secret is wrong, or"
                + " the secret has ended");
      }
      throw new ProviderException(
          Reason.REFUSED, "the login provider does not accept the code: begin again");
    }
    if (!answer.isGood()) {
      throw ProviderHttp.unexpected(login.provider().token(), answer);
    }
    JsonNode token = Provider.json(answer.body()).path("id_token");
    if (!token.isTextual()) {
      throw new ProviderException(Reason.REFUSED, "the login provider gives no ID token");
    }
    return token.textValue();
  }

  /** As RFC 6749, 2.3.1, has it: both are encoded as in a form. */
  private String basic(String secret) {
    String both = ProviderHttp.encoded(options.clientId()) + ":" + ProviderHttp.encoded(secret);
    return "Basic " + Base64.getEncoder().encodeToString(both.getBytes(StandardCharsets.US_ASCII));
  }

  @Override
  public void close() {
    http.close();
  }
}
