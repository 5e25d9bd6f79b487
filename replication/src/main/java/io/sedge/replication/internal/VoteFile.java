package io.sedge.replication.internal;

import io.sedge.replication.LedgerException;
import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.thirdparty.com.google.protobuf.InvalidProtocolBufferException;

/**
 * Makes anew what Ratis keeps of a member's votes, {@code raft-meta}, if it cannot be read. Ratis
 * puts a new file in its place also where the disk was full while that was written, and a member
 * with an empty one never starts again.
 *
 * <p>What is lost may be a vote, and nobody may vote twice in a term. So the member goes on in a
 * term far above all in which it can have voted: the time of day in milliseconds, since elections
 * are seconds apart; and {@link #SKIPPED} more than the last of which its log, its snapshots and
 * the mend before tell ({@code raft-meta.mended}, in the form of {@code raft-meta}), should the
 * clock be wrong. Terms may be skipped (D. Ongaro, J. Ousterhout, "In Search of an Understandable
 * Consensus Algorithm", 2014, 5.1); who leads in an earlier one is elected once more.
 */
final class VoteFile {
  static final long SKIPPED = 1_000_000;

  private static final String NAME = "raft-meta";
  private static final String MENDED = NAME + ".mended";
  private static final String TERM = "term";
  private static final String VOTED_FOR = "votedFor";
  private static final Pattern SNAPSHOT = Pattern.compile("snapshot\\.(\\d+)_\\d+");

  private VoteFile() {}

  /**
   * Mends the file below a directory, if it is there and cannot be read.
   *
   * @param maxEntryBytes the longest entry that the log can have
   * @param nowMillis since the epoch
   * @return the term in which the member goes on; empty if nothing was to be mended
   */
  static OptionalLong mend(Path directory, int maxEntryBytes, long nowMillis)
      throws LedgerException {
    try {
      List<Path> files = LogSegments.files(directory);
      for (Path file : files) {
        if (name(file).equals(NAME) && !isReadable(file)) {
          long term = Math.max(lastTerm(files, maxEntryBytes) + SKIPPED, nowMillis);
          write(file.resolveSibling(MENDED), term);
          write(file, term);
          return OptionalLong.of(term);
        }
      }
      return OptionalLong.empty();
    } catch (IOException | UncheckedIOException e) {
      throw new LedgerException("mending %s in %s: %s".formatted(NAME, directory, e), e);
    }
  }

  private static String name(Path file) {
    return file.getFileName().toString();
  }

  private static boolean isReadable(Path file) throws IOException {
    return term(file).isPresent();
  }

  /** Empty if the file cannot be read. */
  private static OptionalLong term(Path file) throws IOException {
    Properties properties = new Properties();
    try (Reader reader = Files.newBufferedReader(file)) {
      properties.load(reader);
      long term = Long.parseLong(properties.getProperty(TERM, ""));
      boolean isWhole = properties.getProperty(VOTED_FOR) != null && term >= 0;
      return isWhole ? OptionalLong.of(term) : OptionalLong.empty();
    } catch (IllegalArgumentException | CharacterCodingException ignored) {
      return OptionalLong.empty(); // A number or an escape that is none, or no text at all.
    }
  }

  private static long lastTerm(List<Path> files, int maxEntryBytes) throws IOException {
    AtomicLong last = new AtomicLong();
    for (Path file : files) {
      Matcher snapshot = SNAPSHOT.matcher(name(file));
      if (snapshot.matches()) {
        last.accumulateAndGet(Long.parseLong(snapshot.group(1)), Math::max);
      } else if (name(file).equals(MENDED)) {
        last.accumulateAndGet(term(file).orElse(0), Math::max);
      } else if (name(file).startsWith("log_")) {
        LogSegments.forEachEntry(
            file,
            maxEntryBytes,
            entry -> {
              try {
                last.accumulateAndGet(LogEntryProto.parseFrom(entry).getTerm(), Math::max);
              } catch (InvalidProtocolBufferException e) {
                throw new UncheckedIOException(e);
              }
            });
      }
    }
    return last.get();
  }

  private static void write(Path file, long term) throws IOException {
    String text = "%s=%d%n%s=%n".formatted(TERM, term, VOTED_FOR);
    DurableFile.replace(file, text.getBytes(StandardCharsets.US_ASCII));
  }
}
