package io.sedge.center;

import io.sedge.identity.PinnedTrust;
import io.sedge.identity.SigningRequest;
import io.sedge.identity.TokenText;
import io.sedge.uplink.EnrolmentRequest;
import io.sedge.uplink.SiteCredential;
import io.sedge.uplink.UplinkClient;
import java.security.KeyPair;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;

/** Lets sites in, as a device does it. */
final class TestEnrolment {
  private static final Duration HOUR = Duration.ofHours(1);

  private TestEnrolment() {}

  /** A site with a ledger of its own. */
  static SiteCredential of(Center center, String name) throws Exception {
    return of(center, center.siteToken(Optional.empty(), HOUR), name, "ledger of " + name);
  }

  static SiteCredential of(Center center, String token, String name, String ledger)
      throws Exception {
    SSLContext tls = SSLContext.getInstance("TLSv1.3");
    tls.init(
        null,
        new TrustManager[] {
          new PinnedTrust(TokenText.parse(token).authority(), InstantSource.system())
        },
        null);
    KeyPair keys = SiteCredential.newKeys();
    try (UplinkClient client = UplinkClient.of(center.siteAddress(), tls)) {
      return SiteCredential.of(
          center.siteAddress(),
          0,
          keys,
          client.enrol(
              new EnrolmentRequest(token, name, ledger, SigningRequest.create("site", keys))));
    }
  }
}
