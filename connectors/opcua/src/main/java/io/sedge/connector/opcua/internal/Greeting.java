package io.sedge.connector.opcua.internal;

import io.sedge.connector.ConnectorContext;
import io.sedge.connector.Reports;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.Security;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.eclipse.milo.opcua.sdk.client.OpcUaClientConfigBuilder;
import org.eclipse.milo.opcua.sdk.client.identity.AnonymousProvider;
import org.eclipse.milo.opcua.sdk.client.identity.UsernameProvider;
import org.eclipse.milo.opcua.stack.core.StatusCodes;
import org.eclipse.milo.opcua.stack.core.UaException;
import org.eclipse.milo.opcua.stack.core.security.SecurityPolicy;
import org.eclipse.milo.opcua.stack.core.transport.TransportProfile;
import org.eclipse.milo.opcua.stack.core.types.builtin.LocalizedText;
import org.eclipse.milo.opcua.stack.core.types.enumerated.MessageSecurityMode;
import org.eclipse.milo.opcua.stack.core.types.enumerated.UserTokenType;
import org.eclipse.milo.opcua.stack.core.types.structured.EndpointDescription;
import org.eclipse.milo.opcua.stack.core.types.structured.UserTokenPolicy;
import org.eclipse.milo.opcua.stack.core.util.CertificateUtil;
import org.eclipse.milo.opcua.stack.core.util.EndpointUtil;
import org.jspecify.annotations.Nullable;

/**
 * How client and server get to know each other: which endpoint is taken, whether its certificate is
 * trusted, and who this client says it is. One thread.
 */
final class Greeting {
  private final LinkSettings settings;
  private final ConnectorContext context;
  private final Reports reports;
  private final ServerTrust trust;
  private boolean said;

  Greeting(LinkSettings settings, ConnectorContext context, Reports reports) {
    this.settings = settings;
    this.context = context;
    this.reports = reports;
    this.trust = new ServerTrust(settings.security(), reports);
  }

  /** The endpoint that fits the table's options, whose server is trusted. */
  EndpointDescription choose(List<EndpointDescription> offered) throws ConnectorRefusal {
    Policy policy = settings.security().policy();
    MessageSecurityMode mode = mode();
    EndpointDescription found =
        offered.stream()
            .filter(endpoint -> policy.uri().equals(endpoint.getSecurityPolicyUri()))
            .filter(endpoint -> mode == endpoint.getSecurityMode())
            .filter(
                endpoint ->
                    TransportProfile.TCP_UASC_UABINARY
                        .getUri()
                        .equals(endpoint.getTransportProfileUri()))
            .findFirst()
            .orElseThrow(
                () ->
                    new ConnectorRefusal(
                        "the server has no endpoint with 'security-policy' = '%s'%s; it has %s"
                            .formatted(
                                policy,
                                policy == Policy.NONE
                                    ? ""
                                    : " and 'security-mode' = '%s'".formatted(name(mode)),
                                described(offered))));
    checkLogin(found);
    if (policy != Policy.NONE) {
      trust.check(chain(found), host(), context.clock().instant());
    } else if (!said) {
      reports.warn(
          "'security-policy' = 'None': anybody on the way to the server can read and change what is"
              + " sent. It has "
              + described(offered));
    }
    said = true;
    // Servers behind other addresses, and those that know themselves as 0.0.0.0, say what does not
    // lead to them from here.
    URI url = URI.create(settings.url());
    return EndpointUtil.updateUrl(found, host(), url.getPort() < 0 ? 4840 : url.getPort());
  }

  private MessageSecurityMode mode() {
    return settings.security().policy() == Policy.NONE
        ? MessageSecurityMode.None
        : settings.security().encrypts()
            ? MessageSecurityMode.SignAndEncrypt
            : MessageSecurityMode.Sign;
  }

  private String host() {
    return Objects.requireNonNull(URI.create(settings.url()).getHost());
  }

  private static String name(MessageSecurityMode mode) {
    return switch (mode) {
      case Sign -> "sign";
      case SignAndEncrypt -> "sign-and-encrypt";
      case None, Invalid -> "none";
    };
  }

  /** What a server offers, for people: {@code None; Basic256Sha256 (sign, sign-and-encrypt)}. */
  static String described(List<EndpointDescription> offered) {
    return offered.stream()
        .map(
            endpoint -> "%s (%s)".formatted(policyName(endpoint), name(endpoint.getSecurityMode())))
        .map(text -> text.replace(" (none)", ""))
        .distinct()
        .collect(Collectors.joining(", "));
  }

  static String policyName(EndpointDescription endpoint) {
    String uri = String.valueOf(endpoint.getSecurityPolicyUri());
    return uri.substring(uri.indexOf('#') + 1);
  }

  private static List<X509Certificate> chain(EndpointDescription endpoint) throws ConnectorRefusal {
    try {
      List<X509Certificate> chain =
          CertificateUtil.decodeCertificates(endpoint.getServerCertificate().bytesOrEmpty());
      if (!chain.isEmpty()) {
        return chain;
      }
    } catch (UaException e) {
      throw new ConnectorRefusal("the server's certificate cannot be read: " + e.getMessage(), e);
    }
    throw new ConnectorRefusal("the server has no certificate, so it cannot be trusted");
  }

  private void checkLogin(EndpointDescription endpoint) throws ConnectorRefusal {
    UserTokenType wanted =
        settings.username().isPresent() ? UserTokenType.UserName : UserTokenType.Anonymous;
    if (Stream.of(tokens(endpoint)).noneMatch(token -> token.getTokenType() == wanted)) {
      throw new ConnectorRefusal(
          settings.username().isPresent()
              ? "the server takes no user names at this endpoint; leave out 'username'"
              : "the server takes no anonymous users at this endpoint; write 'username' and"
                  + " 'password'");
    }
    if (settings.username().isPresent()
        && Stream.of(tokens(endpoint))
            .noneMatch(token -> isUser(token) && encrypts(token, endpoint))) {
      throw new ConnectorRefusal(
          "the server takes the password only where anybody on the way can read it; write another"
              + " 'security-policy', such as Basic256Sha256");
    }
  }

  private static UserTokenPolicy[] tokens(EndpointDescription endpoint) {
    UserTokenPolicy[] tokens = endpoint.getUserIdentityTokens();
    return tokens == null ? new UserTokenPolicy[0] : tokens;
  }

  private static boolean isUser(UserTokenPolicy token) {
    return token.getTokenType() == UserTokenType.UserName;
  }

  private static boolean encrypts(UserTokenPolicy token, EndpointDescription endpoint) {
    @Nullable String uri = token.getSecurityPolicyUri();
    boolean own = uri != null && !uri.isEmpty();
    return !SecurityPolicy.None.getUri().equals(own ? uri : endpoint.getSecurityPolicyUri())
        || endpoint.getSecurityMode() == MessageSecurityMode.SignAndEncrypt;
  }

  /** Puts in who this client is. */
  OpcUaClientConfigBuilder introduce(OpcUaClientConfigBuilder config, EndpointDescription endpoint)
      throws ConnectorRefusal {
    config
        .setApplicationName(LocalizedText.english("Sedge"))
        .setProductUri("urn:sedge")
        .setSessionName(() -> "sedge")
        .setCertificateValidator(this::validate);
    settings
        .username()
        .ifPresentOrElse(
            user ->
                config.setIdentityProvider(
                    new UsernameProvider(
                        user,
                        () -> settings.password().getBytes(StandardCharsets.UTF_8),
                        this::validate,
                        tokens ->
                            tokens.stream()
                                .filter(token -> encrypts(token, endpoint))
                                .findFirst()
                                .orElseThrow())),
            () -> config.setIdentityProvider(AnonymousProvider.INSTANCE));
    if (settings.security().policy() == Policy.NONE) {
      return config.setApplicationUri("urn:sedge:client");
    }
    if (settings.security().policy() == Policy.AES256) {
      // The JDK has RSA-PSS under another name than Milo asks for.
      Security.addProvider(new BouncyCastleProvider());
    }
    ClientIdentity identity = ClientIdentity.of(context.data());
    if (identity.isNew()) {
      reports.warn(
          ("made this device's certificate for OPC UA: thumbprint %s, in %s. A server that does not"
               + " know it refuses the first connection: accept it there, in its list of rejected"
               + " certificates")
              .formatted(identity.thumbprint(), identity.file()));
    }
    return config
        .setApplicationUri(identity.applicationUri())
        .setKeyPair(identity.keys())
        .setCertificate(identity.certificate())
        .setCertificateChain(new X509Certificate[] {identity.certificate()});
  }

  /** Called by Milo with the certificate that the server uses in the end. */
  private void validate(
      List<X509Certificate> chain, @Nullable String uri, String @Nullable [] hosts)
      throws UaException {
    try {
      trust.check(chain, host(), context.clock().instant());
    } catch (ConnectorRefusal e) {
      throw new UaException(StatusCodes.Bad_CertificateUntrusted, e);
    }
  }
}
