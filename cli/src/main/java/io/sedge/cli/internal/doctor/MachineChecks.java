package io.sedge.cli.internal.doctor;

import io.sedge.cli.internal.output.Quantities;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/** What a device needs of its machine. Each is a judgement of what was measured. */
final class MachineChecks {
  private static final long MEGA = 1_000_000;

  /** A device has 150 to 250 MB resident (docs/operations.md), and the system needs some too. */
  private static final long LEAST_MEMORY = 256 * MEGA;

  /** A machine that is sold with 512 MB shows less. */
  private static final long GOOD_MEMORY = 400 * MEGA;

  private static final long GOOD_AVAILABLE = 250 * MEGA;

  /** Nobody has run a version of Sedge before. */
  private static final Instant EARLIEST = Instant.parse("2026-01-01T00:00:00Z");

  /** Jars, files of the ledger and of history, and a connection for each client. */
  private static final long GOOD_OPEN_FILES = 1_024;

  private static final String SET_CLOCK =
      "certificates and times of events depend on it: `sudo timedatectl set-ntp true`, or a time"
          + " server of the plant (in a container: on its host)";

  private MachineChecks() {}

  /**
   * Of the machine, or of the container that this runs in.
   *
   * @param available to new programs
   * @param running whether the device has its part already
   */
  static Finding memory(long total, long available, boolean running) {
    String text =
        "%s, %s of it available".formatted(Quantities.bytes(total), Quantities.bytes(available));
    if (total < LEAST_MEMORY) {
      return Finding.failure(
          "memory", text, "a device takes 150 to 250 MB: use a machine with 512 MB or more");
    }
    if (total < GOOD_MEMORY || (!running && available < GOOD_AVAILABLE)) {
      return Finding.warning(
          "memory",
          text,
          "a device takes 150 to 250 MB: end what is not needed, or bound the device with `--memory"
              + " 256m`");
    }
    return Finding.ok("memory", text);
  }

  /**
   * @param kept whether something keeps it by a time server, where the system tells
   */
  static Finding clock(Instant time, Optional<Boolean> kept) {
    Instant now = time.truncatedTo(ChronoUnit.SECONDS);
    if (now.isBefore(EARLIEST)) {
      return Finding.failure("clock", "it says %s".formatted(now), SET_CLOCK);
    }
    if (kept.isEmpty()) {
      return Finding.ok(
          "clock", "it says %s; whether it is kept right is not known".formatted(now));
    }
    return kept.get()
        ? Finding.ok("clock", "it says %s, and is kept by a time server".formatted(now))
        : Finding.warning(
            "clock",
            "it says %s, and the system knows of no time server that keeps it".formatted(now),
            SET_CLOCK);
  }

  /**
   * @param most how many this process may open
   */
  static Finding openFiles(long most) {
    String text = "up to %,d open files".formatted(most);
    return most >= GOOD_OPEN_FILES
        ? Finding.ok("limits", text)
        : Finding.warning(
            "limits", text, "`ulimit -n 4096` in the shell, LimitNOFILE=4096 in a unit of systemd");
  }

  /**
   * @param names how file names are written
   */
  static Finding fileNames(Charset names) {
    String text = "names of files in %s".formatted(names);
    return names.equals(StandardCharsets.UTF_8)
        ? Finding.ok("locale", text)
        : Finding.warning(
            "locale",
            text,
            "other names than those in ASCII cannot be opened: `export LC_ALL=C.UTF-8`");
  }

  /**
   * Where libraries in machine code are unpacked (SQLite, ONNX Runtime, zstd).
   *
   * @param executes whether what is there may be executed
   */
  static Finding temporary(Path directory, boolean writable, boolean executes) {
    String text = directory.toString();
    String other =
        "name another one: `export JAVA_OPTS=-Djava.io.tmpdir=DIRECTORY`; for a service"
            + " Environment=JAVA_OPTS=… (`systemctl edit sedge`)";
    if (!writable) {
      return Finding.failure("temporary", text + " cannot be written to", other);
    }
    return executes
        ? Finding.ok("temporary", text)
        : Finding.failure(
            "temporary",
            text + " is mounted noexec: databases, models and zstd cannot be loaded",
            other);
  }
}
