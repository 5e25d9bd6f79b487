package io.sedge.identity;

import java.io.IOException;
import java.math.BigInteger;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.regex.Pattern;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.CertIOException;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509ExtensionUtils;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/**
 * A certificate authority, of a site or of a center: a key that signs certificates of devices or
 * sites and nothing else, and its own certificate, which all of them trust. The key is in {@code
 * key.pem} of its directory, and only a device that has it can let others in. Any thread.
 */
public final class Authority {
  /** Certificates are valid from this long before they were made: clocks differ. */
  static final Duration BACKDATED = Duration.ofHours(1);

  private static final Duration OWN_VALIDITY = Duration.ofDays(36_500);
  private static final String KEY = "key.pem";
  private static final String CERTIFICATE = "certificate.pem";
  private static final String ALGORITHM = "SHA256withECDSA";
  private static final int SERIAL_BITS = 127;
  private static final int PROOF_BYTES = 32;
  private static final Pattern NUMERIC = Pattern.compile("[0-9.]+|[0-9a-fA-F:.]*:[0-9a-fA-F:.]*");

  private final KeyPair keys;
  private final X509Certificate certificate;

  private Authority(KeyPair keys, X509Certificate certificate) {
    this.keys = keys;
    this.certificate = certificate;
  }

  /** Whether there is one in a directory. */
  public static boolean existsIn(Path directory) {
    return Files.exists(directory.resolve(CERTIFICATE));
  }

  /** Makes one, for a new site. */
  public static Authority create(Path directory, String name, Instant now)
      throws IOException, GeneralSecurityException {
    SecretFiles.makeDirectory(directory);
    KeyPair keys = Pem.newKeys();
    X500Principal self = new X500Principal("CN=authority of " + name);
    X509Certificate certificate =
        build(keys, self, self, keys.getPublic(), now, OWN_VALIDITY, true, List.of());
    Pem.write(directory.resolve(KEY), keys);
    Pem.write(directory.resolve(CERTIFICATE), certificate);
    return new Authority(keys, certificate);
  }

  /** The one in a directory. */
  public static Authority open(Path directory) throws IOException, GeneralSecurityException {
    KeyPair keys = Pem.readKeys(directory.resolve(KEY));
    X509Certificate certificate = Pem.readCertificate(directory.resolve(CERTIFICATE));
    if (!certificate.getPublicKey().equals(keys.getPublic())) {
      throw new GeneralSecurityException(
          "key and certificate in %s do not belong together".formatted(directory));
    }
    SecretFiles.makeDirectory(directory);
    SecretFiles.protect(directory.resolve(KEY));
    return new Authority(keys, certificate);
  }

  /**
   * Writes the one that another device gave; the certificate last, since it says that all is there.
   *
   * @param key as {@link #key} gave it
   * @throws GeneralSecurityException if it is not the certificate's; nothing was written
   */
  static void write(Path directory, byte[] key, X509Certificate certificate)
      throws IOException, GeneralSecurityException {
    PrivateKey secret = Pem.privateKey(key);
    if (!belongTogether(secret, certificate.getPublicKey())) {
      throw new GeneralSecurityException("a key that is not the one of this site's authority");
    }
    SecretFiles.makeDirectory(directory);
    Pem.write(directory.resolve(KEY), new KeyPair(certificate.getPublicKey(), secret));
    Pem.write(directory.resolve(CERTIFICATE), certificate);
  }

  private static boolean belongTogether(PrivateKey secret, PublicKey shown)
      throws GeneralSecurityException {
    byte[] text = new byte[PROOF_BYTES];
    new SecureRandom().nextBytes(text);
    Signature signing = Signature.getInstance(ALGORITHM);
    signing.initSign(secret);
    signing.update(text);
    byte[] signature = signing.sign();
    Signature checking = Signature.getInstance(ALGORITHM);
    checking.initVerify(shown);
    checking.update(text);
    return checking.verify(signature);
  }

  /** Takes back what {@link #write} wrote. */
  static void remove(Path directory) throws IOException {
    Files.deleteIfExists(directory.resolve(CERTIFICATE));
    Files.deleteIfExists(directory.resolve(KEY));
  }

  public X509Certificate certificate() {
    return certificate;
  }

  /** The secret, PKCS #8: for a device that a person gives it to, and nobody else. */
  byte[] key() {
    return keys.getPrivate().getEncoded();
  }

  /**
   * Signs a certificate, for both ends of connections.
   *
   * @param name whose it is
   * @param hosts the addresses under which others reach it; none if nobody connects to it
   */
  public X509Certificate sign(
      String name, PublicKey key, List<String> hosts, Instant now, Duration validity)
      throws GeneralSecurityException {
    return build(
        keys,
        certificate.getSubjectX500Principal(),
        new X500Principal("CN=" + name),
        key,
        now,
        validity,
        false,
        hosts);
  }

  private static X509Certificate build(
      KeyPair signer,
      X500Principal issuer,
      X500Principal subject,
      PublicKey key,
      Instant now,
      Duration validity,
      boolean authority,
      List<String> hosts)
      throws GeneralSecurityException {
    try {
      JcaX509v3CertificateBuilder builder =
          new JcaX509v3CertificateBuilder(
              issuer,
              new BigInteger(SERIAL_BITS, new SecureRandom()).add(BigInteger.ONE),
              Date.from(now.minus(BACKDATED)),
              Date.from(now.plus(validity)),
              subject,
              key);
      JcaX509ExtensionUtils extensions = new JcaX509ExtensionUtils();
      builder.addExtension(
          Extension.authorityKeyIdentifier,
          false,
          extensions.createAuthorityKeyIdentifier(signer.getPublic()));
      builder.addExtension(
          Extension.subjectKeyIdentifier, false, extensions.createSubjectKeyIdentifier(key));
      if (authority) {
        builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(0));
        builder.addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.keyCertSign));
      } else {
        addDeviceExtensions(builder, hosts);
      }
      return new JcaX509CertificateConverter()
          .getCertificate(
              builder.build(new JcaContentSignerBuilder(ALGORITHM).build(signer.getPrivate())));
    } catch (OperatorCreationException | CertIOException e) {
      throw new GeneralSecurityException("making a certificate", e);
    }
  }

  private static void addDeviceExtensions(JcaX509v3CertificateBuilder builder, List<String> hosts)
      throws CertIOException {
    builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(false));
    builder.addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature));
    builder.addExtension(
        Extension.extendedKeyUsage,
        false,
        new ExtendedKeyUsage(
            new KeyPurposeId[] {KeyPurposeId.id_kp_serverAuth, KeyPurposeId.id_kp_clientAuth}));
    if (!hosts.isEmpty()) {
      GeneralName[] names =
          hosts.stream().map(Authority::alternativeName).toArray(GeneralName[]::new);
      builder.addExtension(Extension.subjectAlternativeName, false, new GeneralNames(names));
    }
  }

  private static GeneralName alternativeName(String host) {
    return NUMERIC.matcher(host).matches()
        ? new GeneralName(GeneralName.iPAddress, InetAddress.ofLiteral(host).getHostAddress())
        : new GeneralName(GeneralName.dNSName, host);
  }
}
