package io.sedge.cli.internal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.connector.StreamWriter;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class MessageStreamTest {
  private static final String LINE = "x".repeat(999);

  private final CountDownLatch read = new CountDownLatch(1);
  private final ByteArrayOutputStream shown =
      new ByteArrayOutputStream() {
        @Override
        public synchronized void write(byte[] bytes, int offset, int length) {
          try {
            read.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
          super.write(bytes, offset, length);
        }
      };
  private final PrintStream messages = new PrintStream(new MessageStream(shown), true, UTF_8);

  @Test
  void whatIsSaidComesWholeAndInOrder() {
    read.countDown();
    messages.println("one");
    messages.printf("two %d%n", 2);
    messages.close();
    assertThat(shown.toString(UTF_8)).isEqualTo("one\ntwo 2\n");
  }

  @Test
  void nobodyIsHeldUpByAReaderThatStoppedAndWhatWasDroppedIsCounted() throws Exception {
    int kept = StreamWriter.CAPACITY_BYTES / 1_000 + 1;
    for (int i = 0; i < kept + 1_234; i++) {
      messages.println(LINE);
    }
    read.countDown();
    String last = "sedge: warning: 1,234 lines are not shown: standard error took no more\n";
    while (!shown.toString(UTF_8).endsWith(last)) {
      Thread.sleep(1);
    }
    messages.close();
    assertThat(shown.toString(UTF_8)).isEqualTo((LINE + "\n").repeat(kept) + last);
  }
}
