package io.sedge.connector.history.internal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Deletes whole segments, the oldest first: those whose last row came longer ago than a table says,
 * and those that are too many for its bytes. A crash in between leaves what the next run deletes.
 */
final class Retention {
  private Retention() {}

  /**
   * @param bytesAllowed what segments and journals may take together
   * @param nowMs the time; {@link Long#MIN_VALUE} if it is not to be trusted, so that nothing is
   *     old
   */
  static void apply(Path directory, long ageMs, long bytesAllowed, long nowMs) throws IOException {
    StoreFiles files = StoreFiles.in(directory);
    long bytes = 0;
    for (StoreFiles.Journal journal : files.journals()) {
      bytes += StoreFiles.bytes(journal.file());
    }
    long oldest =
        nowMs == Long.MIN_VALUE ? Long.MIN_VALUE : nowMs - Math.min(ageMs, Long.MAX_VALUE / 4);
    for (StoreFiles.Journal damaged : files.damaged()) {
      if (Files.getLastModifiedTime(damaged.file()).toMillis() < oldest) {
        Files.deleteIfExists(damaged.file());
      } else {
        bytes += StoreFiles.bytes(damaged.file());
      }
    }
    List<StoreFiles.Segment> newestFirst = files.segments().reversed();
    boolean old = false;
    for (StoreFiles.Segment segment : newestFirst) {
      bytes += StoreFiles.bytes(segment.file());
      old |= segment.stampMs() < oldest || bytes > bytesAllowed;
      if (old) {
        Files.deleteIfExists(segment.file());
      }
    }
  }
}
