package io.sedge.center.internal.api;

import io.sedge.center.MergeCompiler;
import io.sedge.center.OidcOptions;
import io.sedge.center.internal.uplink.SiteQuestions;
import io.sedge.center.store.Store;
import io.sedge.center.store.StoreException;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * What the API is about.
 *
 * @param questions ask sites
 * @param scripts compiles the scripts of jobs for sites
 * @param authority the certificate that sites are told to know the center by
 * @param data the center's directory
 * @param version of the center
 * @param startedAt when the center was started
 * @param address where people and programs ask, asked for when it is listened there
 * @param siteAddress where sites report, {@code HOST:PORT}, as well
 * @param provider at which people may log in too; empty for none
 * @param heartbeat after how long a query that has no rows yet says that it is alive
 * @param log is told of faults
 */
public record ApiContext(
    Store store,
    SiteQuestions questions,
    MergeCompiler scripts,
    X509Certificate authority,
    Path data,
    String version,
    Instant startedAt,
    Supplier<String> address,
    Supplier<String> siteAddress,
    Optional<OidcOptions> provider,
    Duration heartbeat,
    InstantSource clock,
    LongSupplier nanoClock,
    Consumer<String> log) {
  /** After how long a query that has no rows yet says that it is alive. */
  public static final Duration HEARTBEAT = Duration.ofSeconds(2);

  /** Where the files are that say how to ask from the center's own machine. */
  Path control() {
    return data.resolve(LocalAccess.DIRECTORY);
  }

  /**
   * Keeps in mind what is done, and who does it. To be called before it is done: what nobody could
   * write into the audit log has not happened. The end of a session is the exception.
   */
  void audit(Call call, String what, String subject, String detail) throws StoreException {
    audit(call.caller(), what, subject, detail);
  }

  /** The same of who is not known by the request alone. */
  void audit(Caller caller, String what, String subject, String detail) throws StoreException {
    store.audit().record(caller.who(), what, subject, detail);
  }
}
