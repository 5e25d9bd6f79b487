package io.sedge.center.internal.server;

import io.sedge.identity.Authority;
import io.sedge.identity.DeviceIdentity;
import io.sedge.identity.PeerTrust;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateParsingException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;

/**
 * Who the center is to those that connect to it: an authority of its own, in {@code authority}, and
 * a key with a certificate of it, in {@code identity}, for the names by which it is reached. Any
 * thread.
 */
public final class ServerIdentity {
  private static final String NAME = "center";
  private static final Duration VALIDITY = Duration.ofDays(365);

  private final Authority authority;
  private final DeviceIdentity identity;
  private final List<String> names;
  private final InstantSource clock;

  private ServerIdentity(
      Authority authority, DeviceIdentity identity, List<String> names, InstantSource clock) {
    this.authority = authority;
    this.identity = identity;
    this.names = names;
    this.clock = clock;
  }

  /** Where the certificate of the authority is, for those that connect from this machine. */
  public static Path authority(Path data) {
    return data.resolve("authority");
  }

  /**
   * Opens what is in a directory, or makes it.
   *
   * @param names addresses and names, that of the machine itself excepted
   */
  public static ServerIdentity open(Path data, Collection<String> names, InstantSource clock)
      throws IOException, GeneralSecurityException {
    Path own = data.resolve("identity");
    Authority authority =
        Authority.existsIn(authority(data))
            ? Authority.open(authority(data))
            : Authority.create(authority(data), NAME, clock.instant());
    List<String> all = new ArrayList<>(names);
    for (String loopback : List.of("localhost", "127.0.0.1", "::1")) {
      if (!all.contains(loopback)) {
        all.add(loopback);
      }
    }
    DeviceIdentity.found(own, authority, NAME, all, clock.instant(), VALIDITY);
    ServerIdentity opened =
        new ServerIdentity(authority, DeviceIdentity.open(own, clock), List.copyOf(all), clock);
    opened.renewIfDue();
    return opened;
  }

  /** Makes another certificate where a third of its life is left, or names have changed. */
  public void renewIfDue() throws IOException, GeneralSecurityException {
    if (identity.isToBeRenewed(clock.instant()) || !isForAllNames()) {
      identity.readdress(authority, names, clock.instant(), VALIDITY);
    }
  }

  private boolean isForAllNames() throws CertificateParsingException {
    Collection<List<?>> known = identity.certificate().getSubjectAlternativeNames();
    HashSet<String> found = new HashSet<>();
    if (known != null) {
      known.forEach(entry -> found.add(String.valueOf(entry.get(1))));
    }
    // Addresses may be written in other ways than they were given: all of them are counted.
    return found.size() >= names.size()
        && names.stream().filter(name -> !name.contains(":")).allMatch(found::contains);
  }

  public Authority authority() {
    return authority;
  }

  /** For sites: takes certificates of the authority, also those that have ended. */
  public SSLContext forSites() throws GeneralSecurityException {
    PeerTrust trust = identity.trust().forEnrolment();
    return context(trust);
  }

  /** For people and programs: takes no certificates. */
  public SSLContext forPeople() throws GeneralSecurityException {
    return context();
  }

  private SSLContext context(TrustManager... trust) throws GeneralSecurityException {
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(new KeyManager[] {identity.keyManager()}, trust, null);
    return context;
  }
}
