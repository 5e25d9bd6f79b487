package io.sedge.identity;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.PublicKey;
import java.security.interfaces.ECPublicKey;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.operator.jcajce.JcaContentVerifierProviderBuilder;
import org.bouncycastle.pkcs.PKCSException;
import org.bouncycastle.pkcs.jcajce.JcaPKCS10CertificationRequest;
import org.bouncycastle.pkcs.jcajce.JcaPKCS10CertificationRequestBuilder;

/**
 * What a device or a site asks an authority to sign (PKCS #10): its name and its key, signed with
 * that key.
 */
public record SigningRequest(String name, PublicKey key) {
  private static final String ALGORITHM = "SHA256withECDSA";
  private static final String COMMON_NAME = "CN=";
  private static final int KEY_BITS = 256;

  /** Makes a request, DER. */
  public static byte[] create(String name, KeyPair keys) throws GeneralSecurityException {
    try {
      return new JcaPKCS10CertificationRequestBuilder(
              new X500Principal(COMMON_NAME + name), keys.getPublic())
          .build(new JcaContentSignerBuilder(ALGORITHM).build(keys.getPrivate()))
          .getEncoded();
    } catch (OperatorCreationException | IOException e) {
      throw new GeneralSecurityException("making a request for a certificate", e);
    }
  }

  /**
   * Reads a request.
   *
   * @throws GeneralSecurityException if it is malformed, not signed with its own key, or the key is
   *     of another kind than ours
   */
  public static SigningRequest read(byte[] encoded) throws GeneralSecurityException {
    try {
      JcaPKCS10CertificationRequest request = new JcaPKCS10CertificationRequest(encoded);
      PublicKey key = request.getPublicKey();
      if (!(key instanceof ECPublicKey ec)
          || ec.getParams().getCurve().getField().getFieldSize() != KEY_BITS) {
        throw new GeneralSecurityException("a key of another kind than EC P-256");
      }
      if (!request.isSignatureValid(new JcaContentVerifierProviderBuilder().build(key))) {
        throw new GeneralSecurityException("a request that is not signed with its own key");
      }
      return new SigningRequest(
          commonName(new X500Principal(request.getSubject().getEncoded())), key);
    } catch (IOException | OperatorCreationException | PKCSException | RuntimeException e) {
      throw new GeneralSecurityException("a malformed request for a certificate", e);
    }
  }

  /** The name in a subject of ours, which has nothing else. */
  public static String commonName(X500Principal subject) throws GeneralSecurityException {
    String text = subject.getName();
    if (!text.startsWith(COMMON_NAME) || text.indexOf(',') >= 0 || text.indexOf('+') >= 0) {
      throw new GeneralSecurityException("a subject that is not a name alone");
    }
    return text.substring(COMMON_NAME.length());
  }
}
