package io.sedge.system.testkit;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Counts the numbers of readings in lines of JSON or CSV. Any thread. */
public final class Counted {
  private static final Pattern NUMBER =
      Pattern.compile("\"seq\":(-?\\d+)|^[^,]*,(-?\\d+)$", Pattern.MULTILINE);
  private static final Duration TICK = Duration.ofMillis(5);

  private final BitSet seen = new BitSet();
  private long total;
  private long greetings;
  private volatile long perSecond = Long.MAX_VALUE;

  /** What a table of the filesystem connector has written to a directory, all files ended. */
  public static Counted files(Path directory) {
    Counted counted = new Counted();
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.toList()) {
        if (!file.getFileName().toString().startsWith("part-")) {
          throw new AssertionError(file + " has not ended");
        }
        Files.readAllLines(file).forEach(counted::add);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return counted;
  }

  /** Reads lines at the pace that {@link #pace} says until they end, in a thread of its own. */
  public void readAll(BufferedReader reader) {
    Thread.ofVirtual().start(() -> read(reader));
  }

  private void read(BufferedReader reader) {
    long next = System.nanoTime();
    try (reader) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        add(line);
        // What could have been read while nothing came is not made up for.
        next = Math.max(next, System.nanoTime() - TICK.toNanos()) + 1_000_000_000 / perSecond;
        while (System.nanoTime() < next) {
          LockSupport.parkNanos(TICK.toNanos());
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** At most so many lines are read each second. */
  public void pace(long linesPerSecond) {
    perSecond = linesPerSecond;
  }

  /** Counts a line, unless it has no number; negative ones are greetings. */
  public synchronized void add(String line) {
    Matcher matcher = NUMBER.matcher(line);
    if (matcher.find()) {
      int number = Integer.parseInt(matcher.group(1) == null ? matcher.group(2) : matcher.group(1));
      if (number >= 0) {
        seen.set(number);
        total++;
      } else {
        greetings++;
      }
    }
  }

  /** How many lines had a number. */
  public synchronized long total() {
    return total;
  }

  /** How many lines had a negative number. */
  public synchronized long greetings() {
    return greetings;
  }

  /** How many different numbers there were. */
  public synchronized int different() {
    return seen.cardinality();
  }

  /** The first numbers below {@code count} that there were not. */
  public synchronized List<Integer> missing(int count) {
    return IntStream.range(0, count)
        .filter(number -> !seen.get(number))
        .limit(100)
        .boxed()
        .collect(Collectors.toList());
  }
}
