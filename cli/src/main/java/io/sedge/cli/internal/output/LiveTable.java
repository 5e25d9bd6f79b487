package io.sedge.cli.internal.output;

import io.sedge.engine.column.Batch;
import io.sedge.task.JobCounters;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A table that is redrawn in place in a terminal, {@value #FRAMES_PER_SECOND} times a second at
 * most and only when it changed. Messages scroll by above it. It takes rows whatever their number:
 * it shows the state, not the history. When it is closed its last state stays on the screen.
 */
public final class LiveTable implements RowOutput {
  static final int FRAMES_PER_SECOND = 10;

  /** How many messages may wait for the next frame; of more the first are kept. */
  static final int MAX_MESSAGES = 200;

  private static final String ESCAPE = "\u001b[";
  private static final String HIDE_CURSOR = ESCAPE + "?25l";
  private static final String SHOW_CURSOR = ESCAPE + "?25h";
  private static final String CLEAR_LINE = ESCAPE + "K";
  private static final String CLEAR_BELOW = ESCAPE + "J";
  private static final String BEGIN_FRAME = ESCAPE + "?2026h" + ESCAPE + "?7l";
  private static final String END_FRAME = ESCAPE + "?7h" + ESCAPE + "?2026l";

  private final OutputStream terminal;
  private final Supplier<Size> size;
  private final Frame frame;
  private final StatusLine statusLine;
  private final Runnable onClosed;
  private final JsonEncoder encoder = new JsonEncoder(false);
  private final Thread thread;
  private final CountDownLatch ending = new CountDownLatch(1);
  private final Map<Integer, TableModel> tables = new TreeMap<>();
  private final Queue<String> messages = new ArrayDeque<>();
  private @Nullable Supplier<JobCounters> counters;
  private volatile @Nullable IOException failure;
  private boolean changed;
  private int linesOnScreen;
  private long bytes;

  /** Of a terminal, in characters. */
  public record Size(int columns, int rows) {}

  /**
   * @param onClosed run when the terminal has gone
   */
  public LiveTable(
      OutputStream terminal,
      Supplier<Size> size,
      Frame frame,
      StatusLine statusLine,
      Runnable onClosed) {
    this.terminal = terminal;
    this.size = size;
    this.frame = frame;
    this.statusLine = statusLine;
    this.onClosed = onClosed;
    this.thread = Thread.ofPlatform().name("sedge-screen").daemon().start(this::run);
  }

  @Override
  public synchronized boolean offer(Query query, Batch batch) {
    checkFailure();
    tables.computeIfAbsent(query.index(), _ -> new TableModel(query)).add(batch);
    bytes += encoder.estimatedBytes(query, batch);
    changed = true;
    return true;
  }

  @Override
  public boolean isWritten() {
    checkFailure();
    return true;
  }

  private void checkFailure() {
    IOException failed = failure;
    if (failed != null) {
      throw OutputFailure.of(failed);
    }
  }

  /** As JSON lines would have, by a sample of each batch. */
  @Override
  public synchronized long bytes() {
    return bytes;
  }

  @Override
  public synchronized void started(Supplier<JobCounters> jobCounters) {
    counters = jobCounters;
  }

  @Override
  public synchronized void message(String line) {
    if (messages.size() < MAX_MESSAGES) {
      messages.add(line);
      changed = true;
    }
  }

  private void run() {
    try {
      write(HIDE_CURSOR);
      int frames = 0;
      do {
        if (takeChanged() || frames % FRAMES_PER_SECOND == 0) {
          write(draw());
        }
        frames++;
      } while (!ending.await(1000 / FRAMES_PER_SECOND, TimeUnit.MILLISECONDS));
      write(draw() + SHOW_CURSOR);
    } catch (IOException e) {
      if (OutputFailure.isReaderGone(e)) {
        onClosed.run();
      } else {
        failure = e;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized boolean takeChanged() {
    boolean was = changed;
    changed = false;
    return was;
  }

  private synchronized String draw() {
    Size screen = size.get();
    Supplier<JobCounters> source = counters;
    String status = source == null ? "opening tables …" : statusLine.text(source.get());
    List<String> lines =
        frame.lines(List.copyOf(tables.values()), status, screen.columns(), screen.rows());
    StringBuilder text = new StringBuilder(BEGIN_FRAME);
    if (linesOnScreen > 0) {
      text.append(ESCAPE).append(linesOnScreen).append('A');
    }
    text.append('\r');
    if (!messages.isEmpty()) {
      text.append(CLEAR_BELOW);
    }
    while (!messages.isEmpty()) {
      text.append(messages.remove()).append(CLEAR_LINE).append('\n');
    }
    for (String line : lines) {
      text.append(line).append(CLEAR_LINE).append('\n');
    }
    linesOnScreen = lines.size();
    return text.append(CLEAR_BELOW).append(END_FRAME).toString();
  }

  private void write(String text) throws IOException {
    terminal.write(text.getBytes(StandardCharsets.UTF_8));
    terminal.flush();
  }

  @Override
  public void close() {
    ending.countDown();
    try {
      var _ = thread.join(LineWriter.CLOSE_PATIENCE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    checkFailure();
  }
}
