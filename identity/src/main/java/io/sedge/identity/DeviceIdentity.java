package io.sedge.identity;

import io.sedge.replication.Tls;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/**
 * A device's key, which never leaves it, its certificate, which changes when it is renewed, and the
 * authority that it trusts. Files in its directory: {@code key.pem}, {@code certificate.pem},
 * {@code authority.pem}. Any thread.
 */
public final class DeviceIdentity {
  private static final String KEY = "key.pem";
  private static final String CERTIFICATE = "certificate.pem";
  private static final String AUTHORITY = "authority.pem";

  private final Path directory;
  private final KeyPair keys;
  private final X509Certificate authority;
  private final PeerTrust trust;
  private volatile X509Certificate certificate;

  private DeviceIdentity(
      Path directory,
      KeyPair keys,
      X509Certificate authority,
      X509Certificate certificate,
      InstantSource clock) {
    this.directory = directory;
    this.keys = keys;
    this.authority = authority;
    this.certificate = certificate;
    this.trust = new PeerTrust(authority, clock, () -> this.certificate.getNotBefore().toInstant());
  }

  /** The device's key; made at the first call. */
  static KeyPair keys(Path directory) throws IOException, GeneralSecurityException {
    SecretFiles.makeDirectory(directory);
    Path file = keyIn(directory);
    if (!Files.exists(file)) {
      Pem.write(file, Pem.newKeys());
    }
    SecretFiles.protect(file);
    return Pem.readKeys(file);
  }

  /** The key's file in a directory. */
  public static Path keyIn(Path directory) {
    return directory.resolve(KEY);
  }

  /** The certificate's file in a directory. */
  public static Path certificateIn(Path directory) {
    return directory.resolve(CERTIFICATE);
  }

  /** Whether a directory has all that an identity needs. */
  public static boolean existsIn(Path directory) {
    return Files.exists(certificateIn(directory));
  }

  /** Writes what an authority gave; the certificate last, since it says that all is there. */
  static void write(Path directory, X509Certificate authority, X509Certificate certificate)
      throws IOException, GeneralSecurityException {
    SecretFiles.makeDirectory(directory);
    Pem.write(directory.resolve(AUTHORITY), authority);
    Pem.write(directory.resolve(CERTIFICATE), certificate);
  }

  /** Makes the identity of who has the authority, if it is not there. */
  public static void found(
      Path directory,
      Authority authority,
      String name,
      List<String> hosts,
      Instant now,
      Duration validity)
      throws IOException, GeneralSecurityException {
    if (!existsIn(directory)) {
      KeyPair keys = keys(directory);
      write(
          directory,
          authority.certificate(),
          authority.sign(name, keys.getPublic(), hosts, now, validity));
    }
  }

  /** The identity in a directory. */
  public static DeviceIdentity open(Path directory, InstantSource clock)
      throws IOException, GeneralSecurityException {
    KeyPair keys = keys(directory);
    X509Certificate certificate = Pem.readCertificate(directory.resolve(CERTIFICATE));
    if (!certificate.getPublicKey().equals(keys.getPublic())) {
      throw new GeneralSecurityException(
          "key and certificate in %s do not belong together".formatted(directory));
    }
    return new DeviceIdentity(
        directory, keys, Pem.readCertificate(directory.resolve(AUTHORITY)), certificate, clock);
  }

  /** The name in the certificate. */
  public String name() {
    try {
      return SigningRequest.commonName(certificate.getSubjectX500Principal());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("a certificate of ours has a name", e);
    }
  }

  /** What tells this device's key from all others. */
  public String keyFingerprint() {
    return Fingerprint.of(keys.getPublic().getEncoded());
  }

  public X509Certificate authority() {
    return authority;
  }

  public X509Certificate certificate() {
    return certificate;
  }

  /** Who is let in. */
  public PeerTrust trust() {
    return trust;
  }

  /** Whether less than a third of the certificate's life is left. */
  public boolean isToBeRenewed(Instant now) {
    X509Certificate present = certificate;
    Instant end = present.getNotAfter().toInstant();
    Instant begin = present.getNotBefore().toInstant().plus(Authority.BACKDATED);
    return now.isAfter(end.minus(Duration.between(begin, end).dividedBy(3)));
  }

  byte[] signingRequest() throws GeneralSecurityException {
    return SigningRequest.create(name(), keys);
  }

  /** Takes another certificate for the same key and name; new connections show it. */
  public void replace(X509Certificate renewed) throws IOException, GeneralSecurityException {
    renewed.verify(authority.getPublicKey());
    if (!renewed.getPublicKey().equals(keys.getPublic())
        || !renewed.getSubjectX500Principal().equals(certificate.getSubjectX500Principal())) {
      throw new GeneralSecurityException("the new certificate is of another key or name");
    }
    Pem.write(directory.resolve(CERTIFICATE), renewed);
    certificate = renewed;
  }

  /** Takes a certificate of an authority for other addresses of this device. */
  public void readdress(Authority by, List<String> hosts, Instant now, Duration validity)
      throws IOException, GeneralSecurityException {
    replace(by.sign(name(), keys.getPublic(), hosts, now, validity));
  }

  /** The certificate as it is at each connection, and whom it trusts. */
  public Tls tls() {
    return new Tls(new Keys(), trust);
  }

  /** Shows the certificate of the moment, to who connects and to whom it connects. */
  public X509ExtendedKeyManager keyManager() {
    return new Keys();
  }

  /** Shows the one key, with the certificate of the moment. */
  private final class Keys extends X509ExtendedKeyManager {
    private static final String OWN = "own";
    private static final String TYPE = "EC";

    @Override
    public String[] getClientAliases(String keyType, Principal @Nullable [] issuers) {
      return new String[] {OWN};
    }

    @Override
    public @Nullable String chooseClientAlias(
        String[] keyTypes, Principal @Nullable [] issuers, @Nullable Socket socket) {
      return java.util.Arrays.asList(keyTypes).contains(TYPE) ? OWN : null;
    }

    @Override
    public @Nullable String chooseEngineClientAlias(
        String[] keyTypes, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
      return chooseClientAlias(keyTypes, issuers, null);
    }

    @Override
    public String[] getServerAliases(String keyType, Principal @Nullable [] issuers) {
      return new String[] {OWN};
    }

    @Override
    public @Nullable String chooseServerAlias(
        String keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
      return keyType.equals(TYPE) ? OWN : null;
    }

    @Override
    public @Nullable String chooseEngineServerAlias(
        String keyType, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
      return chooseServerAlias(keyType, issuers, null);
    }

    @Override
    public X509Certificate[] getCertificateChain(String alias) {
      return new X509Certificate[] {certificate, authority};
    }

    @Override
    public PrivateKey getPrivateKey(String alias) {
      return keys.getPrivate();
    }
  }
}
