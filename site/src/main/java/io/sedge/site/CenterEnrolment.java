package io.sedge.site;

import io.sedge.identity.EnrolmentClient;
import io.sedge.identity.PinnedTrust;
import io.sedge.identity.SigningRequest;
import io.sedge.identity.TokenText;
import io.sedge.site.api.SiteException;
import io.sedge.task.FailureCode;
import io.sedge.uplink.EnrolmentAnswer;
import io.sedge.uplink.EnrolmentRequest;
import io.sedge.uplink.SiteCredential;
import io.sedge.uplink.UplinkClient;
import io.sedge.uplink.UplinkException;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.time.InstantSource;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;

/**
 * How a site begins to report to a center: it makes a key, shows the token to the center that the
 * token is of, and gets a certificate. What it then has is kept among the site's secrets.
 */
public final class CenterEnrolment {
  /** What the key is called until the center has named the site. */
  private static final String NEWCOMER = "site";

  private CenterEnrolment() {}

  /**
   * Enrols a site.
   *
   * @param center {@code host:port}
   * @param token as {@code sedge center token} makes it
   * @param name by which the center is to know the site; empty for the token's
   * @param site the site's own name, which no other has
   * @param limit bytes a second that a device may send to the center; 0 for no limit
   * @throws SiteException USAGE for a token that is none; JOIN_REFUSED; NAME_TAKEN;
   *     CONNECTION_FAILED
   */
  public static SiteCredential enrol(
      String center, String token, String name, String site, long limit, InstantSource clock)
      throws SiteException, InterruptedException {
    TokenText secret = EnrolmentClient.token(token);
    try {
      SSLContext tls = SSLContext.getInstance("TLSv1.3");
      tls.init(
          new KeyManager[0], new TrustManager[] {new PinnedTrust(secret.authority(), clock)}, null);
      KeyPair keys = SiteCredential.newKeys();
      try (UplinkClient client = UplinkClient.of(center, tls)) {
        EnrolmentAnswer answer =
            client.enrol(
                new EnrolmentRequest(
                    token.strip(), name, site, SigningRequest.create(NEWCOMER, keys)));
        return SiteCredential.of(center, limit, keys, answer);
      }
    } catch (UplinkException e) {
      throw new SiteException(code(e.reason()), String.valueOf(e.getMessage()), e);
    } catch (GeneralSecurityException e) {
      throw new SiteException(
          FailureCode.JOIN_REFUSED, "the center's answer is not to be trusted: " + e, e);
    }
  }

  private static FailureCode code(UplinkException.Reason reason) {
    return switch (reason) {
      case NAME_TAKEN -> FailureCode.NAME_TAKEN;
      case TOKEN_REFUSED, REVOKED, UNKNOWN_SITE -> FailureCode.JOIN_REFUSED;
      case MALFORMED, VERSION, TOO_LARGE, SCHEMA_REFUSED, SEQUENCE_WENT_BACK ->
          FailureCode.JOIN_REFUSED;
      case BUSY, STORE_UNAVAILABLE, UNREACHABLE, INTERNAL -> FailureCode.CONNECTION_FAILED;
    };
  }
}
