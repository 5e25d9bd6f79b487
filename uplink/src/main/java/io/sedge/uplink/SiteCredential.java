package io.sedge.uplink;

import static java.util.Objects.requireNonNull;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * What a device needs to report to a center as its site: where the center is, the site's key and
 * certificate, and the authority that the center's certificate is signed with. It is one text, so
 * that a site can keep it among its secrets:
 *
 * <pre>
 *   center: HOST:PORT
 *   site: NAME
 *   limit: bytes a second, 0 for no limit
 *   the certificate, the authority's, the key: PEM
 * </pre>
 *
 * @param center {@code host:port}
 * @param site the name that the center knows the site by
 * @param limit bytes a second that a device may send; 0 for no limit
 */
public record SiteCredential(
    String center,
    String site,
    long limit,
    X509Certificate certificate,
    X509Certificate authority,
    PrivateKey key) {
  /** What a site calls the secret that holds it. */
  public static final String SECRET = "center";

  private static final Pattern LINE = Pattern.compile("(?m)^(center|site|limit): (.*)$");
  private static final Pattern BLOCK =
      Pattern.compile("-----BEGIN ([A-Z ]+)-----([A-Za-z0-9+/=\\s]+)-----END \\1-----");
  private static final String CERTIFICATE = "CERTIFICATE";
  private static final String KEY = "PRIVATE KEY";
  private static final int PEM_LINE = 64;

  /** The text that {@link #parse} reads. */
  public String text() throws GeneralSecurityException {
    return "center: %s%nsite: %s%nlimit: %d%n".formatted(center, site, limit)
        + block(CERTIFICATE, certificate.getEncoded())
        + block(CERTIFICATE, authority.getEncoded())
        + block(KEY, key.getEncoded());
  }

  private static String block(String type, byte[] bytes) {
    String body = Base64.getMimeEncoder(PEM_LINE, new byte[] {'\n'}).encodeToString(bytes);
    return "-----BEGIN %s-----\n%s\n-----END %s-----\n".formatted(type, body, type);
  }

  /**
   * Reads the text.
   *
   * @throws GeneralSecurityException if it is none, whose message never quotes it
   */
  public static SiteCredential parse(String text) throws GeneralSecurityException {
    Map<String, String> lines = new HashMap<>();
    Matcher line = LINE.matcher(text);
    while (line.find()) {
      lines.put(line.group(1), line.group(2).strip());
    }
    List<X509Certificate> certificates = new ArrayList<>();
    PrivateKey key = null;
    Matcher block = BLOCK.matcher(text);
    try {
      while (block.find()) {
        byte[] bytes = Base64.getMimeDecoder().decode(block.group(2));
        if (block.group(1).equals(CERTIFICATE)) {
          certificates.add(certificate(bytes));
        } else if (block.group(1).equals(KEY)) {
          key = KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(bytes));
        }
      }
      if (lines.size() == 3 && certificates.size() == 2 && key != null) {
        return new SiteCredential(
            requireNonNull(lines.get("center")),
            requireNonNull(lines.get("site")),
            Long.parseLong(lines.get("limit")),
            certificates.getFirst(),
            certificates.getLast(),
            key);
      }
    } catch (IllegalArgumentException e) {
      throw new GeneralSecurityException("a credential that is damaged", e);
    }
    throw new GeneralSecurityException("a text that is no credential of a site at a center");
  }

  private static X509Certificate certificate(byte[] bytes) throws GeneralSecurityException {
    return (X509Certificate)
        CertificateFactory.getInstance("X.509")
            .generateCertificate(new ByteArrayInputStream(bytes));
  }

  /** When the certificate ends. */
  public Instant endsAt() {
    return certificate.getNotAfter().toInstant();
  }

  /** A key for a site that is to enrol. */
  public static KeyPair newKeys() throws GeneralSecurityException {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
    generator.initialize(new ECGenParameterSpec("secp256r1"));
    return generator.generateKeyPair();
  }

  /** The key, with which the center is asked for another certificate. */
  public KeyPair keys() {
    return new KeyPair(certificate.getPublicKey(), key);
  }

  /**
   * What a center has answered, if it belongs to the key that was made.
   *
   * @throws GeneralSecurityException if it is not signed by the authority, or is of another key
   */
  public static SiteCredential of(String center, long limit, KeyPair keys, EnrolmentAnswer answer)
      throws GeneralSecurityException {
    answer.certificate().verify(answer.authority().getPublicKey());
    if (!answer.certificate().getPublicKey().equals(keys.getPublic())) {
      throw new GeneralSecurityException("the certificate is of another key");
    }
    return new SiteCredential(
        center, answer.site(), limit, answer.certificate(), answer.authority(), keys.getPrivate());
  }

  /**
   * The same with what the center has answered since.
   *
   * @throws GeneralSecurityException also if it is of another authority
   */
  public SiteCredential renewed(EnrolmentAnswer answer) throws GeneralSecurityException {
    if (!answer.authority().equals(authority)) {
      throw new GeneralSecurityException("the certificate is of another center");
    }
    return of(center, limit, keys(), answer);
  }

  /** For connections to the center, as the site. */
  SSLContext tls() throws GeneralSecurityException {
    try {
      KeyStore own = KeyStore.getInstance("PKCS12");
      own.load(null, null);
      char[] none = new char[0];
      own.setKeyEntry("site", key, none, new Certificate[] {certificate, authority});
      KeyManagerFactory keys =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      keys.init(own, none);
      KeyStore others = KeyStore.getInstance("PKCS12");
      others.load(null, null);
      others.setCertificateEntry("authority", authority);
      TrustManagerFactory trust =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trust.init(others);
      SSLContext context = SSLContext.getInstance("TLSv1.3");
      context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
      return context;
    } catch (IOException e) {
      throw new GeneralSecurityException("a key store in memory", e);
    }
  }

  /** Without the key. */
  @Override
  public String toString() {
    return "SiteCredential[center=%s, site=%s]".formatted(center, site);
  }
}
