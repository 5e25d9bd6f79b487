package io.sedge.cli.internal.doctor;

import io.sedge.cli.internal.output.Quantities;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;

/** Where a device keeps what it knows. */
final class DirectoryChecks {
  private static final Set<String> IN_MEMORY = Set.of("tmpfs", "ramfs");
  private static final Set<String> REMOTE =
      Set.of("nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "fuse.sshfs", "ceph");
  private static final Set<String> OF_A_LAYER = Set.of("overlay", "aufs");

  /** They keep no permissions. */
  private static final Set<String> OPEN = Set.of("vfat", "msdos", "exfat");

  private static final long LEAST_FREE = 100_000_000;
  private static final long GOOD_FREE = 1_000_000_000;

  /** A device commits every two seconds or so, and waits for the disk each time. */
  private static final Duration GOOD_MEDIAN = Duration.ofMillis(100);

  private static final Duration GOOD_LONGEST = Duration.ofSeconds(1);

  /** Certificates are renewed when a third of their life is left. */
  private static final int LATE = 4;

  private DirectoryChecks() {}

  static Finding disk(Path directory, DiskTrial trial) {
    Duration median = Duration.ofNanos(trial.medianFlushNanos());
    Duration longest = Duration.ofNanos(trial.longestFlushNanos());
    String text =
        "%s (%s): %s free of %s; a flush takes %s, %s at most; %s/s"
            .formatted(
                directory,
                trial.type(),
                Quantities.bytes(trial.usableBytes()),
                Quantities.bytes(trial.totalBytes()),
                millis(median),
                millis(longest),
                Quantities.bytes(trial.bytesPerSecond()));
    if (IN_MEMORY.contains(trial.type())) {
      return Finding.warning(
          "disk",
          text,
          "it is memory: a device forgets its site with it. Choose a disk with --data");
    }
    if (REMOTE.contains(trial.type())) {
      return Finding.warning(
          "disk",
          text,
          "it is another machine's: without that one nothing is committed. Choose a disk of this"
              + " one with --data");
    }
    if (OF_A_LAYER.contains(trial.type())) {
      return Finding.warning(
          "disk",
          text,
          "it goes with the container, or at the next start of a system whose root is read-only:"
              + " mount a volume and name it with --data");
    }
    if (OPEN.contains(trial.type())) {
      return Finding.warning(
          "disk",
          text,
          "every user of this machine can read keys there: choose another one with --data");
    }
    if (trial.usableBytes() < GOOD_FREE) {
      return Finding.warning("disk", text, "make room: a device and its history grow to 1 GB");
    }
    if (median.compareTo(GOOD_MEDIAN) > 0 || longest.compareTo(GOOD_LONGEST) > 0) {
      return Finding.warning(
          "disk",
          text,
          "each commit waits for it: use eMMC or an SSD, or commit less often (SET"
              + " 'sedge.commit-interval' = '10 s')");
    }
    return Finding.ok("disk", text);
  }

  /** Whether so little is free that nothing should be tried. */
  static boolean isFull(long usableBytes) {
    return usableBytes < LEAST_FREE;
  }

  static Finding full(Path directory, long usableBytes) {
    return Finding.failure(
        "disk",
        "%s: only %s free".formatted(directory, Quantities.bytes(usableBytes)),
        "make room, or choose another disk with --data");
  }

  /**
   * @param directory the nearest that there is
   * @param data where the device's data would be
   */
  static Finding cannotBeWritten(Path directory, Path data, IOException e) {
    String remedy = "choose another one with --data";
    if (e instanceof AccessDeniedException) {
      remedy =
          directory.equals(data)
              ? "give it to the user that runs the device: `sudo chown USER %s`".formatted(data)
              : "make it: `sudo install -d -m 700 -o USER %s`".formatted(data);
    }
    return Finding.failure("disk", "%s cannot be written to: %s".formatted(directory, e), remedy);
  }

  static Finding isNone(Path data) {
    return Finding.failure(
        "data", "%s is no directory".formatted(data), "choose another one with --data");
  }

  private static String millis(Duration duration) {
    return "%.1f ms".formatted(duration.toNanos() / 1e6);
  }

  /** Secrets are in it. */
  static Finding privacy(Path data) throws IOException {
    return FilePrivacy.isOpenToOthers(data)
        ? Finding.warning(
            "data",
            "%s can be read by other users".formatted(data),
            "`chmod 700 %s`".formatted(data))
        : Finding.ok("data", "%s is its user's alone".formatted(data));
  }

  /**
   * The certificate by which a device is known.
   *
   * @param file in PEM
   */
  static Finding certificate(Path file, Instant now) {
    Instant begin;
    Instant end;
    try (InputStream input = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
      X509Certificate certificate =
          (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(input);
      begin = certificate.getNotBefore().toInstant();
      end = certificate.getNotAfter().toInstant();
    } catch (IOException | CertificateException e) {
      return Finding.failure(
          "certificate",
          "%s cannot be read: %s".formatted(file, e),
          "remove the device from its site (`sedge device remove`), and have it join again with"
              + " another --data");
    }
    return certificate(begin, end, now);
  }

  static Finding certificate(Instant begin, Instant end, Instant now) {
    String text = "valid from %s until %s".formatted(begin, end);
    if (now.isBefore(begin)) {
      return Finding.failure("certificate", text, "the clock of this machine is slow: set it");
    }
    if (!now.isBefore(end)) {
      return Finding.failure(
          "certificate",
          text,
          "it has ended: start the device where it reaches one that has the authority, which renews"
              + " it");
    }
    return now.isAfter(end.minus(Duration.between(begin, end).dividedBy(LATE)))
        ? Finding.warning(
            "certificate",
            text,
            "it renews itself while a device with the authority is reached: see `sedge site"
                + " status`")
        : Finding.ok("certificate", text);
  }
}
