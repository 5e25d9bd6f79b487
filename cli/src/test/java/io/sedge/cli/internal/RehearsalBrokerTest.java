package io.sedge.cli.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** As a job sees it. */
class RehearsalBrokerTest {
  @TempDir Path directory;

  @Test
  void aJobReadsItsMessagesAndPublishes() throws Exception {
    try (RehearsalBroker broker = RehearsalBroker.start()) {
      assertThat(broker.hasServed()).isFalse();
      Files.writeString(
          directory.resolve("job.sql"),
          """
          CREATE TABLE messages (n DOUBLE)
            WITH ('connector' = 'mqtt', 'url' = '%1$s', 'topic' = 'a', 'format' = 'json');
          CREATE TABLE commands (n DOUBLE)
            WITH ('connector' = 'mqtt', 'url' = '%1$s', 'topic' = 'b', 'format' = 'json');
          INSERT INTO commands SELECT n FROM messages;
          """
              .formatted(broker.url()));
      CommandRunner runner = new CommandRunner(directory);
      assertThat(runner.run("run", "job.sql", "--duration", "3s")).as(runner.err()).isZero();
      assertThat(broker.hasServed()).isTrue();
    }
  }
}
