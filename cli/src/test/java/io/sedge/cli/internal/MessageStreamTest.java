package io.sedge.cli.internal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.connector.StreamWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class MessageStreamTest {
  private static final String LINE = "x".repeat(999);
  private static final int KEPT = StreamWriter.CAPACITY_BYTES / 1_000 + 1;

  private final Reader reader = new Reader();
  private final PrintStream messages = new PrintStream(new MessageStream(reader), true, UTF_8);

  /** Takes a piece for each permit. */
  private static final class Reader extends OutputStream {
    final Semaphore permits = new Semaphore(0);
    final ByteArrayOutputStream taken = new ByteArrayOutputStream();
    final AtomicInteger failures = new AtomicInteger();
    volatile boolean full;

    @Override
    public void write(int b) {
      throw new UnsupportedOperationException("pieces are whole");
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      permits.acquireUninterruptibly();
      if (full) {
        failures.incrementAndGet();
        throw new IOException("No space left on device");
      }
      taken.write(bytes, offset, length);
    }

    void awaitEnd(String text) throws InterruptedException {
      while (!taken.toString(UTF_8).endsWith(text)) {
        Thread.sleep(1);
      }
    }
  }

  @Test
  void whatIsSaidComesWholeAndInOrder() {
    reader.permits.release(100);
    messages.println("one");
    messages.printf("two %d%n", 2);
    messages.close();
    assertThat(reader.taken.toString(UTF_8)).isEqualTo("one\ntwo 2\n");
  }

  @Test
  void aReaderThatStoppedHoldsNobodyUpAndWhatIsDroppedIsCountedInItsPlace() throws Exception {
    say(KEPT + 1_234);
    reader.permits.release(10);
    String first = (LINE + "\n").repeat(10);
    reader.awaitEnd(first);
    messages.println("there is room, and what came before is not there yet");
    reader.permits.release(KEPT + 10);
    String note = "sedge: warning: 1,235 lines are not shown: standard error took no more\n";
    reader.awaitEnd(note);
    messages.println("last");
    messages.close();
    assertThat(reader.taken.toString(UTF_8))
        .isEqualTo((LINE + "\n").repeat(KEPT) + note + "last\n");
  }

  @Test
  void aDiskThatIsFullForAWhileSilencesNothingAfterIt() throws Exception {
    reader.full = true;
    say(3);
    reader.permits.release(3);
    while (reader.failures.get() < 3) {
      Thread.sleep(1);
    }
    reader.full = false;
    reader.permits.release(100);
    messages.println("last");
    messages.close();
    assertThat(reader.taken.toString(UTF_8))
        .isEqualTo("sedge: warning: 3 lines are not shown: standard error took no more\nlast\n");
  }

  private void say(int lines) {
    for (int i = 0; i < lines; i++) {
      messages.println(LINE);
    }
  }
}
