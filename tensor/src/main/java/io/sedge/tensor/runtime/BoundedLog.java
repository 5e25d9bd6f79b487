package io.sedge.tensor.runtime;

import java.io.IOException;
import java.io.OutputStream;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * What a process writes: its last lines in memory, and all of it in a file that is put aside as
 * {@code name.1} when it is full, in place of the one put aside before. A file that cannot be
 * written is given up, which is a line of the log; the process never waits for it.
 */
final class BoundedLog {
  /** The lines kept in memory. */
  static final int MOST_LINES = 200;

  /** Where a longer line is cut. */
  static final int MOST_LINE_CHARACTERS = 2_000;

  private final ReentrantLock lock = new ReentrantLock();
  private final Deque<String> lines = new ArrayDeque<>();
  private final @Nullable Path file;
  private final long mostBytes;
  private @Nullable OutputStream out;
  private long bytes;

  BoundedLog(@Nullable Path file, long mostBytes) {
    this.file = file;
    this.mostBytes = mostBytes;
  }

  /** Opens the file, so that one that cannot be written is known before a process is started. */
  void open() throws IOException {
    lock.lock();
    try {
      openFile();
    } finally {
      lock.unlock();
    }
  }

  private void openFile() throws IOException {
    if (file != null) {
      out = Files.newOutputStream(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
      bytes = Files.size(file);
    }
  }

  void add(String line) {
    lock.lock();
    try {
      keep(line);
      write(line);
    } finally {
      lock.unlock();
    }
  }

  private void keep(String line) {
    if (lines.size() == MOST_LINES) {
      lines.removeFirst();
    }
    lines.addLast(line);
  }

  private void write(String line) {
    if (out == null) {
      return;
    }
    try {
      byte[] text = (line + "\n").getBytes(StandardCharsets.UTF_8);
      if (bytes > 0 && bytes + text.length > mostBytes) {
        putAside();
      }
      out.write(text);
      bytes += text.length;
    } catch (IOException e) {
      out = null;
      keep("(the log file " + file + " is given up: " + e + ")");
    }
  }

  private void putAside() throws IOException {
    if (out != null && file != null) {
      out.close();
      Path aside = file.resolveSibling(file.getFileName() + ".1");
      Files.move(file, aside, StandardCopyOption.REPLACE_EXISTING);
      openFile();
    }
  }

  List<String> tail() {
    lock.lock();
    try {
      return List.copyOf(lines);
    } finally {
      lock.unlock();
    }
  }

  /** The last few lines on one line, for a message. */
  String end() {
    List<String> tail = tail();
    List<String> last = tail.subList(Math.max(0, tail.size() - 5), tail.size());
    return last.isEmpty() ? "(nothing)" : String.join(" | ", last);
  }

  void close() {
    lock.lock();
    try {
      if (out != null) {
        out.close();
      }
    } catch (IOException e) {
      keep("(the log file " + file + " was not closed: " + e + ")");
    } finally {
      out = null;
      lock.unlock();
    }
  }

  /** The next line, cut where it is too long; null at the end. */
  static @Nullable String readLine(Reader in) throws IOException {
    StringBuilder line = new StringBuilder();
    int next = in.read();
    if (next < 0) {
      return null;
    }
    for (; next >= 0 && next != '\n'; next = in.read()) {
      if (line.length() < MOST_LINE_CHARACTERS && next != '\r') {
        line.append((char) next);
      }
    }
    return line.toString();
  }
}
