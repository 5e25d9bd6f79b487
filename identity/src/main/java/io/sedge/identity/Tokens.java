package io.sedge.identity;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The tokens of an authority, by their hashes: {@code tokens} in its directory has one line for
 * each, {@code HASH END USED-BY MAKER}. A token is good at the device that made it alone, by that
 * one's key: a copy of the directory on another device does not know it, so that no token is used
 * twice. Versions before wrote no maker; those lines are taken for this device's. A token is used
 * when the first newcomer has shown it; that one, by its key, may show it again until it ends,
 * since it may have crashed before it had its answer. Ended ones are forgotten a day later. Any
 * thread.
 */
final class Tokens {
  static final int MAX_TOKENS = 256;
  static final Duration LONGEST = Duration.ofDays(7);

  private static final String FILE = "tokens";
  private static final String NOBODY = "-";
  private static final int FIELDS = 4;
  private static final int FIELDS_WITHOUT_MAKER = 3;
  private static final Duration KEPT = Duration.ofDays(1);

  private final Path file;
  private final String maker;
  private final Map<String, Entry> entries = new LinkedHashMap<>();

  private record Entry(long endMillis, String usedBy) {}

  /** What came of a token that was shown. */
  enum Verdict {
    ACCEPTED,
    UNKNOWN,
    ENDED,
    USED
  }

  private Tokens(Path file, String maker) {
    this.file = file;
    this.maker = maker;
  }

  /**
   * Those in a directory.
   *
   * @param maker the fingerprint of this device's key
   */
  static Tokens open(Path directory, String maker) throws IOException {
    Tokens tokens = new Tokens(directory.resolve(FILE), maker);
    if (Files.exists(tokens.file)) {
      for (String line : Files.readAllLines(tokens.file)) {
        tokens.read(line);
      }
    }
    return tokens;
  }

  private void read(String line) throws IOException {
    String[] fields = line.split(" ", -1);
    try {
      if (fields.length == FIELDS || fields.length == FIELDS_WITHOUT_MAKER) {
        Entry entry = new Entry(Long.parseLong(fields[1]), fields[2]);
        if (fields.length == FIELDS_WITHOUT_MAKER || fields[FIELDS - 1].equals(maker)) {
          entries.put(fields[0], entry);
        }
        return;
      }
    } catch (NumberFormatException _) {
      // Said below.
    }
    throw new IOException(file + " is damaged; remove it, and make new tokens");
  }

  /** Makes a token; on the disk when this returns. */
  synchronized TokenText create(byte[] authority, Instant end, Instant now) throws IOException {
    forgetEnded(now);
    if (entries.size() >= MAX_TOKENS) {
      throw new IOException(
          "there are %d tokens, as many as there may be; wait until some have ended"
              .formatted(MAX_TOKENS));
    }
    TokenText token = TokenText.create(authority);
    entries.put(Pem.fingerprint(token.secret()), new Entry(end.toEpochMilli(), NOBODY));
    write();
    return token;
  }

  /** What to say to somebody who shows a secret; changes nothing. */
  synchronized Verdict verdict(byte[] secret, String key, Instant now) {
    Entry entry = entries.get(Pem.fingerprint(secret));
    if (entry == null) {
      return Verdict.UNKNOWN;
    }
    if (entry.endMillis <= now.toEpochMilli()) {
      return Verdict.ENDED;
    }
    return entry.usedBy.equals(NOBODY) || entry.usedBy.equals(key)
        ? Verdict.ACCEPTED
        : Verdict.USED;
  }

  /** Uses a token, for the holder of a key; on the disk when this returns. */
  synchronized Verdict redeem(byte[] secret, String key, Instant now) throws IOException {
    Verdict verdict = verdict(secret, key, now);
    if (verdict == Verdict.ACCEPTED) {
      String hash = Pem.fingerprint(secret);
      Entry entry = entries.get(hash);
      if (entry != null && entry.usedBy.equals(NOBODY)) {
        entries.put(hash, new Entry(entry.endMillis, key));
        write();
      }
    }
    return verdict;
  }

  private void forgetEnded(Instant now) {
    long before = now.minus(KEPT).toEpochMilli();
    entries.values().removeIf(entry -> entry.endMillis < before);
  }

  private void write() throws IOException {
    List<String> lines =
        entries.entrySet().stream()
            .map(
                entry ->
                    "%s %d %s %s\n"
                        .formatted(
                            entry.getKey(),
                            entry.getValue().endMillis,
                            entry.getValue().usedBy,
                            maker))
            .toList();
    SecretFiles.write(file, String.join("", lines));
  }
}
